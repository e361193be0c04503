"""The extension of Sphinx that the site needs: what is generated, links inward, and `llms.txt`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from docs.making import commands, javascript, llms, support
from docs.making.html import mend
from docs.making.links import from_root, lead_inward

DOCS = Path(__file__).parents[1]

GENERATED: dict[str, Callable[[str], str]] = {
    "javascript": javascript.module,
    "javascript-types": lambda names: javascript.typedefs(names.split()),
    "attributes": lambda _: javascript.attributes(),
    "commands": lambda _: commands.reference(),
    "support": lambda _: support.table(),
    "file": from_root,
}
"""What a page may ask for: by the directive's name, the Markdown that takes its place."""

MADE_BY_WEBTOOLS = {"FormTool", "Hold", "Tool", "ToolContext", "ToolRegistry"}
"""Classes that authors meet, but never make: how they are made is nobody's affair."""


class Generated(SphinxDirective):
    """A place in a page that is filled when the site is built."""

    optional_arguments = 1
    final_argument_whitespace = True
    make: ClassVar[Callable[[str], str]]

    def run(self) -> list[nodes.Node]:
        """Give what was generated, as if it stood in the page."""
        text = type(self).make(self.arguments[0] if self.arguments else "")
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def turn_links(_app: Sphinx, page: str, source: list[str]) -> None:
    """Have links that leave `docs/` lead to where the site has the same."""
    source[0] = lead_inward(source[0], DOCS / f"{page}.md")


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
    for name, make in GENERATED.items():
        app.add_directive(name, type(name, (Generated,), {"make": staticmethod(make)}))
    app.connect("source-read", turn_links)
    app.connect("autodoc-process-signature", hide_the_making)
    app.connect("autodoc-process-docstring", keep_colons, priority=600)  # after napoleon
    app.connect("html-page-context", mend, priority=900)  # after the theme
    app.connect("build-finished", write_llms)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
