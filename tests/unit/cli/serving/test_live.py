from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path

import anyio
import pytest
from starlette.testclient import TestClient

from tests.unit.cli.made_up import make_wheel
from webtools.cli.serving.live import Live, watched
from webtools.cli.serving.server import application

ORIGIN = "http://127.0.0.1:8000"


class FakeWatch:
    """A watcher that sees what a test says."""

    def __init__(self) -> None:
        self._send, self._seen = anyio.create_memory_object_stream[list[Path]](10)

    async def __call__(self, directory: Path) -> AsyncIterator[Iterable[Path]]:
        async with self._send, self._seen:
            async for paths in self._seen:
                yield paths

    def see(self, *paths: Path) -> None:
        self._send.send_nowait(list(paths))


class Site:
    """A folder that is served, and followed."""

    def __init__(self, tmp_path: Path) -> None:
        self.folder = tmp_path / "site"
        self.folder.mkdir()
        (tmp_path / "library").mkdir()
        (tmp_path / "library" / "webtools.js").write_text("export {};")
        (tmp_path / "runtime").mkdir()
        self.watch = FakeWatch()
        self.told: list[str] = []
        self.live = Live(self.folder, self.told.append, watch=self.watch)
        app = application(
            self.folder,
            library=tmp_path / "library",
            runtime=tmp_path / "runtime",
            micropip=make_wheel(tmp_path, "micropip"),
            live=self.live,
        )
        self.client = TestClient(app, base_url=ORIGIN)

    def write(self, name: str, *, is_asked: bool = True) -> Path:
        """Write a file, and have a page ask for it."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("new")
        if is_asked:
            assert self.client.get(f"/{name}").status_code == 200
        return path

    def save(self, *paths: Path) -> None:
        """Have the watcher see files, and wait until the server has."""
        before = self.live.revision
        self.watch.see(*paths)
        for _ in range(1000):
            if self.live.revision != before:
                return
            self.client.get("/webtools/live/changes")  # a turn of the server's loop
        raise AssertionError("nothing has changed")

    def changes(self, since: str) -> list[str] | None:
        files: list[str] | None = self.client.get(f"/webtools/live/changes?since={since}").json()["files"]
        return files


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    with site.client:
        yield site


def test_files_that_are_saved_together_are_one_change(site: Site) -> None:
    shop, page = site.write("shop.py"), site.write("index.html")
    before = site.live.revision
    site.save(shop, page)
    assert sorted(site.changes(before) or []) == ["index.html", "shop.py"]
    assert site.changes(site.live.revision) == []
    assert site.live.revision == before.replace(".0", ".1")


def test_whoever_slept_hears_of_all_changes_since_and_of_each_file_once(site: Site) -> None:
    shop, style = site.write("shop.py"), site.write("shop.css")
    before = site.live.revision
    site.save(shop)
    between = site.live.revision
    site.save(style)
    site.save(style)
    assert sorted(site.changes(before) or []) == ["shop.css", "shop.py"]
    assert site.changes(between) == ["shop.css"]


def test_another_server_knows_of_no_revision_but_its_own(site: Site) -> None:
    assert site.changes("0123abcd.4") is None
    assert site.changes(f"{site.live.revision}x") is None
    assert site.changes("") is None


def test_a_file_that_no_page_has_asked_for_changes_nothing(site: Site) -> None:
    shop = site.write("shop.py")
    notes, gone = site.write("notes.txt", is_asked=False), site.write("4913", is_asked=False)
    gone.unlink()
    before = site.live.revision
    site.watch.see(notes, gone)
    site.save(shop)
    assert site.changes(before) == ["shop.py"]
    assert site.told == []


def test_a_file_that_is_gone_changes_no_page_and_is_told(site: Site) -> None:
    shop, gone = site.write("shop.py"), site.write("cart.py")
    gone.unlink()
    before = site.live.revision
    site.save(gone, shop)
    assert site.changes(before) == ["shop.py"]
    assert site.told == ["problem: cart.py is gone; open pages keep the one before"]


def test_a_page_that_was_missed_is_noticed_when_it_comes(site: Site) -> None:
    assert site.client.get("/late.py").status_code == 404
    before = site.live.revision
    site.save(site.write("late.py", is_asked=False))
    assert site.changes(before) == ["late.py"]


@pytest.mark.parametrize(("asked", "file"), [("/", "index.html"), ("/help/", "help/index.html")])
def test_a_folders_page_is_its_index(site: Site, asked: str, file: str) -> None:
    path = site.write(file, is_asked=False)
    assert site.client.get(asked).status_code == 200
    before = site.live.revision
    site.save(path)
    assert site.changes(before) == [file]


def test_the_entry_loads_the_pages_end_with_what_it_was_served(site: Site) -> None:
    answer = site.client.get("/webtools/webtools.js")
    assert answer.text.startswith("export {};\n")
    assert f'import("./live.js?{site.live.revision}")' in answer.text
    assert site.client.get("/webtools/live.js").headers["content-type"].startswith("text/javascript")


def test_the_entry_is_sent_again_only_after_a_change(site: Site) -> None:
    tag = site.client.get("/webtools/webtools.js").headers["etag"]
    again = {"If-None-Match": tag}
    assert site.client.get("/webtools/webtools.js", headers=again).status_code == 304
    site.save(site.write("shop.py"))
    assert site.client.get("/webtools/webtools.js", headers=again).status_code == 200


def test_without_it_nothing_of_it_is_served(site: Site, tmp_path: Path) -> None:
    plain = application(
        site.folder, library=tmp_path / "library", runtime=tmp_path / "runtime", micropip=tmp_path
    )
    client = TestClient(plain, base_url=ORIGIN)
    assert client.get("/webtools/webtools.js").text == "export {};"
    for path in ("live.js", "live/events", "live/changes"):
        assert client.get(f"/webtools/{path}").status_code == 404
    assert client.post("/webtools/live/told").status_code in (404, 405)


def test_a_stream_pokes_at_first_and_after_each_change_and_ends_with_the_server(site: Site) -> None:
    async def heard() -> list[str]:
        pokes: list[str] = []
        async for each in site.live._pokes():
            pokes.append(each)
            if len(pokes) == 2:
                site.live._note([shop])
            elif len(pokes) == 3:
                site.live.close()
        return pokes

    shop = site.write("shop.py")
    first, *pokes = anyio.run(heard)
    server = site.live.revision.partition(".")[0]
    assert first.startswith("retry: ")
    assert pokes == [f"data: {server}.0\n\n", f"data: {server}.1\n\n"]


def test_a_folder_that_cannot_be_watched_is_told_and_served(site: Site) -> None:
    async def failing(folder: Path) -> AsyncIterator[Iterable[Path]]:
        yield [folder / "shop.py"]
        raise OSError("OS file watch limit reached")

    live = Live(site.folder, site.told.append, watch=failing)
    anyio.run(live._follow)
    assert site.told == [
        "problem: pages do not follow the folder, which cannot be watched: OS file watch limit reached"
    ]


def report(**changes: object) -> dict[str, object]:
    tools = [{"name": "pay", "state": "registered"}]
    base = {"what": "start", "page": "/", "revision": "a.0", "apps": [], "tools": tools, "differences": []}
    return {**base, **changes}


def post(site: Site, body: object, **headers: str) -> int:
    sent = {"Origin": ORIGIN, "Content-Type": "application/json", **headers}
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return site.client.post("/webtools/live/told", content=content, headers=sent).status_code


def test_what_a_page_tells_is_told(site: Site) -> None:
    assert post(site, report(), **{"Sec-Fetch-Site": "same-origin"}) == 204
    assert site.told == ["/: 1 tool: pay"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:8000"},
        {"Origin": ""},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Host": "evil.example:8000", "Origin": "http://evil.example:8000"},
    ],
)
def test_no_page_of_another_site_can_tell_anything(site: Site, headers: dict[str, str]) -> None:
    assert post(site, report(), **headers) == 403
    assert site.told == []


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        b" " * 300_000,
        report(page=3),
        report(more="x"),
        report(page="x" * 2000),
        report(tools=[{"name": "pay", "state": "registered", "input": "secret"}]),
    ],
    ids=["no JSON", "no UTF-8", "deep", "long", "a type", "a name", "a long name", "an input"],
)
def test_what_is_no_report_is_refused(site: Site, body: object) -> None:
    assert post(site, body) == 400
    assert site.told == []


@pytest.mark.parametrize(
    "host", ["localhost:8000", "127.0.0.1", "[::1]:8000", "shop.localhost", "10.1.2.3:9"]
)
def test_a_page_may_call_this_machine_by_a_name_that_is_its_own(site: Site, host: str) -> None:
    assert site.client.get("/webtools/live/changes", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "[::1", ""])
def test_a_name_that_is_made_to_mean_this_machine_is_refused(site: Site, host: str) -> None:
    for path in ("changes", "events"):
        assert site.client.get(f"/webtools/live/{path}", headers={"Host": host}).status_code == 403


def test_a_file_that_is_written_is_seen_and_what_editors_keep_beside_it_is_not(tmp_path: Path) -> None:
    async def first() -> list[str]:
        async def write() -> None:
            while True:
                for name in (".#shop.py", "shop.py~", ".shop.py.swp", "shop.py"):
                    (tmp_path / name).write_text("new")
                await anyio.sleep(0.05)

        with anyio.fail_after(10):
            async with anyio.create_task_group() as group:
                group.start_soon(write)
                async for paths in watched(folder):
                    group.cancel_scope.cancel()
                    return [path.name for path in paths]
        raise AssertionError("nothing was seen")

    folder = tmp_path.resolve()
    assert set(anyio.run(first)) == {"shop.py"}
