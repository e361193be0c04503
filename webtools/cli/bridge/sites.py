"""All pages of a bridge, and what their tools are called."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from webtools.agent.conversation import Answer
from webtools.cli.bridge import answers
from webtools.cli.bridge.logs import log
from webtools.cli.bridge.names import exposed
from webtools.cli.bridge.site import Report, Site
from webtools.cli.terminal.plain import plain
from webtools.tools.definition import Definition

__all__ = ["Sites"]

SETTLE_S = 20.0
"""How long a list, or the answer of a call that has led elsewhere, waits for pages that are coming up."""


@dataclass(frozen=True)
class _Offered:
    site: Site
    name: str
    definition: Definition


class Sites:
    """The pages by their prefixes."""

    def __init__(self, sites: Mapping[str, Site]) -> None:
        self._sites = sites
        self._told: set[str] = set()

    async def run(self) -> None:
        """Keep all pages open until this is cancelled."""
        async with asyncio.TaskGroup() as group:
            for site in self._sites.values():
                group.create_task(site.run())

    async def tools(self) -> Sequence[Definition]:
        """The tools of all pages under the names that the client has for them, once the pages are up."""
        await asyncio.gather(*(site.settled(SETTLE_S) for site in self._sites.values()))
        return [replace(each.definition, name=name) for name, each in self._offered().items()]

    async def call(self, name: str, arguments: dict[str, Any], report: Report) -> Answer:
        """Call a tool by the name that the client has for it; it never raises, unless it is given up."""
        outcome = "given up by the client"
        try:
            answer = await self._called(name, arguments, report)
            outcome = "an error" if answer.get("isError") else "done"
            return answer
        finally:
            log.info("%s: %s", plain(name), outcome)

    async def _called(self, name: str, arguments: dict[str, Any], report: Report) -> Answer:
        site = self._site_of(name)
        if site and name not in self._offered():
            await site.settled(SETTLE_S)
        offered = self._offered()
        if found := offered.get(name):
            return await found.site.call(found.name, arguments, report, SETTLE_S)
        return (site and site.refusal()) or answers.missing(name, offered)

    def _site_of(self, name: str) -> Site | None:
        """The page that would have a tool of that name, by its prefix."""
        fitting = [prefix for prefix in self._sites if name.startswith(prefix)]
        return self._sites[max(fitting, key=len)] if fitting else None

    def _offered(self) -> dict[str, _Offered]:
        offered: dict[str, _Offered] = {}
        for prefix, site in self._sites.items():
            for tool in site.tools:
                name = exposed(prefix, tool.name)
                if name in offered:
                    self._tell_clash(name)
                else:
                    offered[name] = _Offered(site, tool.name, tool)
        return offered

    def _tell_clash(self, name: str) -> None:
        if name not in self._told:
            self._told.add(name)
            log.warning("Two tools would be called %s; the second is left out", name)
