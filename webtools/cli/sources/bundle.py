"""The library's modules, put together to the few files that a page gets as `/webtools/*.js`.

A browser that is given sixty modules asks for them level by level, which takes it longer than all else that
it does before there are tools. So `webtools.js` is one file, with all that it needs at once. What few pages
need, it imports when they do, from files that share with each other what they have in common, but with
`webtools.js` nothing: of small modules without state there are two copies then.
"""

import json
import tempfile
from pathlib import Path

from webtools.cli.programs.running import run_tool

__all__ = ["ENTRIES", "put_together"]

_FIRST = "webtools.js"
ENTRIES = ("elements.js", "polyfill.js", "react.js", _FIRST)
"""What pages name in their script tags and imports."""

_OPTIONS = (
    "--bundle",
    "--format=esm",
    # Names are left as they are, so that what the console says of an error can be read.
    "--minify-syntax",
    "--minify-whitespace",
    "--log-level=warning",
)


def put_together(checkout: Path, build: Path) -> Path:
    """Give the folder of the files, put together from the modules as they are now.

    One that serves it meanwhile finds an old file or a new one, never half of one.

    Args:
        checkout: The source checkout, npm's packages in it.
        build: A folder that is there; whoever calls sees to it that no other process does.

    Raises:
        CommandProblem: A module is none.
    """
    library = build / "library"
    with tempfile.TemporaryDirectory(dir=build, prefix="bundle-") as scratch:
        fresh = Path(scratch) / "fresh"
        late = _imported_late(checkout, Path(scratch))
        _bundle(checkout, [_FIRST], f"--outdir={fresh}", *(f"--external:./{name}" for name in late))
        others = sorted({*ENTRIES, *late} - {_FIRST})
        _bundle(checkout, others, f"--outdir={fresh}", "--splitting", "--chunk-names=[name]-[hash]")
        _replace(library, fresh)
    return library


def _imported_late(checkout: Path, scratch: Path) -> list[str]:
    """Name the modules that others import when they need them, with `import()`."""
    about = scratch / "about.json"
    _bundle(checkout, [_FIRST], "--splitting", f"--outdir={scratch / 'whole'}", f"--metafile={about}")
    inputs = json.loads(about.read_text("utf-8"))["inputs"].values()
    imports = [each for read in inputs for each in read["imports"]]
    return sorted({Path(each["path"]).name for each in imports if each["kind"] == "dynamic-import"})


def _bundle(checkout: Path, entries: list[str], *options: str) -> None:
    run_tool(
        [
            str(checkout / "node_modules" / ".bin" / "esbuild"),
            *(str(checkout / "static" / entry) for entry in entries),
            *_OPTIONS,
            *options,
        ],
        folder=checkout,
        name="esbuild",
        mend="mend the module that it names",
    )


def _replace(library: Path, fresh: Path) -> None:
    """Make a folder like another one; a file that is the same keeps its date, by which browsers know it."""
    library.mkdir(exist_ok=True)
    names = {path.name for path in fresh.iterdir()}
    for name in names:
        old = library / name
        if not old.is_file() or old.read_bytes() != (fresh / name).read_bytes():
            (fresh / name).replace(old)
    for path in library.iterdir():
        if path.name not in names:
            path.unlink()
