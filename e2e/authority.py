"""An OAuth server for one client with PKCE, and the service that its tokens open."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any
from urllib.parse import parse_qs, urlencode

from starlette.types import ASGIApp, Receive, Scope, Send

TOKEN = "issued-token-0f9e8d7c"
CODE = "a-code-of-one-use"


class Authority:
    """Wraps an application, of which it leaves what is not its own.

    Attributes:
        asked: The query of each visit to authorize.
        refused: How many codes were refused.
        charged: What was paid.
    """

    def __init__(self) -> None:
        self.asked: list[dict[str, str]] = []
        self.refused = 0
        self.charged: list[int] = []

    def wrap(self, app: ASGIApp) -> ASGIApp:
        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            name = str(scope["path"]).strip("/")
            if name not in ("authorize", "token", "charge"):
                await app(scope, receive, send)
                return
            query = _flat(scope["query_string"].decode())
            headers = {key.decode(): value.decode() for key, value in scope["headers"]}
            form = _flat((await receive()).get("body", b"").decode())
            status, more, body = getattr(self, name)(query, headers, form)
            cors = [
                (b"access-control-allow-origin", b"*"),
                (b"access-control-allow-headers", b"authorization"),
            ]
            all_headers = [*cors, *((key.encode(), value.encode()) for key, value in more.items())]
            await send({"type": "http.response.start", "status": status, "headers": all_headers})
            await send({"type": "http.response.body", "body": json.dumps(body).encode()})

        return wrapped

    def authorize(self, query: dict[str, str], *_: object) -> tuple[int, dict[str, str], Any]:
        self.asked.append(query)
        back = urlencode({"code": CODE, "state": query["state"]})
        return 302, {"location": f"{query['redirect_uri']}?{back}"}, None

    def token(self, _: object, __: object, form: dict[str, str]) -> tuple[int, dict[str, str], Any]:
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        asked = self.asked[-1]
        is_right = (form["code"], challenge) == (CODE, asked["code_challenge"])
        if not is_right or form["redirect_uri"] != asked["redirect_uri"]:
            self.refused += 1
            return 400, {}, {"error": "invalid_grant"}
        return 200, {}, {"access_token": TOKEN, "token_type": "Bearer", "expires_in": 3600}

    def charge(
        self, query: dict[str, str], headers: dict[str, str], _: object
    ) -> tuple[int, dict[str, str], Any]:
        if headers.get("authorization") != f"Bearer {TOKEN}":
            return 200, {}, {"charged": 0}  # also a browser's question whether the header may be sent
        self.charged.append(int(query["cents"]))
        return 200, {}, {"charged": int(query["cents"])}


def _flat(query: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(query).items()}
