"""Tools that are bound to the page's path, by ``@tool(match=...)``.

Source: ../shared/spec/lifecycle.md, "Path-bound tools (`match`)".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from webtools.lifecycle.hold import Hold
from webtools.lifecycle.registry import ToolRegistry
from webtools.tools.promised_tool import PromisedTool
from webtools.tools.tool import Tool

Bound = Tool | PromisedTool
"""What can be bound to a path."""

Place = tuple[str, str]
"""What ``location.pathname`` and ``location.hash`` say, percent-encoded as they are."""


def path_holder(match: Iterable[str]) -> str:
    """What the inspector calls a path that holds; `static/observed.js` says it in the same words."""
    return f"path {' '.join(match)}"


class Binding:
    """A tool's tie to the path, from `Routes.bind` until its release; it holds while the path fits."""

    def __init__(
        self,
        tool: Bound,
        registry: ToolRegistry,
        forget: Callable[[Binding], object],
        hold: Hold | None = None,
    ) -> None:
        self.tool = tool
        self._registry = registry
        self._forget = forget
        self._hold = hold

    def look(self, place: Place, *, may_hold: bool) -> None:
        """Hold or release, where the page has come to a path that says otherwise than before."""
        if not fits(self.tool.match, place):
            self._let_go()
        elif self._hold is None and may_hold:
            self._hold = self._registry.hold(self.tool, holder=path_holder(self.tool.match))

    def renew(self, tool: Bound) -> None:
        """Let the tie be another tool's of the same name; see `ToolRegistry.renew`."""
        self.tool = tool
        if self._hold:
            self._registry.renew(self._hold, tool)

    def release(self) -> None:
        """Give the tie up, and what it holds; harmless twice."""
        self._forget(self)
        self._let_go()

    def _let_go(self) -> None:
        hold, self._hold = self._hold, None
        if hold:
            hold.release()


class Routes:
    """Lives as long as the page; nothing bound is held before the page has said where it is.

    While a change of route is open nothing more is held: the new route's state may not be there yet.
    """

    def __init__(self, registry: ToolRegistry) -> None:
        self._registry = registry
        registry.changes.on_end = self._look
        self._place: Place | None = None
        self._bindings: dict[Binding, None] = {}

    def hold(self, tool: Tool, *, holder: str) -> Hold | Binding:
        """Hold the tool from now on: always, or, where it has a `match`, whenever the path fits it.

        Args:
            tool: What is held.
            holder: See `ToolRegistry.hold`; what is bound has its path.
        """
        return self.bind(tool) if tool.match else self._registry.hold(tool, holder=holder)

    def bind(self, tool: Bound, hold: Hold | None = None) -> Binding:
        """Hold the tool from now on whenever the path fits its `match`.

        Args:
            tool: What is bound.
            hold: The one that it has already.
        """
        binding = Binding(tool, self._registry, lambda released: self._bindings.pop(released, None), hold)
        self._bindings[binding] = None
        self._look_at(binding)
        return binding

    def renew(self, binding: Binding, tool: Bound) -> None:
        """Let a tie be another tool's of the same name, on that one's paths."""
        binding.renew(tool)
        self._look_at(binding)

    def moved(self, place: Place) -> None:
        """The page is there now."""
        self._place = place
        self._look()

    def _look(self) -> None:
        for binding in tuple(self._bindings):
            self._look_at(binding)

    def _look_at(self, binding: Binding) -> None:
        if self._place:
            binding.look(self._place, may_hold=not self._registry.changes.is_open)


def fits(patterns: Iterable[str], place: Place) -> bool:
    """Whether one of the patterns is all of the path, or, where it starts with "#", all of the hash.

    A page without a hash has an empty one, which "#" and "#*" fit.
    """
    pathname, fragment = place
    return any(
        _is_like(pattern[1:], fragment.removeprefix("#"))
        if pattern.startswith("#")
        else _is_like(pattern, pathname)
        for pattern in patterns
    )


def _is_like(pattern: str, text: str) -> bool:
    """Compare with a pattern in one pass: a regular expression would try a path of a stranger's for long."""
    first, *rest = pattern.split("*")
    if not rest:
        return text == first
    *middle, last = rest
    start, end = len(first), len(text) - len(last)
    if start > end or not text.startswith(first) or not text.endswith(last):
        return False
    for part in middle:
        found = text.find(part, start, end)
        if found < 0:
            return False
        start = found + len(part)
    return True
