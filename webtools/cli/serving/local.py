"""Who may ask a server that is for this machine: pages of this machine's own names, and no others.

A page of another site can have its own name lead to this machine ("DNS rebinding"). Its scripts would then
read what is served here as their own; but their requests still name that site.
"""

from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["only_by_local_names"]

_REFUSAL = (
    "This server is for this machine only: open it as http://127.0.0.1 or http://localhost, "
    "or name another address with --host.\n"
)


def only_by_local_names(app: ASGIApp) -> ASGIApp:
    """Refuse requests whose `Host` is no name or address of the machine itself."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        is_meant = scope["type"] not in ("http", "websocket") or _is_local(Headers(scope=scope).get("host"))
        answer = app if is_meant else PlainTextResponse(_REFUSAL, 403)
        await answer(scope, receive, send)

    return guarded


def _is_local(host: str | None) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
