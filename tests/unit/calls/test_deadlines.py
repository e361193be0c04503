from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from webtools.calls.deadlines import Deadlines
from webtools.testing import FakeClock


class Watch:
    """Deadlines, and when each call was found to be overdue."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.overdue: dict[str, float] = {}
        self.deadlines = Deadlines(self.clock, self.note)

    def note(self, call_id: str) -> None:
        assert call_id not in self.overdue
        self.overdue[call_id] = self.clock.now()


def test_each_call_is_overdue_at_its_own_time() -> None:
    watch = Watch()
    for call_id, at in (("b", 2.0), ("a", 1.0), ("c", 3.0)):
        watch.deadlines.watch(call_id, at)
    watch.clock.advance(10)
    assert watch.overdue == {"a": 1.0, "b": 2.0, "c": 3.0}
    assert watch.clock.pending == 0


def test_any_number_of_calls_share_one_timer() -> None:
    watch = Watch()
    for number in range(50):
        watch.deadlines.watch(str(number), 50.0 - number)
    assert watch.clock.pending == 1


def test_a_call_that_settled_is_never_overdue_and_the_last_one_stops_the_timer() -> None:
    watch = Watch()
    watch.deadlines.watch("a", 1.0)
    watch.deadlines.watch("b", 2.0)
    watch.deadlines.forget("a")
    assert watch.clock.pending == 1
    watch.deadlines.forget("b")
    watch.deadlines.forget("b")
    assert watch.clock.pending == 0
    watch.clock.advance(10)
    assert watch.overdue == {}


def test_a_deadline_that_has_passed_already_is_found_at_the_next_chance() -> None:
    watch = Watch()
    watch.clock.advance(5)
    watch.deadlines.watch("a", 1.0)
    watch.clock.advance(0)
    assert watch.overdue == {"a": 5.0}


def test_calls_of_one_moment_are_found_together_though_the_first_settles_the_second() -> None:
    watch = Watch()
    ended: list[str] = []

    def end(call_id: str) -> None:
        ended.append(call_id)
        deadlines.forget("b")

    deadlines = Deadlines(watch.clock, end)
    for call_id in ("a", "b", "c"):
        deadlines.watch(call_id, 1.0)
    watch.clock.advance(1)
    assert ended == ["a", "c"]
    assert watch.clock.pending == 0


def test_a_call_that_begins_as_another_ends_does_not_hide_an_earlier_deadline() -> None:
    clock = FakeClock()
    ended: dict[str, float] = {}

    def end(call_id: str) -> None:
        ended[call_id] = clock.now()
        if call_id == "a":
            deadlines.watch("long", 60.0)

    deadlines = Deadlines(clock, end)
    deadlines.watch("a", 1.0)
    deadlines.watch("b", 5.0)
    clock.advance(100)
    assert ended == {"a": 1.0, "b": 5.0, "long": 60.0}


def test_a_timer_that_comes_too_early_is_set_again() -> None:
    watch = Watch()
    watch.deadlines.watch("a", 1.0)
    watch.deadlines.watch("b", 3.0)
    watch.deadlines.forget("a")
    watch.clock.advance(2)
    assert (watch.overdue, watch.clock.pending) == ({}, 1)
    watch.clock.advance(1)
    assert watch.overdue == {"b": 3.0}


steps = st.lists(
    st.one_of(
        st.tuples(st.just("watch"), st.integers(0, 9), st.integers(0, 20)),
        st.tuples(st.just("forget"), st.integers(0, 9), st.just(0)),
        st.tuples(st.just("advance"), st.just(0), st.integers(0, 9)),
    ),
    max_size=40,
)


@given(steps)
def test_a_call_is_overdue_when_and_only_when_its_time_comes_while_it_is_watched(
    script: list[tuple[str, int, int]],
) -> None:
    clock = FakeClock()
    expected: dict[str, float] = {}

    def end(call_id: str) -> None:
        assert clock.now() == expected.pop(call_id)

    deadlines = Deadlines(clock, end)
    for verb, call, time in script:
        if verb == "watch" and str(call) not in expected:
            expected[str(call)] = clock.now() + time
            deadlines.watch(str(call), expected[str(call)])
        elif verb == "forget":
            expected.pop(str(call), None)
            deadlines.forget(str(call))
        elif verb == "advance":
            clock.advance(time)
            assert all(at > clock.now() for at in expected.values())
        assert clock.pending == (1 if expected else 0)
