"""What is mended in the HTML of Sphinx and the theme, so that everybody can read it (`e2e/test_docs.py`)."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

__all__ = ["mend"]

_LONG_SIGNATURE = re.compile(r"<dl>\s*((?:<dd>.*?</dd>\s*)+)</dl>(?=\s*<span class=\"sig-paren\")", re.DOTALL)


def mend(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], *_: Any) -> None:
    """Give captions a level, let the keyboard scroll code, and make no list of a signature."""
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')
    body = context.get("body", "").replace("<pre>", '<pre tabindex="0">')
    context["body"] = _LONG_SIGNATURE.sub(_as_lines, body)


def _as_lines(found: re.Match[str]) -> str:
    return found[1].replace("<dd>", '<span class="sig-line">').replace("</dd>", "</span>")
