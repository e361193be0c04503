"""The extension of Sphinx that the site needs."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from docs.making import commands, javascript

GENERATED: dict[str, Callable[[str], str]] = {
    "javascript": javascript.module,
    "javascript-types": lambda names: javascript.typedefs(names.split()),
    "attributes": lambda _: javascript.attributes(),
    "commands": lambda _: commands.reference(),
}
"""What a page may ask for: by the directive's name, the Markdown that takes its place."""


class Generated(SphinxDirective):
    """A place in a page that is filled when the site is built."""

    optional_arguments = 1
    final_argument_whitespace = True
    make: ClassVar[Callable[[str], str]]

    def run(self) -> list[nodes.Node]:
        """Give what was generated, as if it stood in the page."""
        text = type(self).make(self.arguments[0] if self.arguments else "")
        return self.parse_text_to_nodes(text, allow_section_headings=True)


MADE_BY_WEBTOOLS = {"FormTool", "Hold", "Tool", "ToolContext", "ToolRegistry"}
"""Classes that authors meet, but never make: how they are made is nobody's affair."""

AMONG_THE_PAGES = {
    "README.md": "index",
    "SECURITY.md": "project/security",
    "CHANGELOG.md": "project/changes",
    "CONTRIBUTING.md": "project/contributing",
}
"""Files of the repository's root, and what of the site has the same."""

_OUTWARD = re.compile(r"\[([^\]]*)\]\(((?:\.\./)+)([^)#]*)(#[^)]*)?\)")


def lead_inward(app: Sphinx, page: str, source: list[str]) -> None:
    """Have links that leave `docs/` lead to where the site has the same; to a folder nothing leads."""

    def inward(link: re.Match[str]) -> str:
        words, up, path, anchor = link.groups(default="")
        if path in AMONG_THE_PAGES:
            return f"[{words}]({up[3:]}{AMONG_THE_PAGES[path]}.md{anchor})"
        target = (Path(app.srcdir) / page).parent / up / path
        return words if target.is_dir() and Path(app.srcdir) not in target.resolve().parents else link[0]

    source[0] = _OUTWARD.sub(inward, source[0])


def hide_the_making(_app: Sphinx, what: str, name: str, *rest: str) -> tuple[str, str] | None:
    """Leave out the arguments of classes that only webtools makes."""
    return ("", rest[-1]) if what == "class" and name.split(".")[-1] in MADE_BY_WEBTOOLS else None


def setup(app: Sphinx) -> dict[str, Any]:
    """Join the build."""
    for name, make in GENERATED.items():
        app.add_directive(name, type(name, (Generated,), {"make": staticmethod(make)}))
    app.connect("source-read", lead_inward)
    app.connect("autodoc-process-signature", hide_the_making)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
