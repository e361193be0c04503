from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from webtools.cli.serving.greeting import greeting
from webtools.cli.serving.https import CERTIFICATE, Identity, identity_of, names_for
from webtools.cli.serving.listening import listen
from webtools.cli.serving.server import Server
from webtools.cli.terminal.problems import CommandProblem


async def hello(_: object) -> PlainTextResponse:
    return PlainTextResponse("hello")


@contextmanager
def serving(identity: Identity) -> Iterator[str]:
    with listen("127.0.0.1", 0) as listener:
        app = Starlette(routes=[identity.route(), Route("/", hello)])
        server = Server(app, context=identity.context)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"https://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def test_who_trusts_the_authority_gets_the_page_and_who_does_not_gets_nothing(tmp_path: Path) -> None:
    identity = identity_of(["127.0.0.1", "shop.local"], tmp_path)
    trusting = ssl.create_default_context(cafile=identity.authority)
    with serving(identity) as url:
        with httpx2.Client(verify=trusting) as client:
            assert client.get(f"{url}/").text == "hello"
            given = client.get(f"{url}/{CERTIFICATE}")
        assert given.content == identity.authority.read_bytes()
        assert given.headers["content-type"] == "application/x-x509-ca-cert"
        with (
            httpx2.Client(verify=ssl.create_default_context()) as stranger,
            pytest.raises(httpx2.ConnectError),
        ):
            stranger.get(f"{url}/")


def test_the_authority_stays_and_its_key_is_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    first = identity_of(["localhost"], folder).authority.read_bytes()
    assert identity_of(["localhost", "192.0.2.7"], folder).authority.read_bytes() == first
    assert (folder / "ca-key.pem").stat().st_mode & 0o777 == 0o600
    assert b"PRIVATE" not in first


@pytest.mark.parametrize("damage", ["ca.pem", "ca-key.pem"])
def test_an_authority_that_is_damaged_is_told_with_the_cure(tmp_path: Path, damage: str) -> None:
    identity_of(["localhost"], tmp_path)
    (tmp_path / damage).write_text("no PEM")
    with pytest.raises(CommandProblem, match="delete that folder for a new one"):
        identity_of(["localhost"], tmp_path)


def test_an_authority_that_cannot_be_kept_is_told_with_the_cure(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CommandProblem, match=r"^Cannot keep .*file/webtools \(.+\); give permission there$"):
        identity_of(["localhost"], tmp_path / "file" / "webtools")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a page."""
    monkeypatch.chdir(tmp_path)
    Path("shop").mkdir()
    Path("shop/index.html").write_text("<title>shop</title>")
    return Path("shop")


def test_a_socket_for_this_machine_has_no_name_for_others(shop: Path) -> None:
    with listen("127.0.0.1", 0) as listener:
        assert names_for(listener) == (["localhost", "127.0.0.1", "::1"], [])
        (line,) = greeting(shop, listener, [], None)
        assert line == f"Serving shop at http://127.0.0.1:{listener.getsockname()[1]}/"


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("site/index.html", "there is one in todo/site: webtools serve todo/site"),
        ("cells.html", "open a page by its name, such as /cells.html"),
        ("notes.txt", "put one there"),
    ],
)
def test_a_folder_without_a_first_page_is_told_with_what_may_be_meant(
    shop: Path, file: str, said: str
) -> None:
    todo = Path("todo")
    (todo / file).parent.mkdir(parents=True)
    (todo / file).write_text("")
    with listen("127.0.0.1", 0) as listener:
        _, line = greeting(todo, listener, [], None)
    assert line == f"warning: todo has no index.html, so there is no page at /; {said}"


def test_plain_http_for_other_devices_says_that_they_have_no_tools(shop: Path) -> None:
    with listen("0.0.0.0", 0) as listener:
        _, others = names_for(listener)
        assert others  # at least the name of this machine
        lines = list(greeting(shop, listener, ["10.1.2.3"], None))
    assert (
        lines[1] == "Other devices have no tools over http, which is no secure context; for these add --https"
    )


def test_https_for_this_machine_alone_says_how_other_devices_get_it(tmp_path: Path, shop: Path) -> None:
    identity = identity_of(["localhost"], tmp_path)
    with listen("127.0.0.1", 0) as listener:
        _, line = greeting(shop, listener, [], identity)
    assert line == "Only this machine can open it: for other devices add --host 0.0.0.0"


def test_https_says_how_other_devices_reach_and_trust_it(tmp_path: Path, shop: Path) -> None:
    identity = identity_of(["localhost"], tmp_path)
    with listen("0.0.0.0", 0) as listener:
        port = listener.getsockname()[1]
        lines = list(greeting(shop, listener, ["10.1.2.3", "desk.local"], identity))
    where = f"https://10.1.2.3:{port}/webtools/ca.crt (here: {identity.authority})"
    assert lines == [
        f"Serving shop at https://localhost:{port}/",
        f"Other devices: https://10.1.2.3:{port}/ or https://desk.local:{port}/",
        f"They trust it once they have this certificate: {where}",
    ]
