from __future__ import annotations

from webtools.testing import FakeClock


def test_a_clock_stands_still_until_it_is_moved() -> None:
    clock = FakeClock()
    assert clock.now() == 0.0
    clock.advance(1.5)
    assert clock.now() == 1.5


def test_timers_run_in_the_order_of_their_times_each_at_its_own() -> None:
    clock = FakeClock()
    ran: list[tuple[str, float]] = []
    for name, delay in (("b", 2.0), ("a", 1.0), ("b again", 2.0), ("later", 9.0)):
        clock.call_later(delay, lambda name=name: ran.append((name, clock.now())))  # type: ignore[misc]  # bound early
    clock.advance(5)
    assert ran == [("a", 1.0), ("b", 2.0), ("b again", 2.0)]
    assert clock.now() == 5.0
    assert clock.pending == 1


def test_a_timer_set_by_a_timer_runs_in_the_same_stretch_when_it_falls_due() -> None:
    clock = FakeClock()
    ran: list[float] = []

    def again() -> None:
        ran.append(clock.now())
        clock.call_later(1, again)

    clock.call_later(1, again)
    clock.advance(3.5)
    assert ran == [1.0, 2.0, 3.0]


def test_a_cancelled_timer_never_runs_and_cancelling_is_harmless_afterwards() -> None:
    clock = FakeClock()
    ran: list[str] = []
    kept = clock.call_later(1, lambda: ran.append("kept"))
    cancelled = clock.call_later(1, lambda: ran.append("cancelled"))
    cancelled.cancel()
    assert clock.pending == 1
    clock.advance(1)
    kept.cancel()
    cancelled.cancel()
    assert ran == ["kept"]
    assert clock.pending == 0


def test_time_never_goes_back_also_when_a_timer_lets_time_pass() -> None:
    clock = FakeClock()
    clock.call_later(1, lambda: clock.advance(10))
    clock.advance(2)
    assert clock.now() == 11.0


def test_no_time_passes_and_what_is_due_runs() -> None:
    clock = FakeClock()
    ran: list[float] = []
    clock.call_later(0, lambda: ran.append(clock.now()))
    assert ran == []
    clock.advance(0)
    assert ran == [0.0]
