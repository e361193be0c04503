"""The tests themselves ask no other machine."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

import pytest

from tests import loopback


def connect() -> None:
    with socket.socket() as client:
        client.connect(("192.0.2.1", 80))


def send() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.sendto(b"?", ("192.0.2.1", 53))


def look_up() -> None:
    socket.getaddrinfo("shop.example", 443)


def look_up_in_a_loop() -> None:
    asyncio.run(asyncio.open_connection("shop.example", 443))


def connect_by_version_6() -> None:
    with socket.socket(socket.AF_INET6) as client:
        client.connect(("2001:db8::1", 80))


@pytest.mark.parametrize("ask", [connect, send, look_up, look_up_in_a_loop, connect_by_version_6])
def test_another_machine_is_not_asked_and_it_is_noted(ask: Callable[[], None]) -> None:
    with pytest.raises(loopback.AskedElsewhere):
        ask()
    assert len(loopback.asked) == 1
    loopback.asked.clear()


def test_this_machine_may_be_asked() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
        socket.create_connection(("localhost", server.getsockname()[1])).close()
