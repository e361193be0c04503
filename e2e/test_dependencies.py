"""What apps say that they need is in the page, without an installer: `webtools serve` resolves it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.agents import Agent, Mode, text_of
from e2e.conftest import Watched, one_mode
from e2e.sites import STRICT_CSP, serving, with_csp
from e2e.wheels import wheel_of

HTML = """<!doctype html><html lang="en"><title>Dependencies</title><link rel="icon" href="data:,">
<script type="module" src="/webtools/webtools.js" data-app="/greet.py"></script>
<h1>Dependencies</h1>"""

GREET = '''
# /// script
# dependencies = ["xxhash>=4", "webtools-host"]
# ///
import sys

before = sorted({"xxhash", "made_up_greetings"} & set(sys.modules))

import xxhash
from made_up_greetings import greeting

from webtools import tool


@tool
def greet(name: str) -> str:
    """Greet, and say what the name's hash is."""
    return f"{greeting()}, {name}! {xxhash.xxh32_hexdigest(name.encode())} {before}"
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, native_wheel: Path) -> Path:
    """A site whose app needs native code and a package that needs another one, all of it in `wheels`."""
    folder = tmp_path_factory.mktemp("site")
    files = {
        **wheel_of(
            "made_up_greetings",
            "1.2",
            "from made_up_words import word\ndef greeting(): return word",
            "Requires-Dist: made-up-words>=2\nRequires-Dist: nowhere; sys_platform != 'emscripten'\n",
        ),
        **wheel_of("made_up_words", "2.0", "word = 'Hello'"),
        native_wheel.name: native_wheel.read_bytes(),
    }
    (folder / "wheels").mkdir()
    for name, content in files.items():
        (folder / "wheels" / name).write_bytes(content)
    (folder / "index.html").write_text(HTML)
    (folder / "greet.py").write_text(GREET)
    (folder / "pyproject.toml").write_text('[tool.webtools]\ndependencies = ["made-up-greetings"]\n')
    return folder


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PIP_NO_INDEX", "1")
        with serving(folder, with_csp(STRICT_CSP)) as url:
            yield url


@one_mode
def test_what_an_app_needs_is_there_with_the_runtime(
    watched: Watched, site: str, folder: Path, mode: Mode
) -> None:
    asked: list[str] = []
    watched.page.on("request", lambda request: asked.append(request.url))
    watched.page.goto(site)
    assert watched.ready() == "ready"
    agent = Agent(watched.page, mode)
    assert text_of(agent.call("greet", {"name": "Ada"})) == (
        "Hello, Ada! 44c4b27a ['made_up_greetings', 'xxhash']"  # imported already, in the snapshot
    )
    assert not [url for url in asked if "/packages/" in url]
    assert watched.problems == []
    assert "xxhash==4.1.0 \\\n    --hash=sha256:" in (folder / "webtools.lock.txt").read_text()


def test_a_manifest_is_written_with_what_the_app_needs(
    site: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    command = [sys.executable, "-m", "webtools", "manifest", str(folder / "greet.py")]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert '\\"greet\\"' in done.stdout
