"""The site that is measured: the pages, and beside them at their best what webtools is measured against.

Pyodide as npm has it, PyScript, React and the validators are served compressed, to be kept for good, as a CDN
does it; webtools' own files as `webtools serve` gives them.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from bench.lock import lock_text
from e2e.others import MODULES, PYODIDE, copy_pyodide, copy_pyscript
from e2e.sites import isolated, serving
from webtools.cli.manifest import manifest_text
from webtools.cli.runtime.assembling import ensure_runtime
from webtools.cli.sources.checkout import CHECKOUT
from webtools.cli.terminal.problems import report_to_stderr
from webtools.cli.wheels.pinned import pinned_wheels

PAGES = Path(__file__).parent / "pages"
BUILD = CHECKOUT / "build" / "bench"
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm"}
COMPRESS = """
  const {brotliCompressSync} = require("node:zlib");
  const {readFileSync, writeFileSync} = require("node:fs");
  const [from, to] = process.argv.slice(1);
  writeFileSync(to, brotliCompressSync(readFileSync(from)));
"""


@contextmanager
def site() -> Iterator[str]:
    """Build what is missing and serve it; gives the URL, which ends with a slash."""
    folder, others = BUILD / "site", BUILD / "others"
    for each in (folder, others):
        shutil.rmtree(each, ignore_errors=True)
    shutil.copytree(PAGES, folder)
    version = importlib.metadata.version("webtools-host")
    manifest = manifest_text(
        folder / "app.py", runtime=ensure_runtime(), library=CHECKOUT / "static", version=version
    )
    (folder / "app.tools.json").write_text(manifest)
    collect_stock(others / "stock")
    collect_bundles(others / "bundles")
    copy_pyscript(others / "pyscript")
    compress(others)
    with serving(folder, lambda app: isolated(beside(app, others)), is_compressed=True) as url:
        yield url


def collect_stock(folder: Path) -> None:
    """Pyodide as npm has it, and pydantic's wheels as PyPI has them."""
    copy_pyodide(folder)
    info = json.loads((PYODIDE / "pyodide-lock.json").read_bytes())["info"]
    wheels = pinned_wheels(CHECKOUT / "build" / "wheels", info, report_to_stderr)
    wheels = [wheel for wheel in wheels if not wheel.name.startswith("docstring_parser")]
    for wheel in wheels:
        shutil.copyfile(wheel, folder / wheel.name)
    (folder / "pyodide-lock.json").write_text(lock_text(info, wheels))


def collect_bundles(folder: Path) -> None:
    """Each module of `pages/` that imports from npm as one module, minified, for production."""
    for source in PAGES.glob("*.mjs"):
        (folder / f"{source.stem}.js").parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{source.stem}.js").write_bytes(bundle(source))


def bundle(entry: Path) -> bytes:
    """Make one minified module of a module and what it imports."""
    options = ["--bundle", "--minify", "--format=esm", '--define:process.env.NODE_ENV="production"']
    command = [str(MODULES / ".bin" / "esbuild"), str(entry), *options]
    return subprocess.run(command, check=True, capture_output=True).stdout


def compress(folder: Path) -> None:
    """Put the brotli of each file beside it; it is kept from one run to the next, since it takes a while."""
    kept = BUILD / "brotli"
    kept.mkdir(parents=True, exist_ok=True)
    for source in [path for path in folder.rglob("*") if path.is_file()]:
        done = kept / hashlib.sha256(source.read_bytes()).hexdigest()
        if not done.is_file():
            subprocess.run(["node", "-e", COMPRESS, str(source), str(done)], check=True)
        shutil.copyfile(done, f"{source}.br")


def beside(app: ASGIApp, others: Path) -> ASGIApp:
    """Serve what others' pages load under `/others/`, all else by the app."""

    async def give(request: Request) -> Response:
        path = others / request.path_params["path"]
        headers = {"Content-Encoding": "br", "Cache-Control": "public, max-age=31536000, immutable"}
        media_type = TYPES.get(path.suffix, "application/octet-stream")
        return FileResponse(f"{path}.br", headers=headers, media_type=media_type)

    return Starlette(routes=[Route("/others/{path:path}", give), Mount("/", app)])
