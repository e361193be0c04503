"""`llms.txt` and `llms-full.txt`: the site for models that write code (https://llmstxt.org)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.builders import Builder
from sphinx.environment import BuildEnvironment

from docs.making.filling import filled
from docs.making.links import lead_inward

__all__ = ["summaries", "write"]

DOCS = Path(__file__).parents[1]

SUMMARY = """# webtools

> Tools for AI agents in a web page, written in Python that runs there (Pyodide): a tool is a plain typed
> function with `@tool` on it, registered on `document.modelContext` (WebMCP) or on webtools' polyfill.

Begin with the page for coding agents: it has a whole example, and the rules. llms-full.txt has all pages.
"""

FIRST = "coding-agents"


def write(site: Path, builder: Builder) -> None:
    """Put both files at the site's root, and each page as Markdown beside its HTML."""
    env = builder.env
    sections = [section for section in _sections(env) if section[0] != "Project"]
    words = {page: _words(builder, page) for _, pages in sections for page in pages}
    for page, text in words.items():
        (site / f"{page}.md").write_text(text, "utf-8")
    parts = [SUMMARY]
    for caption, pages in sections:
        parts += [f"## {caption}\n", "".join(_line(env, page) for page in pages)]
    (site / "llms.txt").write_text("\n".join(parts), "utf-8")
    first = words.pop(FIRST)
    (site / "llms-full.txt").write_text("\n".join([first, *words.values()]), "utf-8")


def summaries() -> dict[str, str]:
    """What README.md says of pages, by their names: what is in them, for whom looks for one."""
    return dict(_SUMMARY.findall((DOCS.parent / "README.md").read_text("utf-8")))


_SUMMARY = re.compile(r"^- \[[^]]+\]\(docs/([\w-]+)\.md\): (.+)$", re.MULTILINE)


def _line(env: BuildEnvironment, page: str) -> str:
    """A page's title, and what README.md says of it; its first sentence where that has no line for it."""
    title = f"- [{env.titles[page].astext()}]({page}.md)"
    said = summaries().get(page) or _first_sentence(env, page)
    return f"{title}{': ' if said else ''}{said}\n"


def _first_sentence(env: BuildEnvironment, page: str) -> str:
    section = next(iter(env.get_doctree(page).findall(nodes.section)))
    words = [child.astext() for child in section.children if isinstance(child, nodes.paragraph)]
    return re.split(r"(?<=\.)\s", " ".join(words).replace("\n", " "), maxsplit=1)[0].rstrip(":")


def _sections(env: BuildEnvironment) -> Iterator[tuple[str, list[str]]]:
    """The navigation's captions and pages, as the front page has them."""
    for tree in env.get_doctree("index").findall(addnodes.toctree):
        yield tree["caption"], [page for _, page in tree["entries"]]


def _words(builder: Builder, page: str) -> str:
    """Give a page's words: Markdown as it was written, or, of what is generated, the plain text."""
    if page.startswith("reference/"):
        return _plain(builder.env.get_and_resolve_doctree(page, builder))
    path = DOCS / f"{page}.md"
    return filled(lead_inward(path.read_text("utf-8"), path))


def _plain(page: nodes.document) -> str:
    """A page's text, signatures and their words on lines of their own."""
    lines = []
    for node in page.findall(lambda node: isinstance(node, _LINES)):
        if isinstance(node, (addnodes.desc_signature, nodes.title)):
            lines.append(f"\n## {node.astext()}")
        elif not any(isinstance(above, _LINES) for above in _above(node)):
            lines.append(node.astext())
    return "\n".join(lines).lstrip() + "\n"


_LINES = (addnodes.desc_signature, nodes.paragraph, nodes.title, nodes.literal_block)


def _above(node: nodes.Node) -> Iterator[nodes.Node]:
    while node.parent is not None:
        node = node.parent
        yield node
