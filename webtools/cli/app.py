"""The command `webtools`."""

import importlib.metadata
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import App, CycloptsError, Parameter, validators
from rich.text import Text

from webtools.cli.build import build_site
from webtools.cli.checkout import CHECKOUT
from webtools.cli.dependencies import dependencies_of
from webtools.cli.index import FOLDER, by_project, index_files
from webtools.cli.library import ensure_library
from webtools.cli.manifest import manifest_text
from webtools.cli.problems import CommandProblem
from webtools.cli.runtime import compress_ahead, compress_files, ensure_runtime
from webtools.cli.server import application, is_for_this_machine, listen, run
from webtools.cli.serving.greeting import greeting
from webtools.cli.serving.https import identity_of, names_for
from webtools.cli.serving.live import Live
from webtools.cli.wheels import ensure_micropip
from webtools.cli.working import reporting

__all__ = ["app", "main"]


def _version() -> str:
    return importlib.metadata.version("webtools-host")


def _as_line(problem: CycloptsError | CommandProblem) -> Text:
    """Show an error as plain text: a frame around it would get into a copied command."""
    return Text.assemble(("error: ", "bold red"), str(problem))


def _say(line: str) -> None:
    """Print a line as it is, but for what the terminal has no letter for."""
    encoding = app.console.encoding
    shown = line.encode(encoding, "replace").decode(encoding)
    app.console.print(shown, soft_wrap=True, markup=False, highlight=False)


app = App(
    name="webtools",
    help="Tools for AI agents in a web page, written in Python.",
    version=_version,
    error_formatter=_as_line,
)


@app.command
def serve(
    directory: Annotated[
        Path, Parameter(name="DIR", validator=validators.Path(exists=True, file_okay=False))
    ],
    /,
    *,
    port: Annotated[int, Parameter(validator=validators.Number(gte=0, lte=65535))] = 8000,
    host: str = "127.0.0.1",
    reload: bool = True,
    https: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Serve a folder, with webtools beside it at /webtools/.

    What the page needs is fetched and built when it is missing. A page takes what is saved while it is open,
    and its tools and problems are told here.

    Args:
        directory: The folder with the page, served at /.
        port: The port to listen on; 0 takes any free one.
        host: The address to listen on. Any but the default is open to other machines.
        reload: Whether pages follow the folder.
        https: Serve over HTTPS, with a certificate for this machine: without it other devices have no tools.
    """
    by_project((directory / FOLDER).glob("*.whl"))  # its files have wheels' names
    with reporting() as report:
        runtime = ensure_runtime(more=dependencies_of(directory, CHECKOUT, report), report=report)
        library = ensure_library(report=report)
        micropip = ensure_micropip(CHECKOUT, report)
    with listen(host, port) as listener:
        # packing and unpacking costs both ends more than reading what never leaves the machine
        with reporting() as report:
            is_near = is_for_this_machine(listener)
            compressed = None if is_near else compress_ahead(runtime, library, report=report)
        here, others = names_for(listener)
        identity = identity_of([*here, *others]) if https else None
        live = Live(directory, _say) if reload else None
        site = application(
            directory,
            library=library,
            runtime=runtime,
            micropip=micropip,
            compressed=compressed,
            live=live,
            more=[identity.route()] if identity else [],
        )
        for line in greeting(directory, listener, others, identity):
            _say(line)
        run(
            site,
            listener,
            context=identity.context if identity else None,
            on_stop=live.close if live else lambda: None,
        )


@app.command
def build(
    directory: Annotated[
        Path, Parameter(name="DIR", validator=validators.Path(exists=True, file_okay=False))
    ],
    /,
    *,
    output: Annotated[Path, Parameter(name=["--output", "-o"])],
) -> None:
    """Make a folder that any static host can serve: the page, with webtools beside it at /webtools/.

    The first time takes some minutes, most of them for compressing.

    Args:
        directory: The folder with the page.
        output: The folder to make; one that this command has made is replaced.
    """
    with reporting() as report:
        runtime = ensure_runtime(more=dependencies_of(directory, CHECKOUT, report), report=report)
        build_site(
            directory,
            output,
            library=ensure_library(report=report),
            runtime=runtime,
            packages=index_files(directory / FOLDER, ensure_micropip(CHECKOUT, report)),
            version=_version(),
            manifest_of=lambda app, entry: manifest_text(
                app, runtime=runtime, library=CHECKOUT / "static", version=_version(), entry=entry
            ),
            compress=lambda files: compress_files(files, report=report),
            report=report,
        )
    app.console.print(f"Built {output}", soft_wrap=True, markup=False)


@app.command
def manifest(
    source: Annotated[Path, Parameter(name="APP", validator=validators.Path(exists=True, dir_okay=False))],
    /,
    *,
    entry: str | None = None,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
) -> None:
    """Write down what an app's tools are, so that a page has them before Python is up.

    The app is run in the page's own Python, without a page. Name the file in the script tag:
    data-manifest="/shop.tools.json".

    Args:
        source: The app, a .py file or an archive, .zip or .whl.
        entry: The module of an archive that has the tools, such as pkg.module.
        output: Where to write; default: standard output.
    """
    with reporting() as report:
        needed = dependencies_of(source.parent, CHECKOUT, report)
        runtime = ensure_runtime(more=needed, report=report)
        text = manifest_text(
            source, runtime=runtime, library=CHECKOUT / "static", version=_version(), entry=entry
        )
    if output is None:
        sys.stdout.write(text)
        return
    try:
        output.write_text(text, "utf-8", newline="\n")
    except OSError as error:
        raise CommandProblem(
            f"Cannot write {output} ({error.strerror}); choose another file with -o."
        ) from error


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line, and end the process with its exit code.

    Args:
        arguments: What follows the program's name; the process's own when left out.
    """
    try:
        app(arguments)
    except CommandProblem as problem:
        app.error_console.print(_as_line(problem), soft_wrap=True)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
