"""A built folder on a host that knows files and their types, and nothing else."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from pathlib import Path

import pytest

from e2e.agents import Agent, Mode, text_of
from e2e.conftest import MODES, PAGES, TIME_LIMIT, Watched, one_mode
from webtools.cli.building.site import build_site
from webtools.cli.files.compressing import Compressor
from webtools.cli.files.media_types import media_type
from webtools.cli.manifest import manifest_text
from webtools.cli.runtime import rehearsal
from webtools.cli.runtime.assembling import ensure_runtime
from webtools.cli.runtime.in_pyodide import snapshot_in_pyodide
from webtools.cli.sources.installation import SOURCE
from webtools.cli.sources.library import ensure_library
from webtools.cli.terminal.problems import report_to_stderr

VERSION = version("webtools-host")
PAGE = """<!doctype html><html lang="en"><title>Built</title><link rel="icon" href="data:,">
<script type="module" src="webtools/webtools.js" data-app="how.py" data-snapshot="{}"></script>"""
FAST = "performance.getEntriesByName = () => [{transferSize: 1e6, responseStart: 0, responseEnd: 1}]"
KEPT = """(async () => {
  while (!(await (await caches.open("webtools")).keys()).length)
    await new Promise((resolve) => setTimeout(resolve, 50));
})()"""
ENTRIES = ["elements.js", "polyfill.js", "react.js", "webtools.js"]
NAMES = "(url) => import(url).then((module) => Object.keys(module).sort())"


class Handler(SimpleHTTPRequestHandler):
    """Python's own, which does not say that it has been asked."""

    def guess_type(self, path: str | os.PathLike[str]) -> str:
        return media_type(path)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def hosting(folder: Path) -> Iterator[str]:
    """Serve a folder while the block runs; gives the URL, which ends with a slash."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder `shop`, built, in another one."""
    folder = tmp_path_factory.mktemp("built")
    site = folder / "site"
    site.mkdir()
    (site / "how.py").write_bytes((PAGES / "how.py").read_bytes())
    for mode in ("auto", "off"):
        (site / f"{mode}.html").write_text(PAGE.format(mode), "utf-8")
    runtime, modules = ensure_runtime(), SOURCE.modules
    build_site(
        site,
        folder / "host" / "shop",
        library=ensure_library(),
        runtime=runtime,
        packages={},
        version=VERSION,
        manifest_of=lambda app, _: manifest_text(app, runtime=runtime, library=modules, version=VERSION),
        compress=Compressor(folder / "compressed", report_to_stderr, best=False).variants,
        report=report_to_stderr,
    )
    return folder / "host"


PLACES = ["at-the-root", "below-a-path"]

PAIRS = pytest.mark.parametrize(("mode", "url"), [*zip(MODES, PLACES, strict=True)], indirect=True)
"""Each model context and each place once: neither knows of the other."""


@pytest.fixture(params=PLACES)
def url(request: pytest.FixtureRequest, built: Path) -> Iterator[str]:
    """Where the built folder is."""
    if request.param == "at-the-root":
        with hosting(built / "shop") as root:
            yield root
    else:
        with hosting(built) as root:
            yield f"{root}shop/"


@pytest.fixture
def asked(watched: Watched, url: str) -> list[str]:
    """What the page has asked for, below that place."""
    found: list[str] = []
    watched.page.on("request", lambda request: found.append(request.url.removeprefix(url)))
    return found


@PAIRS
def test_a_built_page_comes_up_at_once_and_again(
    watched: Watched, mode: Mode, url: str, asked: list[str]
) -> None:
    page = watched.page
    page.add_init_script(FAST)
    page.goto(f"{url}auto.html")
    assert watched.ready() == "ready"
    assert page.evaluate("webtools.call('how', {})")["structuredContent"]["restored"]
    assert text_of(Agent(page, mode).call("slow", {"text": "x"})) == "x, later"
    assert [name for name in asked if name.startswith(("/", "http"))] == []
    for start, end in (
        ("how.tools-", ".json"),
        ("webtools/runtime/packages-", ".gz"),
        ("webtools/runtime/snapshot-", ".gz"),
    ):
        assert any(name.startswith(start) and name.endswith(end) for name in asked)
    page.evaluate(f"Promise.race([{KEPT}, {TIME_LIMIT}])")
    asked.clear()
    page.reload()
    assert watched.ready() == "ready"
    assert page.evaluate("webtools.call('how', {})")["structuredContent"]["restored"]
    assert not any("/snapshot-" in name for name in asked)
    assert watched.problems == []


@PAIRS
def test_a_built_page_comes_up_from_its_files(watched: Watched, url: str, asked: list[str]) -> None:
    page = watched.page
    page.goto(f"{url}off.html")
    assert watched.ready() == "ready"
    how = page.evaluate("webtools.call('how', {})")["structuredContent"]
    assert not how["restored"]
    assert not any("/snapshot-" in name for name in asked)
    flat = {name for name in asked if name.startswith("webtools/lib-") and name.endswith(".js")}
    read = "(url) => fetch(url).then((response) => response.text())"
    entry = page.evaluate(read, f"{url}webtools/webtools.js")
    late = {name for name in flat if name.removeprefix("webtools/") not in entry}
    assert all(name.rpartition("/")[2].startswith(("polyfill", "forms", "chunk")) for name in late)
    assert watched.problems == []


@one_mode
def test_an_entry_exports_what_its_module_does(watched: Watched, pages: str, url: str) -> None:
    def names(place: str) -> list[list[str]]:
        return [watched.page.evaluate(NAMES, f"{place}webtools/{entry}") for entry in ENTRIES]

    watched.page.goto(url)
    built = names(url)
    watched.page.goto(f"{pages}empty.html")
    assert built == names(pages)


def test_the_same_packages_give_the_same_snapshot(tmp_path: Path) -> None:
    runtime = ensure_runtime()
    index = json.loads((runtime / "runtime.json").read_text("utf-8"))
    heap = tmp_path / "heap"
    snapshot_in_pyodide(
        Path(rehearsal.__file__),
        "warm",
        {"imports": ""},
        heap=heap,
        about=tmp_path / "about",
        pyodide=runtime / index["engine"],
        library=SOURCE.modules,
        info=index["info"],
        stdlib=runtime / index["stdlib"]["file"],
        pack=(runtime / index["packages"]["file"], index["sitePackages"]),
    )
    assert hashlib.sha256(heap.read_bytes()).hexdigest() == index["snapshot"]["sha256"]
    assert str(Path(rehearsal.__file__).parent).encode() not in heap.read_bytes()
