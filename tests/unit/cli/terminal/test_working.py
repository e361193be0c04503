from __future__ import annotations

from io import StringIO
from types import SimpleNamespace

import pytest
from rich.console import Console
from rich.progress import Progress

from tests.unit.cli.made_up import quiet
from webtools.cli.terminal import working
from webtools.cli.terminal.problems import CommandProblem
from webtools.cli.terminal.working import Bars, in_parts, reporting


def terminal() -> Console:
    return Console(file=StringIO(), force_terminal=True, width=100, _environ={"TERM": "xterm"})


def shown(console: Console) -> str:
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_elsewhere_than_on_a_terminal_it_is_plain_lines(capsys: pytest.CaptureFixture[str]) -> None:
    console = Console(file=StringIO())
    with reporting(console) as report:
        report("Fetching …")
        in_parts(report, "Compressing …", 3)()
    assert shown(console) == ""
    assert capsys.readouterr().err == "Fetching …\nCompressing …\n"


def test_plain_lines_say_now_and_then_how_far_long_work_is(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 5.0, 21.0, 21.0, 30.0, 42.0, 42.0])
    monkeypatch.setattr(working, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    said: list[str] = []
    done = in_parts(said.append, "Compressing (minutes, once) …", 9)
    for _ in range(4):
        done()
    assert said == ["Compressing (minutes, once) …", "Compressing: 2 of 9 …", "Compressing: 4 of 9 …"]


def test_a_terminal_that_can_do_nothing_gets_plain_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with reporting(Console(file=StringIO(), force_terminal=True, _environ={"TERM": "dumb"})) as report:
        report("Fetching …")
    assert capsys.readouterr().err == "Fetching …\n"


def test_a_terminal_shows_each_piece_of_work_and_a_warning_above_it() -> None:
    console = terminal()
    with reporting(console) as report:
        report("Fetching [once] …")
        report("warning: /shop.py has no manifest")
        report("Compiling …")
    for text in ("Fetching [once] ", "Compiling ", "warning: /shop.py has no manifest\n"):
        assert text in shown(console)


def test_a_terminal_has_nothing_of_it_where_there_was_nothing_to_do() -> None:
    console = terminal()
    with reporting(console):
        pass
    assert shown(console) == ""


def test_work_that_is_begun_ends_the_work_before_it() -> None:
    progress = Progress(console=terminal())
    bars = Bars(progress)
    bars("Fetching …")
    done = bars.begin("Compressing …", 4)
    done()
    fetching, compressing = progress.tasks
    assert fetching.finished
    assert (compressing.completed, compressing.total) == (1, 4)
    bars.end()
    assert compressing.finished


def test_a_problem_leaves_the_terminal_as_it_was() -> None:
    console = terminal()

    def failing() -> None:
        with reporting(console) as report:
            report("Fetching …")
            raise CommandProblem("no network")

    with pytest.raises(CommandProblem):
        failing()
    assert shown(console).endswith("\x1b[?25h")  # the cursor is there again


def test_who_hears_nothing_hears_nothing_of_parts() -> None:
    in_parts(quiet, "Compressing …", 2)()
