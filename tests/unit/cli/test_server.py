import mimetypes
import socket
from pathlib import Path

import anyio
import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message

from tests.unit.cli.made_up import make_wheel
from webtools.cli.problems import CommandProblem
from webtools.cli.server import application, listen, url_of

NAVIGATION = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """An author's folder, with something secret inside it and beside it."""
    folder = tmp_path / "site"
    (folder / ".git").mkdir(parents=True)
    (folder / "pictures").mkdir()
    (folder / "help").mkdir()
    (folder / "index.html").write_text("<title>shop</title>")
    (folder / "help" / "index.html").write_text("<title>help</title>")
    (folder / "shop.py").write_text("pass")
    (folder / ".env").write_text("secret")
    (folder / ".git" / "config").write_text("secret")
    (tmp_path / "outside.txt").write_text("secret")
    return folder


@pytest.fixture
def app(site: Path, tmp_path: Path) -> ASGIApp:
    library, runtime = tmp_path / "static", tmp_path / "runtime"
    (library / "storefront").mkdir(parents=True)
    runtime.mkdir()
    (library / "webtools.js").write_text("export {}")
    (library / "notes.txt").write_text("not a module")
    (library / "storefront" / "app.js").write_text("the demo's")
    (runtime / "pyodide-1").mkdir()
    (runtime / "pyodide-1" / "pyodide.asm.wasm").write_bytes(b"\0asm")
    (runtime / "packages-1.zip").write_bytes(b"PK")
    (runtime / "runtime.json").write_text("{}")
    micropip = make_wheel(tmp_path, "micropip")
    return application(site, library=library, runtime=runtime, micropip=micropip)


@pytest.fixture
def client(app: ASGIApp) -> TestClient:
    return TestClient(app)


