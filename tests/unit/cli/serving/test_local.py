"""What is served to this machine alone is not read by pages of other sites."""

from typing import Any

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient, WebSocketDenialResponse

from tests.unit.cli.serving.test_server import ask
from webtools.cli.serving import server
from webtools.cli.serving.listening import listen
from webtools.cli.serving.local import only_by_local_names

SITE = only_by_local_names(PlainTextResponse("mine"))


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:8000", "localhost:8000", "LOCALHOST", "shop.localhost", "[::1]:8000"]
)
def test_a_page_under_a_name_of_this_machine_is_served(host: str) -> None:
    assert ask(SITE, "/", host=host)[2] == b"mine"


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example:8000", "localhost.evil.example", "192.168.1.7", "[", "", "a@b"],
)
def test_a_page_whose_name_was_bent_to_this_machine_is_refused(host: str) -> None:
    status, _, body = ask(SITE, "/", host=host)
    assert (status, b"mine" in body) == (403, False)


def test_a_request_that_names_no_host_is_refused() -> None:
    assert ask(SITE, "/")[0] == 403


def test_a_socket_of_such_a_page_is_refused_too() -> None:
    with (
        pytest.raises(WebSocketDenialResponse) as refused,
        TestClient(SITE).websocket_connect("/", headers={"host": "evil.example"}),
    ):
        pass
    assert refused.value.status_code == 403


@pytest.mark.parametrize(("host", "status"), [("127.0.0.1", 403), ("0.0.0.0", 200)])
def test_what_is_open_to_other_machines_is_served_by_any_name(
    monkeypatch: pytest.MonkeyPatch, host: str, status: int
) -> None:
    ran: list[Any] = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, **_: ran.append(self.config.app))
    with listen(host, 0) as listener:
        server.run(PlainTextResponse("mine"), listener)
    assert ask(ran[0], "/", host="shop.example")[0] == status
