"""The tools on plain Python, without a browser."""

import asyncio

from notes import list_notes, read_note

from webtools.testing import fake_page, tool_call


class FakeNotes:
    """Stands for what app.js exposes."""

    def __init__(self, text: str | None) -> None:
        self._text = text

    def titles(self) -> list[str]:
        return ["Travel"]

    def text(self) -> str | None:
        return self._text


def test_titles_are_listed() -> None:
    with fake_page(notes=FakeNotes(None)):
        answer = asyncio.run(tool_call(list_notes))
    assert answer["structuredContent"] == {"result": ["Travel"]}


def test_a_note_that_has_been_closed_is_an_error() -> None:
    with fake_page(notes=FakeNotes(None)):
        answer = asyncio.run(tool_call(read_note))
    assert answer["structuredContent"]["error"]["code"] == "NOTE_CLOSED"
