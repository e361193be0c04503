"""What an agent can do with the app's notes."""

from typing import Annotated

from pydantic import Field

from webtools import ToolError, page, tool

notes = page("notes")  # what app.js exposes


@tool(read_only=True)
async def list_notes() -> list[str]:
    """List the titles of all notes."""
    titles: list[str] = await notes.titles()
    return titles


@tool
async def open_note(
    title: Annotated[str, Field(description="As list_notes gives it", max_length=200)],
) -> None:
    """Open a note in the app; from then on read_note reads it."""
    await notes.open(title)


@tool(held=True, read_only=True)
async def read_note() -> str:
    """Read the note that is open."""
    text: str | None = await notes.text()
    if text is None:
        raise ToolError("The note has been closed meanwhile.", code="NOTE_CLOSED")
    return text


@tool(held=True)
async def close_note() -> None:
    """Close the note that is open."""
    await notes.open(None)
