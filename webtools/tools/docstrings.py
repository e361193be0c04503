"""What a handler's docstring tells an agent: the description and the parameters' texts."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field

import docstring_parser
from docstring_parser.common import Docstring, DocstringMeta, DocstringStyle

STYLES = (DocstringStyle.GOOGLE, DocstringStyle.NUMPYDOC, DocstringStyle.REST, DocstringStyle.EPYDOC)


@dataclass(frozen=True)
class Documentation:
    """The parts of a docstring that become part of a definition."""

    description: str = ""
    parameters: dict[str, str] = field(default_factory=dict)


def documentation(docstring: str | None) -> Documentation:
    """Read a docstring in Google, NumPy, reST or Epydoc style; what is not understood is description."""
    text = inspect.cleandoc(docstring or "")
    parsed = max((_parsed(text, style) for style in STYLES), key=_understood)
    if not _understood(parsed):
        return Documentation(text.strip())
    parameters = {
        parameter.arg_name: " ".join(parameter.description.split())
        for parameter in parsed.params
        if parameter.description
    }
    return Documentation((parsed.description or "").strip(), parameters)


def _parsed(text: str, style: DocstringStyle) -> Docstring:
    try:
        return docstring_parser.parse(text, style)
    except Exception:  # the parsers stumble over odd texts in several ways  # noqa: BLE001
        return Docstring()


def _understood(parsed: Docstring) -> int:
    """How many sections have a meaning; the parsers also make one of any line such as ``:meth:`x` does``."""
    return sum(type(each) is not DocstringMeta for each in parsed.meta)
