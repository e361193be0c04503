import gzip
import mimetypes
import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import brotli
import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message

from tests.unit.cli.made_up import make_wheel, quiet
from webtools.cli.files.compressing import Compressor
from webtools.cli.serving.listening import is_for_this_machine, listen, url_of
from webtools.cli.serving.server import application
from webtools.cli.terminal.problems import CommandProblem

PACK = b"PK and what it holds. " * 100
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


@pytest.fixture
def compressing(app: ASGIApp, site: Path, tmp_path: Path) -> ASGIApp:
    """The same site, with a pack that lies compressed."""
    library, runtime = tmp_path / "static", tmp_path / "runtime"
    pack = runtime / "packages-1.zip"
    pack.write_bytes(PACK)
    compressed = Compressor(tmp_path / "compressed", quiet, best=False).variants([pack])
    micropip = make_wheel(tmp_path, "micropip")
    return application(site, library=library, runtime=runtime, micropip=micropip, compressed=compressed)


def ask(
    app: ASGIApp, path: str, *, method: str = "GET", **headers: str
) -> tuple[int, Mapping[str, str], bytes]:
    """Ask as a browser does, and give the body as it came over the wire."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope: dict[str, Any] = {"type": "http", "method": method, "path": path}
    scope |= {"root_path": "", "query_string": b""}
    scope |= {"headers": named, "server": ("shop", 80), "asgi": {"spec_version": "2.4"}}
    anyio.run(app, scope, receive, send)
    answered = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
    return int(sent[0]["status"]), answered, b"".join(message["body"] for message in sent[1:])


def raw_status(app: ASGIApp, path: str) -> int:
    """Ask for a path as it is: a client would tidy it up before it sends it."""
    return ask(app, path)[0]


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


def test_a_file_that_is_changed_under_its_old_size_and_date_is_sent_again(
    client: TestClient, site: Path
) -> None:
    shop = site / "shop.py"
    before, etag = shop.stat(), client.get("/shop.py").headers["etag"]
    (site / "shop.py.new").write_text("1234")
    os.utime(site / "shop.py.new", ns=(before.st_atime_ns, before.st_mtime_ns))
    (site / "shop.py.new").replace(shop)  # as rsync -t and tar do
    assert client.get("/shop.py", headers={"If-None-Match": etag}).text == "1234"


def test_a_page_without_an_icon_is_no_error(client: TestClient, site: Path) -> None:
    assert client.get("/favicon.ico").status_code == 204
    assert client.get("/help/favicon.ico").status_code == 404
    (site / "favicon.ico").write_bytes(b"icon")
    assert client.get("/favicon.ico").content == b"icon"


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


@pytest.mark.parametrize(
    ("path", "content", "media_type"),
    [
        ("/webtools/runtime/packages-1.zip", PACK, "application/zip"),
        ("/webtools/webtools.js", b"export {}", "text/javascript"),
        ("/", b"<title>shop</title>", "text/html"),
    ],
)
def test_a_browser_gets_the_encoding_that_it_takes(
    compressing: ASGIApp, path: str, content: bytes, media_type: str
) -> None:
    etags = set()
    for takes, encoding, unpack in (
        ("gzip, deflate, br", "br", brotli.decompress),
        ("gzip", "gzip", gzip.decompress),
        ("br;q=0, zstd", None, bytes),
        ("", None, bytes),
    ):
        status, headers, body = ask(compressing, path, accept_encoding=takes)
        assert status == 200
        assert unpack(body) == content
        assert headers["content-length"] == str(len(body))
        assert headers["content-type"].partition(";")[0] == media_type
        assert headers["vary"] == "Accept-Encoding"
        assert headers.get("content-encoding") == encoding
        etags.add(headers["etag"])
    assert len(etags) == 3


@pytest.mark.parametrize("path", ["/webtools/runtime/packages-1.zip", "/shop.py"])
def test_an_encoded_file_answers_head_and_304_as_a_plain_one_does(compressing: ASGIApp, path: str) -> None:
    _, headers, body = ask(compressing, path, accept_encoding="br")
    assert ask(compressing, path, method="HEAD", accept_encoding="br") == (200, headers, b"")
    status, kept, nothing = ask(compressing, path, accept_encoding="br", if_none_match=headers["etag"])
    assert (status, nothing) == (304, b"")
    assert {**headers, **kept} == headers
    assert {"etag", "vary", "cache-control"} <= kept.keys()
    other, _, plain = ask(compressing, path, if_none_match=headers["etag"])
    assert (other, plain == body) == (200, False)


def test_a_range_is_one_of_the_file_as_it_is(compressing: ASGIApp) -> None:
    path = "/webtools/runtime/packages-1.zip"
    status, headers, body = ask(compressing, path, accept_encoding="br", range="bytes=3-5")
    assert (status, body, "content-encoding" in headers) == (206, b"and", False)
    assert headers["vary"] == "Accept-Encoding"
    encoded = ask(compressing, path, accept_encoding="br")[1]["etag"]
    status, _, body = ask(compressing, path, accept_encoding="br", range="bytes=3-5", if_range=encoded)
    assert (status, body) == (200, PACK)


def test_a_text_that_changes_is_compressed_as_it_is_now(compressing: ASGIApp, site: Path) -> None:
    before = ask(compressing, "/shop.py", accept_encoding="br")[1]["etag"]
    (site / "shop.py").write_text("print('changed')")
    body = ask(compressing, "/shop.py", accept_encoding="br", if_none_match=before)[2]
    assert brotli.decompress(body) == b"print('changed')"


def test_what_is_no_text_or_a_long_one_is_sent_as_it_is(compressing: ASGIApp, site: Path) -> None:
    (site / "photo.png").write_bytes(PACK)
    (site / "long.json").write_bytes(b" " * 1_000_001)
    for path in ("/photo.png", "/long.json"):
        assert "content-encoding" not in ask(compressing, path, accept_encoding="br")[1]


def test_without_compressed_files_nothing_is_compressed(app: ASGIApp) -> None:
    _, headers, body = ask(app, "/shop.py", accept_encoding="br, gzip")
    assert (body, "content-encoding" in headers, "vary" in headers) == (b"pass", False, False)


def test_a_site_without_a_first_page_answers_404(client: TestClient, site: Path) -> None:
    (site / "index.html").unlink()
    assert client.get("/", headers=NAVIGATION).status_code == 404


def test_a_folder_shows_its_own_page_under_a_url_that_ends_in_a_slash(client: TestClient) -> None:
    answer = client.get("/help", headers=NAVIGATION)
    assert (answer.url.path, answer.text) == ("/help/", "<title>help</title>")


@pytest.mark.parametrize(("host", "is_here"), [("127.0.0.1", True), ("127.0.0.2", True), ("0.0.0.0", False)])
def test_other_machines_can_ask_where_it_listens_to_them(host: str, is_here: bool) -> None:
    with listen(host, 0) as listener:
        assert is_for_this_machine(listener) is is_here


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


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1", "nobody..here"])
def test_a_host_that_is_not_this_machine_is_told_with_the_cure(host: str) -> None:
    with pytest.raises(
        CommandProblem, match=rf"^There is no host {host!r} here; choose another with --host$"
    ):
        listen(host, 0)


def test_a_name_that_nobody_has_is_told_with_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise OSError(socket.EAI_NONAME, "Name or service not known (while attempting to bind on address x)")

    monkeypatch.setattr(socket, "create_server", unknown)  # a real one would ask a name server
    with pytest.raises(CommandProblem, match=r"^There is no host 'nobody' here; .* --host$"):
        listen("nobody", 0)


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")
def test_an_ipv6_address_stands_in_brackets() -> None:
    with listen("::1", 0) as listener:
        assert url_of(listener).startswith("http://[::1]:")
