"""What a page says of its apps, read from its HTML, which is otherwise left byte for byte as it is."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser
from urllib.parse import quote

__all__ = ["AppTag", "PageTags", "read_page", "with_manifests"]

_TAG = "<script"
_TEXTS = frozenset({"iframe", "noembed", "noframes", "textarea", "title", "xmp"})
"""What is written in them is no markup."""
_IN_A_URL = "/:?#[]@!$&'()*+,;=%~"


@dataclass(frozen=True)
class AppTag:
    """A script tag that names an app.

    Attributes:
        app: The URL, as it stands there.
        entry: The module of an archive that has the tools, where one is named.
        line: Where the tag begins, counted from 1.
        offset: Where an attribute can be put, in bytes.
        has_manifest: Whether it names one.
    """

    app: str
    entry: str | None
    line: int
    offset: int
    has_manifest: bool = False


@dataclass(frozen=True)
class PageTags:
    """What a page says.

    Attributes:
        base: What URLs are relative to, against the page's own; most often "".
        apps: In their order.
    """

    base: str
    apps: tuple[AppTag, ...]


def read_page(html: bytes) -> PageTags:
    """Read a page of any encoding in which ASCII is ASCII; in another one nothing is found."""
    reader = _Reader(html.decode("latin-1"))
    return PageTags(reader.base or "", tuple(reader.apps))


def with_manifests(html: bytes, manifests: Iterable[tuple[AppTag, str]]) -> bytes:
    """Add `data-manifest` to tags, each with its URL, which is fetched beside webtools.js, not after it."""
    for tag, url in sorted(manifests, key=lambda each: -each[0].offset):
        manifest = escape(quote(url, safe=_IN_A_URL))
        preload = f'<link rel="preload" as="fetch" crossorigin href="{manifest}">'
        start = tag.offset - len(_TAG)
        before, name, after = html[:start], html[start : tag.offset], html[tag.offset :]
        added = f' data-manifest="{manifest}"'
        html = b"".join([before, preload.encode("ascii"), name, added.encode("ascii"), after])
    return html


class _Reader(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.base: str | None = None
        self.apps: list[AppTag] = []
        self._line_starts = [0]
        for line in text.split("\n"):
            self._line_starts.append(self._line_starts[-1] + len(line) + 1)
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _TEXTS:
            self.set_cdata_mode(tag)
        said = {name: _as_utf8(value or "") for name, value in reversed(attrs)}  # the first one counts
        if tag == "base" and "href" in said and self.base is None:
            self.base = said["href"]
        if tag == "script" and "data-app" in said:
            line, column = self.getpos()
            offset = self._line_starts[line - 1] + column + len(_TAG)
            has_manifest = "data-manifest" in said
            self.apps.append(AppTag(said["data-app"], said.get("data-entry"), line, offset, has_manifest))


def _as_utf8(latin: str) -> str:
    """Read a value as UTF-8, where it is; character references may have given more than Latin-1 has."""
    try:
        return latin.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return latin
