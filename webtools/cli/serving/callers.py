"""Who may speak with the dev server: its own pages, and no page of another site.

A page of another site can send requests to any address, also to this machine's own, and by a name that it
makes mean this machine it would be of the same origin. So a request has to name this machine by a name that
nobody else can give it, and what tells us something has to come from a page that was served here.
"""

import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request

__all__ = ["check_host", "check_origin", "own_names"]


def own_names() -> list[str]:
    """The names of this machine in its own network."""
    name = socket.gethostname().lower()
    return ["localhost", name, f"{name.partition('.')[0]}.local"]


def check_host(request: Request) -> None:
    """Refuse whoever calls this machine by a name that may be a stranger's.

    Raises:
        HTTPException: 403.
    """
    if not _is_own(request.headers.get("host", "")):
        raise HTTPException(403)


def check_origin(request: Request) -> None:
    """Refuse what does not come from a page of this origin, or could be sent by any page without asking.

    Raises:
        HTTPException: 403.
    """
    site = request.headers.get("sec-fetch-site", "same-origin")  # no browser sends it over plain http
    is_ours = request.headers.get("origin") == f"{request.url.scheme}://{request.headers.get('host', '')}"
    is_asked_for = request.headers.get("content-type") == "application/json"
    if site != "same-origin" or not is_ours or not is_asked_for:
        raise HTTPException(403)


def _is_own(host: str) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    try:
        ip_address(name)
    except ValueError:
        return name in own_names() or name.endswith(".localhost")
    return True  # a number means what it says
