"""The file `_headers`, in the form that Netlify and Cloudflare Pages read."""

from collections.abc import Iterable

from webtools.cli.files.media_types import media_type

__all__ = ["ASK", "FOR_EVER", "headers_text"]

FOR_EVER = "public, max-age=31536000, immutable"
"""`Cache-Control` of what never changes under its name."""

ASK = "no-cache"
"""`Cache-Control` of what a browser has to ask for anew each time."""


def headers_text(*, kept: Iterable[str], asked: Iterable[str], typed: Iterable[str]) -> str:
    """Write the rules. No path gets a header twice: such hosts would send both.

    Args:
        kept: Paths, or patterns with `*` at the end, of what never changes.
        asked: Of what a browser has to ask for anew each time.
        typed: Of files whose types a host may not know.
    """
    rules = [(path, f"Cache-Control: {FOR_EVER}") for path in kept]
    rules += [(path, f"Cache-Control: {ASK}") for path in asked]
    rules += [(path, f"Content-Type: {media_type(path)}") for path in typed]
    return "".join(f"/{path}\n  {header}\n" for path, header in rules)
