"""A certificate for this machine, so that its pages have WebMCP on other devices, too.

It is made anew each time, by an authority that lives as long as its files: who trusts that once trusts all
that it makes.
"""

import os
import re
import socket
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import trustme
from filelock import FileLock
from platformdirs import user_data_path
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from webtools.cli.serving.callers import own_names
from webtools.cli.terminal.problems import CommandProblem

__all__ = ["CERTIFICATE", "Identity", "identity_of", "names_for"]

CERTIFICATE = "webtools/ca.crt"
"""The path where other devices fetch the authority's certificate."""

_VALID = timedelta(days=397)
"""Browsers take no certificate for longer, counted from a day before: clocks differ."""
_DAY = timedelta(days=1)

_NAME = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")
_NOWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses that nobody has (RFC 5737, RFC 3849)."""


@dataclass(frozen=True)
class Identity:
    """What proves to a browser that it speaks with this machine.

    Attributes:
        context: For the server.
        authority: The file of the certificate that other devices trust.
    """

    context: ssl.SSLContext
    authority: Path

    def route(self) -> Route:
        """Serve the authority's certificate, which is public."""

        async def authority(_: Request) -> Response:
            return FileResponse(
                self.authority, media_type="application/x-x509-ca-cert", headers={"Cache-Control": "no-store"}
            )

        return Route(f"/{CERTIFICATE}", authority)


def identity_of(names: list[str], folder: Path | None = None) -> Identity:
    """Make a certificate for these names and addresses.

    Args:
        names: See `names_for`.
        folder: Where the authority lies; default: with the user's data.

    Raises:
        CommandProblem: The authority cannot be read or written.
    """
    place = folder or user_data_path("webtools", appauthor=False)
    try:
        authority = _authority(place)
    except OSError as error:
        raise CommandProblem(
            f"Cannot keep a certificate authority in {place} ({error.strerror}); give permission there"
        ) from error
    except ValueError as error:
        raise CommandProblem(
            f"The certificate authority in {place} is damaged; delete that folder for a new one"
        ) from error
    now = datetime.now(UTC)
    leaf = authority.issue_cert(*names, not_before=now - _DAY, not_after=now - _DAY + _VALID)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    leaf.configure_cert(context)
    return Identity(context, place / "ca.pem")


def names_for(listener: socket.socket) -> tuple[list[str], list[str]]:
    """Give what this machine is called by itself, and what other devices can call it.

    The second are none where a socket listens for this machine only.
    """
    address = ip_address(listener.getsockname()[0])
    here = ["localhost", "127.0.0.1", "::1"]
    if address.is_loopback:
        return [*dict.fromkeys([*here, str(address)])], []
    there = [str(address)] if not address.is_unspecified else _addresses(listener.family)
    return here, [*there, *(name for name in own_names() if _NAME.fullmatch(name) and name not in here)]


def _addresses(family: int) -> list[str]:
    """Give the address by which this machine is known in its network, for each kind that is listened to."""
    families = [socket.AF_INET6, socket.AF_INET] if family == socket.AF_INET6 else [socket.AF_INET]
    return [address for each in families if (address := _address(each))]


def _address(family: socket.AddressFamily) -> str | None:
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_NOWHERE[family], 9))  # sends nothing: it only chooses the way
        except OSError:
            return None  # there is no network
        return str(probe.getsockname()[0])


def _authority(folder: Path) -> trustme.CA:
    """Give the one that there is, or make one; its key is its owner's alone."""
    folder.mkdir(parents=True, exist_ok=True)
    certificate, key = folder / "ca.pem", folder / "ca-key.pem"
    with FileLock(folder / "ca.lock"):
        if certificate.is_file() and key.is_file():
            return trustme.CA.from_pem(certificate.read_bytes(), key.read_bytes())
        made = trustme.CA(organization_name="webtools serve", organization_unit_name=socket.gethostname())
        key.unlink(missing_ok=True)
        with os.fdopen(os.open(key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(made.private_key_pem.bytes())
        made.cert_pem.write_to_path(certificate)
        return made
