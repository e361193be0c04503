"""Files as they are sent, each kind with what is its own: an author's, the library's and the runtime's."""

import os
from collections.abc import Mapping
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse, PathLike, StaticFiles
from starlette.types import Scope

from webtools.cli.files.compressing import SUFFIXES, Encoding, Variants, compress
from webtools.cli.files.folder import INDEX
from webtools.cli.files.headers import ASK, FOR_EVER
from webtools.cli.files.media_types import media_type
from webtools.cli.serving.encodings import accepted

__all__ = ["Files", "ModuleFiles", "RuntimeFiles", "SiteFiles"]

_TEXTS = frozenset({".css", ".html", ".js", ".json", ".mjs", ".py", ".svg"})
"""What is compressed when it is asked for, up to this size, which takes some milliseconds."""
_TEXT_BYTES = 1_000_000
_ICON = "favicon.ico"
_SAME_HEADERS = ("cache-control", "content-encoding", "content-type", "etag", "last-modified", "vary")
"""Of a file as it is, and compressed."""


class Files(StaticFiles):
    """Files of one folder, none hidden and none from outside it, for a browser that asks anew each time."""

    compressed: Mapping[Path, Variants] | None = None
    """Those that lie compressed, by their paths; with None nothing is sent compressed."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Find a file, as Starlette has it done; what is hidden is not there."""
        try:
            found, status = super().lookup_path(path)
        except OSError:  # a name too long, a folder that may not be read, a link to itself
            return "", None
        return (found, status) if status and not self._is_hidden(found) else ("", None)

    def _is_hidden(self, found: str) -> bool:
        parts = Path(found).relative_to(Path(str(self.directory)).resolve()).parts
        return any(part.startswith(".") for part in parts)

    def file_response(
        self, full_path: PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Answer with a file, or with what it is compressed, or that the browser has it."""
        response = FileResponse(
            full_path,
            status_code,
            headers={"Cache-Control": self._kept(full_path), "ETag": _tag(stat_result)},
            media_type=media_type(full_path),
            stat_result=stat_result,
        )
        request = Headers(scope=scope)
        encoding = self._encoding(response, request)
        if self.compressed is not None:
            response.headers["Vary"] = "Accept-Encoding"
        if encoding:
            response.headers["Content-Encoding"] = encoding
            tag = response.headers["etag"].strip('"')
            response.headers["ETag"] = f'"{tag}-{encoding}"'
        if self.is_not_modified(response.headers, request):
            return NotModifiedResponse(response.headers)
        return self._encoded(response, encoding, scope) if encoding else response

    def _encoding(self, plain: FileResponse, request: Headers) -> Encoding | None:
        """Choose by what the browser takes; a range is always one of the file as it is."""
        if self.compressed is None or "range" in request:
            return None
        path = Path(plain.path)
        is_text = path.suffix in _TEXTS and int(plain.headers["content-length"]) <= _TEXT_BYTES
        offers = self.compressed.get(path) or (SUFFIXES if is_text else {})
        ways = accepted(request.get("accept-encoding", ""))
        return next((way for way in ways if way in offers), None)

    def _encoded(self, plain: FileResponse, encoding: Encoding, scope: Scope) -> Response:
        headers = {name: plain.headers[name] for name in _SAME_HEADERS}
        ahead = (self.compressed or {}).get(Path(plain.path), {}).get(encoding)
        if ahead:
            return FileResponse(ahead, headers=headers, stat_result=ahead.stat())
        content = compress(Path(plain.path).read_bytes(), encoding, best=False)
        headers["content-length"] = str(len(content))
        return Response(b"" if scope["method"] == "HEAD" else content, headers=headers)

    def _kept(self, _: PathLike) -> str:
        """How long a browser may keep a file without asking anew."""
        return ASK


class RuntimeFiles(Files):
    """Files that never change under their names, but for the index."""

    def _kept(self, path: PathLike) -> str:
        is_index = Path(os.fspath(path)).name == INDEX
        return super()._kept(path) if is_index else FOR_EVER


class ModuleFiles(Files):
    """The library's own modules, and nothing that lies beside or below them."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Find a module."""
        is_module = path.endswith(".js") and os.sep not in path
        return super().lookup_path(path) if is_module else ("", None)


class SiteFiles(Files):
    """An author's folder. Routes of the page's own router get the page, so that they survive a reload."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer with a file, or with the page."""
        try:
            return await self._found(path, scope)
        except HTTPException as problem:
            if problem.status_code == 404 and path == _ICON:  # every browser asks, and shows an error
                return Response(status_code=204, headers={"Cache-Control": ASK})
            if problem.status_code != 404 or not _is_navigation(scope):
                raise
            return await self._found("index.html", scope)

    async def _found(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if response.status_code == 404:  # Starlette's way with an author's 404.html
            raise HTTPException(404)
        return response


def _tag(status: os.stat_result) -> str:
    """Name what a file holds: not by size and date alone, which rsync and tar can leave as they were."""
    return f'"{status.st_size:x}-{status.st_mtime_ns:x}-{status.st_ctime_ns:x}-{status.st_ino:x}"'


def _is_navigation(scope: Scope) -> bool:
    path = scope["path"]
    names_a_file = "." in path.rpartition("/")[2] or "/." in path
    return "text/html" in Headers(scope=scope).get("accept", "") and not names_a_file
