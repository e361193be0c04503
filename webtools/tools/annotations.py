"""What a tool says of its effects, as WebMCP names it."""

from __future__ import annotations

from webtools.tools import rules


def annotations_of(
    name: str, *, read_only: bool, untrusted_content: bool, consequential: bool, debugging: bool
) -> dict[str, bool]:
    """The hints that hold.

    Raises:
        ToolDefinitionError: A flag is not True or False, or two contradict each other.
    """
    flags: dict[str, object] = {
        "read_only": read_only,
        "untrusted_content": untrusted_content,
        "consequential": consequential,
        "debugging": debugging,
    }
    rules.check_flags(name, flags)
    wire = {
        "readOnlyHint": read_only,
        "untrustedContentHint": untrusted_content,
        "consequentialHint": consequential,
        "debugging": debugging,
    }
    return {hint: True for hint, stated in wire.items() if stated}
