"""How Python comes up without a snapshot: from files that the page has to compile, and from bytecode.

No model context has a part in that; `test_build.py` has each one with Python from its files.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Route

from e2e.agents import Agent, Mode, error_of, text_of
from e2e.conftest import PAGES, Watched, one_mode
from e2e.places import CHECKOUT
from e2e.sites import serving_app
from webtools.cli.files.folder import Folder
from webtools.cli.runtime.assembling import ensure_runtime
from webtools.cli.runtime.pack import write_pack
from webtools.cli.serving.server import application
from webtools.cli.sources.checkout import Checkout
from webtools.cli.sources.installation import SOURCE
from webtools.cli.sources.library import ensure_library, ensure_micropip
from webtools.cli.sources.source import ENGINE, writing_to
from webtools.cli.terminal.problems import report_to_stderr


def stock(folder: Path) -> Path:
    """Assemble a runtime of what npm and PyPI have, with nothing made ready ahead."""
    checkout = Checkout(CHECKOUT)
    with writing_to(checkout.cache):
        kit = checkout.kit(report_to_stderr)
    pack = folder / "packages.zip"
    write_pack(kit.wheels, pack)
    runtime = Folder(folder / "runtime")
    runtime.write(
        {
            "engine": runtime.put_together("pyodide", [kit.engine / name for name in ENGINE]),
            "info": dict(kit.info),
            "sitePackages": "/lib/python3.14/site-packages",
            "stdlib": runtime.put(kit.stdlib),
            "packages": runtime.put(pack),
        }
    )
    return folder / "runtime"


@pytest.fixture(scope="module", params=["stock", "bytecode"])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A page that takes no snapshot, with one of the runtimes."""
    folder = tmp_path_factory.mktemp("stock")
    runtime = stock(folder) if request.param == "stock" else ensure_runtime()
    micropip = ensure_micropip(SOURCE, report_to_stderr)
    app = application(PAGES, library=ensure_library(), runtime=runtime, micropip=micropip)
    with serving_app(app) as site:
        yield f"{site}how_plain.html"


@one_mode
def test_python_comes_up_from_files(watched: Watched, url: str, mode: Mode) -> None:
    watched.page.goto(url)
    assert watched.ready() == "ready"
    assert json.loads(text_of(Agent(watched.page, mode).call("how", {})))["restored"] is False
    assert watched.problems == []


@one_mode
@pytest.mark.parametrize("url", ["bytecode"], indirect=True)  # the page asks for the same pieces of either
@pytest.mark.parametrize("missing", ["pyodide.asm.wasm", "python_stdlib-*.zip", "packages-*.zip"])
def test_a_piece_that_is_missing_is_told_once(watched: Watched, url: str, missing: str) -> None:
    def turn_away(route: Route) -> None:
        route.fulfill(status=404, body="Not Found")

    watched.page.route(f"**/{missing}", turn_away)
    watched.page.goto(url)
    said = watched.ready()
    assert missing.partition("*")[0] in said
    (told,) = (problem for problem in watched.problems if problem.startswith("webtools: "))
    assert said in told
    assert error_of(watched.page.evaluate("webtools.call('how')"))["code"] in (
        "HOST_FAILED",
        "TOOL_NOT_FOUND",
    )
