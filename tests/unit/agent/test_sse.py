from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from webtools.agent.sse import EventStream

DATA = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=12)


@st.composite
def cuts(draw: st.DrawFn, text: str) -> list[str]:
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=12)))
    return [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]


def read(pieces: list[str]) -> list[str]:
    stream = EventStream()
    return [each for piece in pieces for each in stream.feed(piece)] + stream.end()


@given(
    st.lists(st.lists(DATA, min_size=1, max_size=3), max_size=5),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.data(),
)
@example([["a", "b"]], "\r\n", None)
def test_events_are_the_same_however_the_stream_is_cut(
    events: list[list[str]], line_end: str, data: st.DataObject | None
) -> None:
    lines: list[str] = []
    for each in events:
        lines += [": a comment", "event: message", *(f"data: {line}" for line in each), "id: 1", ""]
    text = "".join(line + line_end for line in lines)
    pieces = data.draw(cuts(text)) if data else list(text)
    assert read(pieces) == ["\n".join(each) for each in events]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("\ufeffdata: a\n\n", ["a"]),
        ("data:a\n\ndata:  b\n\n", ["a", " b"]),
        ("data\n\n", [""]),
        ("\n\n: nothing\n\n", []),
        ("dat: a\nretry: 5\n\n", []),
        ("data: a", ["a"]),
        ("data: a\n", ["a"]),
        ("data: a\r", ["a"]),
    ],
)
def test_what_counts_as_an_event(text: str, found: list[str]) -> None:
    assert read([text]) == found
    assert read(list(text)) == found


def test_an_event_is_given_as_soon_as_its_empty_line_is_there() -> None:
    stream = EventStream()
    assert stream.feed("data: a\n") == []
    assert stream.feed("\nda") == ["a"]
    assert stream.feed("ta: b\r\n\r\n") == ["b"]
    assert stream.end() == []
