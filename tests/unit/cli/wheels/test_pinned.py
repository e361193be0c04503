import hashlib
import sys
from pathlib import Path

import pytest

from tests.unit.cli.conftest import FakeTool
from tests.unit.cli.made_up import INFO, make_checkout, make_wheel, quiet
from webtools.cli.sources import checkout as in_checkout
from webtools.cli.sources.checkout import Checkout
from webtools.cli.sources.library import ensure_micropip
from webtools.cli.terminal.problems import CommandProblem
from webtools.cli.wheels import pinned
from webtools.cli.wheels.pinned import pinned_wheels


@pytest.fixture
def wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The wheels on a package index that is a folder; the requirements pin their hashes."""
    found = [make_wheel(tmp_path / "index", name) for name in ("one", "two")]
    requirements = tmp_path / "requirements.txt"
    hashes = [hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in found]
    requirements.write_text("".join(f"x==1.0 --hash=sha256:{digest}\n" for digest in hashes))
    monkeypatch.setattr(pinned, "REQUIREMENTS", requirements)
    return found


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "build" / "wheels"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return make_checkout(tmp_path / "checkout")


def use_as_python(tool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tool))


def test_missing_wheels_are_fetched_for_pyodides_build_and_checked_by_hash(
    wanted: list[Path], cache: Path, fake_tool: FakeTool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    download = f'while [ "$1" != --dest ]; do shift; done; cp {tmp_path}/index/* "$2"'
    use_as_python(fake_tool("python", f'echo "$@" > {tmp_path}/said; {download}'), monkeypatch)
    assert pinned_wheels(cache, INFO, quiet) == [cache / wheel.name for wheel in wanted]
    said = (tmp_path / "said").read_text()
    assert "--platform pyemscripten_2026_0_wasm32 --python-version 3.14.2" in said
    assert "--require-hashes --no-deps --only-binary=:all:" in said


@pytest.mark.usefixtures("wanted")
def test_pip_finds_the_pins_whatever_the_folder_is_called_from_here(
    cache: Path, fake_tool: FakeTool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    find = 'while [ "$1" != --requirement ]; do shift; done; ls "$2" > /dev/null'
    download = f'while [ "$1" != --dest ]; do shift; done; cp {tmp_path}/index/* "$2"'
    use_as_python(fake_tool("python", f"({find}) && {download}"), monkeypatch)
    monkeypatch.chdir(tmp_path)
    assert len(pinned_wheels(cache, INFO, quiet, Path("requirements.txt"))) == 2


def test_wheels_that_are_there_need_no_network(
    wanted: list[Path], cache: Path, fake_tool: FakeTool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two", "of_an_older_version"):
        make_wheel(cache, name)
    use_as_python(fake_tool("python", "exit 1"), monkeypatch)
    assert pinned_wheels(cache, INFO, pytest.fail) == [cache / wheel.name for wheel in wanted]


@pytest.mark.usefixtures("wanted")
def test_a_damaged_wheel_is_fetched_again(
    cache: Path, fake_tool: FakeTool, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_wheel(cache, "one")
    make_wheel(cache, "two").write_bytes(b"half")
    use_as_python(fake_tool("python", "exit 1"), monkeypatch)
    with pytest.raises(CommandProblem, match="Fetching the page's wheels"):
        pinned_wheels(cache, INFO, quiet)


@pytest.mark.usefixtures("wanted")
def test_a_dead_network_is_told_with_pips_reason_and_leaves_nothing(
    cache: Path, fake_tool: FakeTool, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = "echo 'WARNING: Retrying' >&2; echo 'ERROR: No matching distribution found' >&2; exit 1"
    use_as_python(fake_tool("python", script), monkeypatch)
    with pytest.raises(CommandProblem, match=r"pip failed \(No matching distribution found\); check the net"):
        pinned_wheels(cache, INFO, quiet)
    assert [path.name for path in cache.parent.rglob("*")] == ["wheels"]


@pytest.mark.usefixtures("wanted")
def test_missing_pip_is_told_with_the_cure(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pip", None)
    with pytest.raises(CommandProblem, match=r"^pip is missing .*; run: .* -m ensurepip$"):
        pinned_wheels(cache, INFO, quiet)


def test_micropip_is_one_pinned_wheel_beside_the_others(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = make_wheel(checkout / "build" / "wheels", "micropip")
    requirements = tmp_path / "micropip.txt"
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    requirements.write_text(f"micropip==1.0 --hash=sha256:{digest}\n")
    monkeypatch.setattr(in_checkout, "MICROPIP", requirements)
    assert ensure_micropip(Checkout(checkout), pytest.fail) == wheel


def test_the_page_gets_the_pydantic_that_the_tests_run_on() -> None:
    import pydantic

    assert f"pydantic=={pydantic.VERSION} " in pinned.REQUIREMENTS.read_text()
