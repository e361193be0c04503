import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from tests.unit.cli.made_up import make_checkout, webtools
from webtools.cli import app as command
from webtools.cli.sources.checkout import Checkout
from webtools.cli.terminal.problems import CommandProblem


@pytest.fixture(autouse=True)
def no_runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = tmp_path / "build" / "runtime"
    runtime.mkdir(parents=True)
    (runtime / "packages-1.zip").write_bytes(b"PK" * 1000)
    (runtime / "runtime.json").write_text("{}")
    monkeypatch.setattr(command, "ensure_runtime", lambda **_: runtime)
    monkeypatch.setattr(command, "ensure_micropip", lambda *_: tmp_path)
    monkeypatch.setattr(command, "dependencies_of", lambda *_: [])
    monkeypatch.setattr(command, "SOURCE", Checkout(make_checkout(tmp_path)))


def test_serve_prints_its_url_once_it_listens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(app: ASGIApp, listener: socket.socket, **_: object) -> None:
        port = listener.getsockname()[1]
        assert f"http://127.0.0.1:{port}/" in capsys.readouterr().out
        socket.create_connection(("127.0.0.1", port)).close()

    monkeypatch.setattr(command, "run", run)
    assert webtools("serve", str(tmp_path), "--port", "0") == 0


def test_serve_serves_the_folder_and_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shop.py").write_text("pass")
    served: list[ASGIApp] = []
    monkeypatch.setattr(command, "run", lambda app, listener, **_: served.append(app))
    webtools("serve", str(tmp_path), "--port", "0")
    assert TestClient(served[0]).get("/shop.py").text == "pass"
    assert TestClient(served[0]).get("/webtools/polyfill.js").status_code == 200


