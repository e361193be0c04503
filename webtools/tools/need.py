"""What a tool needs besides its arguments: a credential that the page provides."""

from __future__ import annotations

from collections.abc import Iterable

from webtools._exceptions import ToolDefinitionError


class Need:
    """A credential for a service: ``@tool(needs=Need("payments", scopes=["charge"]))``.

    The agent does not see it. Two are equal where they ask for the same.

    Args:
        service: What the page's provider knows it by.
        scopes: What it has to allow, in the service's own words; their order does not matter.

    Raises:
        ToolDefinitionError: A name is blank, or no text.
    """

    __slots__ = ("scopes", "service")

    def __init__(self, service: str, *, scopes: Iterable[str] = ()) -> None:
        if not _is_name(service):
            raise ToolDefinitionError(f'Need({service!r}): name the service, as in Need("payments").')
        listed = None if isinstance(scopes, str) or not isinstance(scopes, Iterable) else list(scopes)
        if listed is None or not all(map(_is_name, listed)):
            raise ToolDefinitionError(
                f'Need({service!r}): scopes={scopes!r} must be a list of texts, such as ["charge"].'
            )
        self.service = service
        self.scopes = tuple(sorted(set(listed)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Need) and (self.service, self.scopes) == (other.service, other.scopes)

    def __hash__(self) -> int:
        return hash((self.service, self.scopes))

    def __repr__(self) -> str:
        scopes = f", scopes={list(self.scopes)!r}" if self.scopes else ""
        return f"Need({self.service!r}{scopes})"


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
