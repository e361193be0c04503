"""`webtools manifest`: an app's tools, written down for pages to have before Python is up."""

import json
import tempfile
from pathlib import Path
from typing import Any

from webtools.cli.programs.node import find_node
from webtools.cli.programs.running import run_tool
from webtools.cli.terminal.problems import CommandProblem

__all__ = ["check_output", "manifest_text", "tools_of_app"]

_CURE = "; the app is run without a page here, so what needs one belongs into the tools' handlers."
_SCRIPT = Path(__file__).parent / "manifest.mjs"
_LONGEST_S = 60
"""Seconds in which Python is up and the app has run; a page would have lost its person long before."""


def check_output(app: Path, output: Path) -> None:
    """Refuse to write a manifest over anything but a manifest.

    Raises:
        CommandProblem: There is another file, such as the app itself.
    """
    if not output.is_file():
        return
    if output.samefile(app):
        raise CommandProblem(
            f"{output} is the app itself, which its manifest would overwrite; choose another file, "
            f"such as: -o {app.with_suffix('.tools.json')}"
        )
    if not _may_be_overwritten(output):
        raise CommandProblem(
            f"{output} is there and is no manifest; move it away, or choose another file with -o."
        )


def _may_be_overwritten(file: Path) -> bool:
    """Tell whether it is a manifest, or has nothing in it."""
    try:
        content = file.read_bytes()
        return not content.strip() or {"webtools", "tools"} <= json.loads(content).keys()
    except (OSError, ValueError, AttributeError, RecursionError):
        return False


def manifest_text(app: Path, *, runtime: Path, library: Path, version: str, entry: str | None = None) -> str:
    """Run an app in the page's own Python, in Node, and give its manifest.

    Args:
        app: The app's file; problems name it in these words.
        entry: The module of an archive that has the tools.
        runtime: What `ensure_runtime` gave.
        library: The folder of the page's modules.
        version: The library's.

    Raises:
        CommandProblem: The app cannot be read, or not be run without a page; it is an archive without an
            entry, or the other way round.
    """
    return str(_run(app, runtime, library, version, entry, "manifest"))


def tools_of_app(
    app: Path, *, runtime: Path, library: Path, version: str, entry: str | None = None
) -> list[dict[str, Any]]:
    """Run it so, and give all of its tools, as `webtools.browser.manifest.checkable` has them."""
    tools: list[dict[str, Any]] = _run(app, runtime, library, version, entry, "tools")
    return tools


def _run(app: Path, runtime: Path, library: Path, version: str, entry: str | None, wanted: str) -> Any:
    """Give one part of what `webtools.browser.manifest.manifest_without_page` says."""
    _check_entry(app, entry)
    with tempfile.TemporaryDirectory(prefix="webtools-") as scratch:
        job, target = Path(scratch) / "job.json", Path(scratch) / "answer.json"
        said = {"runtime": str(runtime), "library": f"{library.as_uri()}/", "target": str(target)}
        said |= {"url": app.as_posix(), "version": version, **_contents(app, entry)}
        job.write_text(json.dumps(said), "utf-8")
        run_tool(
            [find_node(), str(_SCRIPT), str(job)],
            folder=runtime,
            name="Running the app in Node",
            mend="what needs a page belongs into the tools' handlers",
            longest_s=_LONGEST_S,
            slow=f"{app} was not done after {_LONGEST_S} s, so no page would ever get its tools; "
            "find the loop, or what it waits for, that runs while it is imported",
        )
        answer = json.loads(target.read_text("utf-8"))
    if wanted not in answer:
        raise CommandProblem(answer["problem"] + (_CURE if answer["needsPage"] else ""))
    return answer[wanted]


def _check_entry(app: Path, entry: str | None) -> None:
    is_archive = app.suffix.lower() in (".zip", ".whl")
    if is_archive and entry is None:
        raise CommandProblem(f"{app} is an archive; name the module that has the tools, --entry pkg.module")
    if not is_archive and entry is not None:
        raise CommandProblem(f"--entry is for an archive, a .zip or .whl, which {app} is not; leave it out")


def _contents(app: Path, entry: str | None) -> dict[str, str]:
    if entry is None:
        return {"source": _source(app)}
    return {"archive": str(app.resolve()), "entry": entry}


def _source(app: Path) -> str:
    """Read it as a page does: without a byte order mark, each line's end as it is."""
    try:
        return app.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise CommandProblem(f"Cannot read {app} ({error.strerror}); is the path right?") from error
    except UnicodeDecodeError as error:
        raise CommandProblem(f"{app} is no UTF-8 text; save it as such.") from error
