from pathlib import Path

import pytest

from e2e.chromium import ensure, ensure_light
from tests.unit.cli.conftest import FakeTool
from webtools.cli.programs import chromium
from webtools.cli.programs.chromium import ChromiumMissing, find

NEW = "echo Chromium 156.0.1.2 built on Debian"
OLD = "echo Google Chrome 140.0.1.2"


@pytest.fixture(autouse=True)
def bare_machine(fake_tool: FakeTool, monkeypatch: pytest.MonkeyPatch) -> None:
    """No Chromium, no package manager, and a Python without Playwright."""
    monkeypatch.delenv("WEBTOOLS_CHROMIUM", raising=False)
    monkeypatch.setattr(chromium, "_MAC_APPS", ())
    monkeypatch.setattr("sys.executable", str(fake_tool("python", "exit 1")))


def test_a_bare_machine_has_none() -> None:
    assert find() is None


def test_the_systems_own_is_found(fake_tool: FakeTool) -> None:
    own = fake_tool("chromium", NEW)
    assert find() == own


def test_playwrights_own_is_found(fake_tool: FakeTool) -> None:
    own = fake_tool("playwrights-chrome", NEW)
    fake_tool("python", f"echo {own}")
    assert find() == own


def test_the_named_one_comes_first(fake_tool: FakeTool, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_tool("chromium", NEW)
    named = fake_tool("my-chromium", NEW)
    monkeypatch.setenv("WEBTOOLS_CHROMIUM", str(named))
    assert find() == named


def test_one_that_is_too_old_or_does_not_run_is_passed_over(fake_tool: FakeTool) -> None:
    fake_tool("chromium", "exit 127")
    fake_tool("chromium-browser", OLD)
    chrome = fake_tool("google-chrome", NEW)
    assert find() == chrome


@pytest.mark.parametrize(("script", "told"), [(OLD, "is version 140"), ("exit 127", "does not run")])
def test_a_named_one_that_cannot_be_used_is_told_with_the_cure(
    fake_tool: FakeTool, monkeypatch: pytest.MonkeyPatch, script: str, told: str
) -> None:
    fake_tool("chromium", NEW)
    monkeypatch.setenv("WEBTOOLS_CHROMIUM", str(fake_tool("mine", script)))
    with pytest.raises(ChromiumMissing, match=rf"WEBTOOLS_CHROMIUM names .*mine, which {told}.*; name a"):
        find()


def test_playwrights_download_is_tried_before_the_package_manager(
    fake_tool: FakeTool, tmp_path: Path
) -> None:
    own = tmp_path / "bin" / "downloaded"
    make = f"printf '#!/bin/sh\\n{NEW}\\n' > {own}; chmod +x {own}"
    fake_tool("python", f'[ "$2 $3" = "playwright install" ] && {{ {make}; exit; }}; echo {own}')
    fake_tool("apt-get", "touch /nowhere/must-not-run")
    assert ensure() == own


def test_the_package_manager_is_tried_when_the_download_fails(fake_tool: FakeTool, tmp_path: Path) -> None:
    made = tmp_path / "bin" / "chromium"
    make = f"printf '#!/bin/sh\\n{NEW}\\n' > {made}; chmod +x {made}"
    fake_tool("sudo", 'shift; exec "$@"')
    fake_tool("apt-get", f'[ "$1" = install ] || exit 0; {make}')
    assert ensure() == made


def test_a_machine_that_can_install_none_is_told_with_the_cure() -> None:
    with pytest.raises(ChromiumMissing, match=r"could not be installed; .*apt-get install chromium.*brew"):
        ensure()


def test_the_light_one_is_taken_where_it_is_there(fake_tool: FakeTool) -> None:
    fake_tool("chromium", NEW)
    fake_tool("apt-get", "touch /nowhere/must-not-run")
    light = fake_tool("chromium-headless-shell", NEW)
    assert ensure_light() == light


def test_the_light_one_is_installed_where_it_can_be(fake_tool: FakeTool, tmp_path: Path) -> None:
    fake_tool("chromium", NEW)
    made = tmp_path / "bin" / "chromium-headless-shell"
    make = f"printf '#!/bin/sh\\n{NEW}\\n' > {made}; chmod +x {made}"
    fake_tool("sudo", 'shift; exec "$@"')
    fake_tool("apt-get", f'[ "$5" = chromium-headless-shell ] && {{ {make}; }}')
    assert ensure_light() == made


@pytest.mark.parametrize("script", [OLD, "exit 127"])
def test_the_whole_one_is_taken_where_there_is_no_light_one_that_can_be_used(
    fake_tool: FakeTool, script: str
) -> None:
    whole = fake_tool("chromium", NEW)
    fake_tool("chromium-headless-shell", script)
    fake_tool("apt-get", "exit 100")
    assert ensure_light() == whole


def test_the_named_one_is_taken_for_the_light_one_too(
    fake_tool: FakeTool, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_tool("chromium-headless-shell", NEW)
    named = fake_tool("my-chromium", NEW)
    monkeypatch.setenv("WEBTOOLS_CHROMIUM", str(named))
    assert ensure_light() == named
