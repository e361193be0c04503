"""The command `webtools`."""

import importlib.metadata
import shlex
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
from webtools.cli.new import Template, make_project
from webtools.cli.problems import CommandProblem, report_to_stderr
from webtools.cli.runtime import compress_ahead, compress_files, ensure_runtime
from webtools.cli.server import application, is_for_this_machine, listen, run, url_of
from webtools.cli.wheels import ensure_micropip

__all__ = ["app", "main"]


def _version() -> str:
    return importlib.metadata.version("webtools-host")


def _as_line(problem: CycloptsError | CommandProblem) -> Text:
    """Show an error as plain text: a frame around it would get into a copied command."""
    return Text.assemble(("error: ", "bold red"), str(problem))


app = App(
    name="webtools",
    help="Tools for AI agents in a web page, written in Python.",
    version=_version,
    error_formatter=_as_line,
)


@app.command
def new(directory: Annotated[Path, Parameter(name="DIR")], /, *, template: Template = "page") -> None:
    """Make a folder with a page, its tools in Python, and tests that pass.

    Args:
        directory: The folder to make; its name is the page's title.
        template: A plain page, or a React app that needs no build.
    """
    make_project(directory, template)
    site = shlex.quote(str(directory / "site"))
    told = f"Made {directory}; its README.md says what is there. To see the page: webtools serve {site}"
    app.console.print(told, soft_wrap=True, markup=False)


@app.command
def serve(
    directory: Annotated[
        Path, Parameter(name="DIR", validator=validators.Path(exists=True, file_okay=False))
    ],
    /,
    *,
    port: Annotated[int, Parameter(validator=validators.Number(gte=0, lte=65535))] = 8000,
    host: str = "127.0.0.1",
) -> None:
    """Serve a folder, with webtools beside it at /webtools/.

    What the page needs is fetched and built when it is missing.

    Args:
        directory: The folder with the page, served at /.
        port: The port to listen on; 0 takes any free one.
        host: The address to listen on. Any but the default is open to other machines.
    """
    by_project((directory / FOLDER).glob("*.whl"))  # its files have wheels' names
    runtime = ensure_runtime(more=dependencies_of(directory, CHECKOUT, report_to_stderr))
    library = ensure_library()
    micropip = ensure_micropip(CHECKOUT, report_to_stderr)
    with listen(host, port) as listener:
        # packing and unpacking costs both ends more than reading what never leaves the machine
        compressed = None if is_for_this_machine(listener) else compress_ahead(runtime, library)
        site = application(
            directory, library=library, runtime=runtime, micropip=micropip, compressed=compressed
        )
        app.console.print(f"Serving {directory} at {url_of(listener)}", soft_wrap=True, markup=False)
        run(site, listener)


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
    runtime = ensure_runtime(more=dependencies_of(directory, CHECKOUT, report_to_stderr))
    build_site(
        directory,
        output,
        library=ensure_library(),
        runtime=runtime,
        packages=index_files(directory / FOLDER, ensure_micropip(CHECKOUT, report_to_stderr)),
        version=_version(),
        manifest_of=lambda app, entry: manifest_text(
            app, runtime=runtime, library=CHECKOUT / "static", version=_version(), entry=entry
        ),
        compress=compress_files,
        report=report_to_stderr,
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
    runtime = ensure_runtime(more=dependencies_of(source.parent, CHECKOUT, report_to_stderr))
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
