from __future__ import annotations

import json

import pytest

from webtools.stores.idempotency import MAX_AGE_MS, MAX_RECORDS, MemoryIdempotencyStore, Records
from webtools.testing import FakeClock

DAY = MAX_AGE_MS / 1000


class RefusedStore:
    """As where the browser lets nobody store anything."""

    def read(self) -> str | None:
        return None

    def write(self, text: str) -> bool:
        return False


class SmallStore(MemoryIdempotencyStore):
    """As one that is full."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room

    def write(self, text: str) -> bool:
        return len(text) <= self.room and super().write(text)


def found(records: Records, *names: str) -> list[str | None]:
    records_of = [records.find(name) for name in names]
    return [record.answer if record else None for record in records_of]


def test_what_is_kept_is_found_with_its_fingerprint_and_time() -> None:
    clock = FakeClock()
    records = Records(clock, MemoryIdempotencyStore())
    clock.advance(5)
    records.keep("a", "mark", "{}")
    record = records.find("a")
    assert record
    assert (record.fingerprint, record.answer, record.settled_at) == ("mark", "{}", clock.epoch_ms())
    assert records.find("b") is None


def test_what_is_kept_is_found_by_whoever_comes_after() -> None:
    clock, store = FakeClock(), MemoryIdempotencyStore()
    Records(clock, store).keep("a", "mark", '{"text": "größe \ud83d"}')
    assert found(Records(clock, store), "a") == ['{"text": "größe \ud83d"}']


def test_two_frames_of_a_tab_lose_nothing_of_each_other() -> None:
    clock, store = FakeClock(), MemoryIdempotencyStore()
    one, other = Records(clock, store), Records(clock, store)
    assert found(one, "b") == found(other, "a") == [None]
    one.keep("a", "", "1")
    other.keep("b", "", "2")
    one.keep("c", "", "3")
    assert found(one, "a", "b", "c") == found(other, "a", "b", "c") == ["1", "2", "3"]


def test_a_record_is_forgotten_after_a_day() -> None:
    clock = FakeClock()
    records = Records(clock, MemoryIdempotencyStore())
    records.keep("a", "", "1")
    clock.advance(DAY - 0.001)
    assert found(records, "a") == ["1"]
    clock.advance(0.001)
    assert found(records, "a") == [None]


def test_the_oldest_record_goes_where_there_are_too_many() -> None:
    clock, store = FakeClock(), MemoryIdempotencyStore()
    records = Records(clock, store)
    for number in range(MAX_RECORDS):
        records.keep(f"r{number}", "", str(number))
        clock.advance(1)
    assert found(records, "r0", f"r{MAX_RECORDS - 1}") == ["0", str(MAX_RECORDS - 1)]
    records.keep("one more", "", "x")
    assert found(records, "r0", "r1", "one more") == [None, "1", "x"]
    assert len(json.loads(store.text or "")) == MAX_RECORDS


def test_among_records_of_one_moment_the_first_goes() -> None:
    records = Records(FakeClock(), MemoryIdempotencyStore())
    for number in range(MAX_RECORDS + 1):
        records.keep(f"r{number}", "", "")
    assert found(records, "r0", "r1", f"r{MAX_RECORDS}") == [None, "", ""]


def test_where_storage_is_refused_memory_keeps_them_and_one_warning_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    records = Records(FakeClock(), RefusedStore())
    for name in "abc":
        records.keep(name, "", name)
    assert found(records, "a", "b", "c") == ["a", "b", "c"]
    assert ["full or refused" in each.getMessage() for each in caplog.records] == [True]


def test_what_does_not_fit_is_in_memory_and_is_stored_when_there_is_room(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock, store = FakeClock(), SmallStore(200)
    records = Records(clock, store)
    records.keep("a", "", "small")
    records.keep("b", "", "x" * 200)
    records.keep("c", "", "small, too")
    assert found(records, "a", "b", "c") == ["small", "x" * 200, "small, too"]
    assert found(Records(clock, store), "a", "b", "c") == ["small", None, None]
    store.room = 1000
    records.keep("d", "", "small as well")
    assert found(Records(clock, store), "a", "b", "c") == ["small", "x" * 200, "small, too"]
    assert len(caplog.records) == 1


def test_an_app_that_clears_the_tabs_storage_makes_no_call_work_twice() -> None:
    store = MemoryIdempotencyStore()
    records = Records(FakeClock(), store)
    records.keep("a", "", "1")
    store.text = None
    assert found(records, "a") == ["1"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "null",
        "7",
        "{}x",
        '{"a": 1}',
        "[1]",
        '[["a", 1, ""]]',
        '[["a", "x", "", ""]]',
        '[["a", Infinity, "", ""]]',
        "[" * 100_000,
    ],
    ids=lambda text: text[:20],
)
def test_a_damaged_text_is_not_used_and_one_warning_says_so(
    text: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = MemoryIdempotencyStore()
    store.text = text
    records = Records(FakeClock(), store)
    assert found(records, "a", "a") == [None, None]
    assert ["damaged" in each.getMessage() for each in caplog.records] == [True]
    records.keep("a", "", "1")
    assert found(records, "a") == ["1"]
