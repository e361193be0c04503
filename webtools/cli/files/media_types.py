"""Types of files, the same on every machine."""

import mimetypes
import os

__all__ = ["media_type"]

# Not the machine's mime.types, which may say anything: a module of the wrong type does not run at all.
_MEDIA_TYPES = mimetypes.MimeTypes()
for _suffix, _type in {
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".py": "text/x-python",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".whl": "application/zip",
    ".zip": "application/zip",
}.items():
    _MEDIA_TYPES.add_type(_type, _suffix)


def media_type(path: str | os.PathLike[str]) -> str:
    """Give the type of a file by its name."""
    return _MEDIA_TYPES.guess_type(os.fspath(path))[0] or "application/octet-stream"