@pytest.mark.parametrize(("host", "encoding"), [("127.0.0.1", None), ("0.0.0.0", "gzip")])
def test_what_leaves_the_machine_is_compressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, encoding: str | None
) -> None:
    served: list[ASGIApp] = []
    monkeypatch.setattr(command, "run", lambda app, listener, **_: served.append(app))
    webtools("serve", str(tmp_path), "--port", "0", "--host", host)
    client = TestClient(served[0], headers={"Accept-Encoding": "gzip"})
    for path in ("polyfill.js", "runtime/packages-1.zip", "runtime/runtime.json"):
        answer = client.get(f"/webtools/{path}")
        assert answer.headers.get("content-encoding") == encoding
    names = [path.name for path in (tmp_path / "build").iterdir()]
    assert ("compressed" in names) is bool(encoding)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["serve"], "DIR requires an argument"),
        (["serve", "nowhere"], '"nowhere" does not exist'),
        (["serve", __file__], "Only directory is allowed"),
        (["manifest", "."], "Only file is allowed"),
        (["serve", ".", "--port", "65536"], "Must be <= 65535"),
        (["serve", ".", "--port", "-1"], "Must be >= 0"),
        (["serve", ".", "--port", "eighty"], 'unable to convert "eighty" into int'),
        (["sreve", "."], 'Unknown command "sreve". Did you mean "serve"?'),
        (["check", ".", "--ignroe", "no-type"], "Did you mean --ignore?"),
        (["check", ".", "b.py"], "b.py is too much: give webtools check one at a time, or see "),
    ],
)
def test_a_wrong_command_line_is_told_without_a_traceback(
    capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert webtools(*arguments) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert told.startswith("error: ")
    assert sentence in told


def test_what_stops_a_command_is_told_whole_on_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(**_: object) -> Path:
        raise CommandProblem(f"{'A long reason. ' * 20}Run: npm ci [--all]")

    monkeypatch.setattr(command, "ensure_runtime", stop)
    assert webtools("serve", ".") == 1
    assert capsys.readouterr().err == f"error: {'A long reason. ' * 20}Run: npm ci [--all]\n"


def test_the_runtime_has_what_the_folders_apps_need(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def ensure(*, more: object, **_: object) -> Path:
        asked.append(more)
        return tmp_path

    (tmp_path / "shop.py").write_text("pass")
    monkeypatch.setattr(command, "dependencies_of", lambda folder, *_: [folder / "x.whl"])
    monkeypatch.setattr(command, "ensure_runtime", ensure)
    monkeypatch.setattr(command, "manifest_text", lambda *_, **__: "{}")
    monkeypatch.setattr(command, "run", lambda *_, **__: None)
    assert webtools("serve", str(tmp_path), "--port", "0") == 0
    assert webtools("manifest", str(tmp_path / "shop.py")) == 0
    assert asked == [[tmp_path / "x.whl"]] * 2


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[Exception], None]:
    """Have `webtools serve .` raise something from inside."""

    def fail(error: Exception) -> None:
        def ensure(*, more: object, **_: object) -> Path:
            raise error

        monkeypatch.setattr(command, "ensure_runtime", ensure)

    monkeypatch.delenv("WEBTOOLS_DEBUG", raising=False)
    return fail


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero"),
        (ValueError("two\nlines"), "ValueError: two"),
        (RuntimeError(), "RuntimeError"),
        (PermissionError(13, "Permission denied", "/shop/x.py"), "/shop/x.py: Permission denied"),
    ],
)
def test_what_nobody_thought_of_is_one_line_too_and_all_of_it_on_demand(
    failing: Callable[[Exception], None],
    error: Exception,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    failing(error)
    assert webtools("serve", ".") == 2
    assert (
        capsys.readouterr().err
        == f"error: {line}; WEBTOOLS_DEBUG=1 in the environment shows where it comes from\n"
    )
    monkeypatch.setenv("WEBTOOLS_DEBUG", "1")
    assert webtools("serve", ".") == 2
    told = capsys.readouterr().err
    assert told.startswith("Traceback")
    assert f"error: {line}; " in told


@pytest.mark.parametrize("name", command.app.resolved_commands())
def test_the_help_of_each_command_has_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    if name in ("--help", "-h", "--version"):
        return
    assert webtools(name, "--help") == 0
    _, _, examples = capsys.readouterr().out.partition("Examples:")
    assert f"\nwebtools {name}" in examples


SERVE_NOTHING = """
import sys
from pathlib import Path
from webtools.cli import app
app.ensure_runtime = app.ensure_library = app.ensure_micropip = lambda *_, **__: Path()
app.dependencies_of = lambda *_: []
app.run = lambda *_, **__: sys.stderr.write("served")
app.serve(Path(sys.argv[1]), port=0)
"""


@pytest.mark.parametrize(
    ("script", "err"),
    [("from webtools.cli import app; app._tell('one'); app._tell('two')", b""), (SERVE_NOTHING, b"served")],
    ids=["told", "greeting"],
)
def test_pages_are_served_on_when_nobody_reads_what_is_told(script: str, err: bytes, tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, err)


def test_an_error_is_one_line_however_long_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert webtools("serve", "no" * 100) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_a_shell_completes_commands_and_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))  # whose .bashrc gets a line
    script = tmp_path / "completion.bash"
    assert webtools("--install-completion", "--shell", "bash", "--output", str(script)) == 0
    assert str(script) in capsys.readouterr().out
    asked = 'COMP_WORDS=(webtools {}); COMP_CWORD={}; _webtools; echo "${{COMPREPLY[*]}}"'
    asking = f". {script}; {asked.format('che', 1)}; {asked.format('check --str', 2)}"
    done = subprocess.run(["bash", "-c", asking], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["check", "--strict"]


def test_a_reader_that_stops_reading_is_no_error(tmp_path: Path) -> None:
    manifest = tmp_path / "shop.json"
    tools = [{"definition": json.dumps({"name": f"a_{number}", "description": ""})} for number in range(2000)]
    manifest.write_text(json.dumps({"tools": tools}))
    with subprocess.Popen(
        [sys.executable, "-m", "webtools", "check", str(manifest)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as checking:
        assert checking.stdout
        assert checking.stdout.readline() == b"Errors:\n"
        checking.stdout.close()
        assert checking.stderr
        assert checking.stderr.read() == b""


def test_ctrl_c_ends_it_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def interrupted(app: ASGIApp, listener: socket.socket, **_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "run", interrupted)
    assert webtools("serve", str(tmp_path), "--port", "0") == 130
    assert capsys.readouterr().err == ""


def test_the_version_is_the_distributions(capsys: pytest.CaptureFixture[str]) -> None:
    from importlib.metadata import version

    assert webtools("--version") == 0
    assert capsys.readouterr().out.strip() == version("webtools-host")
