"""What pages and their tools are called at the MCP client."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from webtools.agent.formats.names import narrow
from webtools.cli.bridge.logs import origin_of, shown
from webtools.cli.terminal.problems import CommandProblem

__all__ = ["Named", "exposed", "named"]

_NAME = re.compile(r"([A-Za-z0-9-]{1,24})=(.+)", re.DOTALL)
_NAME_OF_ANOTHER_KIND = re.compile(r"[^=/?#]*=\s*https?:", re.IGNORECASE)
_HOSTS_LENGTH = 32
"""Of what a page is called by its host, so that something is left of its tools' names."""
_OTHER = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True)
class Named:
    """A page.

    Attributes:
        prefix: What its tools' names begin with, "" where it is the only page.
    """

    prefix: str
    url: str

    @property
    def label(self) -> str:
        """What people read of it; two pages of one origin may differ in their names only."""
        return f"{self.prefix[:-1]}={shown(self.url)}" if self.prefix else shown(self.url)


def named(pages: Sequence[str]) -> list[Named]:
    """Read what the command line has of pages, `URL` or `name=URL`, and give each its prefix.

    One page alone has none. Of several it is the name, or what the host is called; the port is added where
    hosts are the same.

    Raises:
        CommandProblem: One is no URL, or two have the same name.
    """
    read = [_read(page) for page in pages]
    if len(read) == 1:
        return [Named("", read[0][1])]
    hosts = Counter(_host(url) for name, url in read if not name)
    names = [name or _called(url, is_alone=hosts[_host(url)] == 1) for name, url in read]
    twice = [name for name, times in Counter(name.lower() for name in names).items() if times > 1]
    if twice:
        raise CommandProblem(
            f"Two pages would be called {twice[0]}; name them, as in: webtools bridge shop=URL admin=URL"
        )
    return [Named(f"{name}_", url) for name, (_, url) in zip(names, read, strict=True)]


def exposed(prefix: str, name: str) -> str:
    """The name of a tool: letters, digits, `_` and `-`, at most 64, which is what clients' models take."""
    return narrow(f"{prefix}{name}")


def _read(page: str) -> tuple[str, str]:
    found = _NAME.fullmatch(page)
    name, url = (found[1], found[2]) if found else ("", page)
    try:
        if urlsplit(url).scheme not in ("http", "https"):
            raise ValueError
        origin_of(url)
    except ValueError:
        if _NAME_OF_ANOTHER_KIND.match(page):
            raise CommandProblem(
                "A page's name has something else than letters, digits and -, or more than 24 of them; "
                "give another one, as in: webtools bridge shop=URL"
            ) from None
        raise CommandProblem(
            "A page is no http or https URL; give one, as in: webtools bridge http://127.0.0.1:8000/"
        ) from None
    return name, url


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def _called(url: str, *, is_alone: bool) -> str:
    host = _OTHER.sub("_", _host(url))[:_HOSTS_LENGTH].strip("_")
    port = urlsplit(url).port
    return host if is_alone or port is None else f"{host}_{port}"
