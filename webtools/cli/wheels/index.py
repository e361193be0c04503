"""The package index of a site: its wheels, as micropip in a page, or pip, asks for them.

HTML, since that is what any static host can serve as well: a page for each project, and the wheels beside it.

Source: https://peps.python.org/pep-0503/
"""

import hashlib
import html
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route

from webtools.cli.files.headers import ASK
from webtools.cli.terminal.problems import CommandProblem

__all__ = ["FOLDER", "by_project", "index_files", "index_routes", "project_page"]

FOLDER = "wheels"
"""Where an author puts wheels, in the folder that is served."""

_FRESH = {"Cache-Control": ASK}


def by_project(wheels: Iterable[Path]) -> dict[str, list[Path]]:
    """Sort wheels by the names of their projects.

    Raises:
        CommandProblem: A file has no name of a wheel.
    """
    projects: dict[str, list[Path]] = {}
    for wheel in sorted(wheels):
        try:
            name, _, _, _ = parse_wheel_filename(wheel.name)
        except InvalidWheelFilename as error:
            raise CommandProblem(
                f"{wheel} has no wheel's name, such as name-1.0-py3-none-any.whl; give it the one that it "
                f"was built with, or take it away"
            ) from error
        projects.setdefault(name, []).append(wheel)
    return projects


def project_page(wheels: Iterable[Path]) -> str:
    """Write the page of one project, for the folder in which its wheels lie."""
    links = (
        f'<a href="{quote(wheel.name)}#sha256={_hash(wheel)}">{html.escape(wheel.name)}</a>'
        for wheel in wheels
    )
    return "<!doctype html>\n" + "\n".join(links) + "\n"


def index_routes(folder: Path, micropip: Path) -> list[Route]:
    """Serve the wheels in a folder as an index, and micropip beside it; each request looks anew.

    Args:
        folder: Need not be there.
        micropip: Its wheel.
    """

    async def project(request: Request) -> Response:
        return HTMLResponse(project_page(_found(folder, request)), headers=_FRESH)

    async def wheel(request: Request) -> Response:
        for path in _found(folder, request):
            if path.name == request.path_params["file"]:
                return FileResponse(path, headers=_FRESH, media_type="application/zip")
        raise HTTPException(404)

    async def installer(_: Request) -> Response:
        return FileResponse(micropip, headers=_FRESH, media_type="application/zip")

    return [
        Route("/micropip.whl", installer),
        Route("/{project}/", project),
        Route("/{project}/{file}", wheel),
    ]


def index_files(folder: Path, micropip: Path) -> dict[str, bytes]:
    """Give the same as files, by their paths in the index; none where there are no wheels.

    Args:
        folder: Need not be there.
        micropip: Its wheel.

    Raises:
        CommandProblem: A file has no name of a wheel.
    """
    files: dict[str, bytes] = {}
    for name, wheels in by_project(folder.glob("*.whl")).items():
        files["micropip.whl"] = micropip.read_bytes()
        files[f"{name}/index.html"] = project_page(wheels).encode()
        files |= {f"{name}/{wheel.name}": wheel.read_bytes() for wheel in wheels}
    return files


def _found(folder: Path, request: Request) -> list[Path]:
    name = canonicalize_name(request.path_params["project"])
    wheels = by_project(folder.glob("*.whl")).get(name)
    if wheels is None:
        raise HTTPException(404)
    return wheels


def _hash(wheel: Path) -> str:
    return hashlib.sha256(wheel.read_bytes()).hexdigest()
