"""Looking at the built site for what leads nowhere, or to another host; it needs no network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

__all__ = ["faults"]

_DASHED = re.compile(r"(?<=[\s>(])–[a-z][\w-]*")
"""An option whose `--` has become a dash: nobody can copy it."""

_FETCHED = {"script", "img", "iframe", "source", "audio", "video", "embed", "track", "input"}
_FETCHING_LINKS = {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch"}


@dataclass
class Page:
    """What of a page leads elsewhere, and what cannot be copied.

    Attributes:
        links: Where a person may go.
        fetched: What the browser asks for by itself.
        dashed: Options of commands that begin with a dash instead of two hyphens.
    """

    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    dashed: list[str] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            self.page.ids.add(given["id"])
        if tag == "a" and "href" in given:
            self.page.links.append(given["href"])
        if tag == "link" and _FETCHING_LINKS & set(given.get("rel", "").split()):
            self.page.fetched.append(given["href"])
        if tag in _FETCHED and given.get("src"):
            self.page.fetched.append(given["src"])


def faults(site: Path) -> Iterator[str]:
    """Give a sentence for each link that leads nowhere, request to another host, and broken option."""
    pages = {path: _read(path) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        yield from (f"{path.relative_to(site).as_posix()}: {fault}" for fault in _of_page(path, page, pages))
    for path in sorted(site.glob("llms.txt")):
        for url, said in re.findall(r"^- \[.+?\]\((.+?)\)(.*)", path.read_text("utf-8"), re.MULTILINE):
            if not _target(path, url).is_file():
                yield f"llms.txt: {url} leads nowhere"
            if not said:
                yield f"llms.txt: nothing is said of {url}; begin it with a sentence"
    for path in sorted(site.rglob("*.css")):
        text = path.read_text("utf-8")
        if "url(http" in text or "url(//" in text or "@import" in text:
            yield f"{path.relative_to(site).as_posix()}: the style fetches something of another host"


def _of_page(path: Path, page: Page, pages: dict[Path, Page]) -> Iterator[str]:
    for url in page.fetched:
        if urlsplit(url).netloc or not _target(path, url).exists():
            yield f"the page fetches {url}, which is not in the site"
    for option in page.dashed:
        yield f"{option} has a dash where two hyphens belong"
    for url in page.links:
        yield from _problems(url, path, pages)


def _read(path: Path) -> Page:
    reader = _Reader()
    reader.feed(path.read_text("utf-8"))
    reader.page.dashed = _DASHED.findall(path.read_text("utf-8"))
    return reader.page


def _problems(url: str, path: Path, pages: dict[Path, Page]) -> Iterator[str]:
    parts = urlsplit(url)
    if parts.scheme == "mailto":
        return
    if parts.scheme or parts.netloc:
        if parts.scheme != "https" or "." not in parts.netloc:
            yield f"{url} is not a link to a page of the web; write https://…"
        return
    target = _target(path, url)
    if not target.is_file():
        yield f"{url} leads nowhere"
    elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
        yield f"{url} leads to no place in the page"


def _target(path: Path, url: str) -> Path:
    inside = unquote(urlsplit(url).path)
    return (path.parent / inside).resolve() if inside else path
