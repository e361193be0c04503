"""Reads a stream of server-sent events.

Source: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
"""

from __future__ import annotations

import re

LINE_END = re.compile(r"\r\n|\r|\n")


class EventStream:
    """Takes the text in whatever pieces it comes, and gives the data of each event that is complete.

    Names, ids and comments are passed over: a model's stream has none that matter.
    """

    def __init__(self) -> None:
        self._rest = ""
        self._data: list[str] = []
        self._is_first = True

    def feed(self, text: str) -> list[str]:
        """Take a piece of the stream."""
        if self._is_first and text:
            text, self._is_first = text.removeprefix("\ufeff"), False
        text = self._rest + text
        is_half = text.endswith("\r")  # the next piece may begin with its line feed
        *lines, self._rest = LINE_END.split(text[:-1] if is_half else text)
        self._rest += "\r" if is_half else ""
        return self._events(lines)

    def end(self) -> list[str]:
        """The stream is over. An event without its empty line counts: some servers leave the last one out."""
        lines = [*LINE_END.split(self._rest), ""]
        self._rest = ""
        return self._events(lines)

    def _events(self, lines: list[str]) -> list[str]:
        found = []
        for line in lines:
            field, _, value = line.partition(":")
            if field == "data":
                self._data.append(value.removeprefix(" "))
            elif not line and self._data:
                found.append("\n".join(self._data))
                self._data = []
        return found
