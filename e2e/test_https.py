"""`webtools serve --https`: a page on another device, which is one that calls this machine by its name."""

from __future__ import annotations

import base64
import hashlib
import ssl
from pathlib import Path
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509 import load_pem_x509_certificate

from e2e.agents import Agent, Mode, text_of
from e2e.conftest import Launch
from e2e.sites import STRICT_CSP, serving, with_csp
from webtools.cli.serving.https import identity_of

PAGE = '<!doctype html><title>desk</title><script type="module" src="/webtools/webtools.js"></script>'
DEFINE = """() => {
  webtools.define({name: "ping", description: "Answer."}, () => "pong");
}"""


def trusting(port: int) -> str:
    """The argument by which Chromium trusts what has the key of the certificate at a port of this machine."""
    certificate = load_pem_x509_certificate(ssl.get_server_certificate(("127.0.0.1", port)).encode())
    key = certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return f"--ignore-certificate-errors-spki-list={base64.b64encode(hashlib.sha256(key).digest()).decode()}"


def test_a_device_that_trusts_the_certificate_has_tools(launch: Launch, mode: Mode, tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    site.joinpath("index.html").write_text(PAGE)
    identity = identity_of(["desk.test"], tmp_path / "authority")
    with serving(site, with_csp(STRICT_CSP), context=identity.context) as url:
        port = urlsplit(url).port or 0
        named = ["--host-resolver-rules=MAP desk.test 127.0.0.1", "--proxy-bypass-list=desk.test"]
        with launch(mode, more=[trusting(port), *named]) as browser:
            page = browser.new_page()
            page.goto(f"https://desk.test:{port}/")
            assert page.evaluate("isSecureContext") is True
            page.evaluate(DEFINE)
            page.wait_for_function("() => webtools.tools()[0].state === 'registered'")
            agent = Agent(page, mode)
            assert agent.names() == ["ping"]
            assert text_of(agent.call("ping")) == "pong"