def raw_status(app: ASGIApp, path: str) -> int:
    """Ask for a path as it is: a client would tidy it up before it sends it."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    async def ask() -> None:
        scope = {"type": "http", "method": "GET", "path": path, "root_path": "", "query_string": b""}
        await app({**scope, "headers": [(b"host", b"shop")], "server": ("shop", 80)}, receive, send)

    anyio.run(ask)
    return int(sent[0]["status"])


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/", "<title>shop</title>"),
        ("/shop.py", "pass"),
        ("/webtools/webtools.js", "export {}"),
        ("/webtools/runtime/pyodide-1/pyodide.asm.wasm", "\0asm"),
    ],
)
def test_the_site_the_library_and_the_runtime_each_have_their_place(
    client: TestClient, path: str, text: str
) -> None:
    assert client.get(path).text == text


@pytest.mark.parametrize("path", ["/webtools/storefront/app.js", "/webtools/notes.txt"])
def test_of_the_library_only_its_own_modules_are_served(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("a.mjs", "text/javascript"),
        ("a.js", "text/javascript"),
        ("a.wasm", "application/wasm"),
        ("a.py", "text/x-python"),
        ("a.whl", "application/zip"),
        ("a.zip", "application/zip"),
        ("a.svg", "image/svg+xml"),
        ("a.json", "application/json"),
        ("a.css", "text/css"),
        ("a.png", "image/png"),
        ("a.unheard-of", "application/octet-stream"),
    ],
)
def test_media_types_do_not_depend_on_the_machine(
    client: TestClient, site: Path, monkeypatch: pytest.MonkeyPatch, name: str, media_type: str
) -> None:
    monkeypatch.setitem(mimetypes.types_map, Path(name).suffix, "text/plain")
    (site / name).write_text("{}")
    assert client.get(f"/{name}").headers["content-type"].partition(";")[0] == media_type


def test_a_browser_asks_anew_each_time_and_gets_304_for_what_it_has(client: TestClient) -> None:
    first = client.get("/shop.py")
    second = client.get("/shop.py", headers={"If-None-Match": first.headers["etag"]})
    assert first.headers["cache-control"] == second.headers["cache-control"] == "no-cache"
    assert (second.status_code, second.content) == (304, b"")


def test_what_never_changes_is_kept_for_a_year(client: TestClient) -> None:
    kept = {
        name: client.get(f"/webtools/runtime/{name}").headers["cache-control"]
        for name in ("runtime.json", "packages-1.zip", "pyodide-1/pyodide.asm.wasm")
    }
    for_ever = "public, max-age=31536000, immutable"
    assert list(kept.values()) == ["no-cache", for_ever, for_ever]


def test_a_changed_file_is_sent_again(client: TestClient, site: Path) -> None:
    etag = client.get("/shop.py").headers["etag"]
    (site / "shop.py").write_text("print('changed')")
    assert client.get("/shop.py", headers={"If-None-Match": etag}).text == "print('changed')"


def test_head_answers_like_get_without_a_body(client: TestClient) -> None:
    answer = client.head("/shop.py")
    assert (answer.status_code, answer.headers["content-length"], answer.content) == (200, "4", b"")


def test_nothing_is_written(client: TestClient) -> None:
    assert client.post("/shop.py", content="x").status_code == 405


@pytest.mark.parametrize(
    "path",
    [
        "/../outside.txt",
        "/pictures/../../outside.txt",
        "//outside.txt",
        "/webtools/../../outside.txt",
        "/webtools/runtime/../../outside.txt",
        "/webtools/../outside.txt",
        "/nul\0byte",
        "/" + "long" * 2000,
    ],
)
def test_no_path_leads_out_of_the_folder(app: ASGIApp, path: str) -> None:
    assert raw_status(app, path) == 404


def test_an_encoded_path_leads_out_of_the_folder_as_little(client: TestClient) -> None:
    assert client.get("/%2e%2e/outside.txt").status_code == 404
    assert client.get("/..%2foutside.txt").status_code == 404


def test_a_link_to_the_outside_is_not_followed(client: TestClient, site: Path, tmp_path: Path) -> None:
    (site / "link.txt").symlink_to(tmp_path / "outside.txt")
    (site / "folder").symlink_to(tmp_path)
    assert client.get("/link.txt").status_code == 404
    assert client.get("/folder/outside.txt").status_code == 404


def test_a_link_to_itself_is_a_plain_404(client: TestClient, site: Path) -> None:
    (site / "loop.txt").symlink_to(site / "loop.txt")
    assert client.get("/loop.txt").status_code == 404


@pytest.mark.parametrize("path", ["/.env", "/.git/config", "/pictures/../.env"])
def test_hidden_files_are_not_served(app: ASGIApp, client: TestClient, path: str) -> None:
    assert raw_status(app, path) == 404
    assert "secret" not in client.get(path, headers=NAVIGATION).text


def test_a_link_to_a_hidden_file_is_hidden_too(client: TestClient, site: Path) -> None:
    (site / "shown.txt").symlink_to(site / ".env")
    assert client.get("/shown.txt").status_code == 404


def test_a_site_below_a_hidden_folder_is_served_all_the_same(tmp_path: Path) -> None:
    site = tmp_path / ".cache" / "site"
    site.mkdir(parents=True)
    (site / "a.txt").write_text("a")
    client = TestClient(application(site, library=site, runtime=site, micropip=site))
    assert client.get("/a.txt").text == "a"


@pytest.mark.parametrize("path", ["/cart", "/product/12", "/product/12/", "/pictures/"])
def test_a_route_of_the_pages_router_survives_a_reload(client: TestClient, path: str) -> None:
    answer = client.get(path, headers=NAVIGATION)
    assert (answer.status_code, answer.text) == (200, "<title>shop</title>")


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/cart", {"Accept": "*/*"}),
        ("/missing.js", NAVIGATION),
        ("/.hidden/route", NAVIGATION),
        ("/webtools/missing", NAVIGATION),
        ("/webtools/runtime/missing", NAVIGATION),
    ],
)
def test_whatever_else_is_missing_is_a_plain_404(
    client: TestClient, path: str, headers: dict[str, str]
) -> None:
    answer = client.get(path, headers=headers)
    assert (answer.status_code, answer.text) == (404, "Not Found")


def test_a_page_of_its_own_for_404_changes_nothing(client: TestClient, site: Path) -> None:
    (site / "404.html").write_text("for another host")
    assert client.get("/cart", headers=NAVIGATION).text == "<title>shop</title>"
    assert client.get("/missing.js").text == "Not Found"


def test_a_site_without_a_first_page_answers_404(client: TestClient, site: Path) -> None:
    (site / "index.html").unlink()
    assert client.get("/", headers=NAVIGATION).status_code == 404


def test_a_folder_shows_its_own_page_under_a_url_that_ends_in_a_slash(client: TestClient) -> None:
    answer = client.get("/help", headers=NAVIGATION)
    assert (answer.url.path, answer.text) == ("/help/", "<title>help</title>")


def test_port_0_gives_a_url_with_the_real_port() -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        assert port > 0
        assert url_of(listener) == f"http://127.0.0.1:{port}/"
        socket.create_connection(("127.0.0.1", port)).close()


def test_a_taken_port_is_told_with_the_cure() -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(CommandProblem, match=rf"port {port} .* in use\); .* --port 0$"):
            listen("127.0.0.1", port)


def test_an_address_of_another_machine_is_told_in_one_sentence() -> None:
    with pytest.raises(CommandProblem, match=r"port 0 of 192\.0\.2\.1 \([^()]+\); choose"):
        listen("192.0.2.1", 0)


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")
def test_an_ipv6_address_stands_in_brackets() -> None:
    with listen("::1", 0) as listener:
        assert url_of(listener).startswith("http://[::1]:")
