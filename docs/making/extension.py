"""The extension of Sphinx that the site needs: what is generated, links inward, and `llms.txt`."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from docs.making import llms
from docs.making.filling import filled
from docs.making.html import mend
from docs.making.links import lead_inward

DOCS = Path(__file__).parents[1]

MADE_BY_WEBTOOLS = {"FormTool", "Hold", "Tool", "ToolContext", "ToolRegistry"}
"""Classes that authors meet, but never make: how they are made is nobody's affair."""


def complete(_app: Sphinx, page: str, source: list[str]) -> None:
    """Fill in what is generated, and have links that leave `docs/` lead to where the site has the same."""
    source[0] = filled(lead_inward(source[0], DOCS / f"{page}.md"))


def hide_the_making(_app: Sphinx, what: str, name: str, *rest: str) -> tuple[str, str] | None:
    """Leave out the arguments of classes that only webtools makes."""
    return ("", rest[-1]) if what == "class" and name.split(".")[-1] in MADE_BY_WEBTOOLS else None


def keep_colons(
    _app: Sphinx, what: str, _name: str, thing: object, _options: object, lines: list[str]
) -> None:
    """Undo that a property's words before a colon are taken for its type."""
    if what == "property" and any(line.startswith(":type:") for line in lines):
        lines[:] = (inspect.getdoc(thing) or "").splitlines()


def write_llms(app: Sphinx, problem: Exception | None) -> None:
    """Put the two files for models beside the pages."""
    if problem is None:
        llms.write(Path(app.outdir), app.builder)


def setup(app: Sphinx) -> dict[str, Any]:
    """Join the build."""
    app.connect("source-read", complete)
    app.connect("autodoc-process-signature", hide_the_making)
    app.connect("autodoc-process-docstring", keep_colons, priority=600)  # after napoleon
    app.connect("html-page-context", mend, priority=900)  # after the theme
    app.connect("build-finished", write_llms)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
