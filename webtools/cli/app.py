"""The command `webtools`."""

import contextlib
import importlib.metadata
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, CycloptsError, Parameter, UnusedCliTokensError, validators
from rich.console import Console
from rich.text import Text

from webtools.cli.authored.dependencies import dependencies_of
from webtools.cli.bridge.command import bridge
from webtools.cli.building.site import build_site
from webtools.cli.checking.command import check_apps
from webtools.cli.examples import folder_or_example, folder_to_make
from webtools.cli.manifest import check_output, manifest_text, tools_of_app
from webtools.cli.new import Template, make_project
from webtools.cli.runtime.assembling import ensure_runtime
from webtools.cli.runtime.compressed import compress_ahead, compress_files
from webtools.cli.serving.greeting import greeting
from webtools.cli.serving.https import identity_of, names_for
from webtools.cli.serving.listening import is_for_this_machine, listen
from webtools.cli.serving.live import Live
from webtools.cli.serving.server import application, run
from webtools.cli.sources.installation import SOURCE
from webtools.cli.sources.library import ensure_library, ensure_micropip
from webtools.cli.terminal.problems import CommandProblem, ending, report_to_stderr
from webtools.cli.terminal.working import reporting
from webtools.cli.wheels.index import FOLDER, by_project, index_files

__all__ = ["app", "main"]


def _version() -> str:
    return importlib.metadata.version("webtools-host")


def _as_line(problem: CycloptsError | str) -> Text:
    """Show an error as plain text: a frame around it would get into a copied command."""
    if isinstance(problem, UnusedCliTokensError):
        too_much = shlex.join(problem.unused_tokens or [])
        command = " ".join(["webtools", *(problem.command_chain or [])])
        problem = f"{too_much} is too much: give {command} one at a time, or see {command} --help"
    return Text.assemble(("error: ", "bold red"), str(problem))


def _examples(*lines: str) -> str:
    """Give the end of a command's help."""
    return "  \n".join(["Examples:", *(f"`webtools {line}`" for line in lines)])  # Markdown's breaks of lines


def _say(line: str) -> None:
    """Print a line as it is, but for what the terminal has no letter for."""
    encoding = app.console.encoding
    shown = line.encode(encoding, "replace").decode(encoding)
    app.console.print(shown, soft_wrap=True, markup=False, highlight=False)


def _tell(line: str) -> None:
    """Print a line while pages are served, which goes on when nobody reads any more."""
    with contextlib.suppress(SystemExit):  # Rich's, of a pipe that is closed
        _say(line)


app = App(
    name="webtools",
    help="Tools for AI agents in a web page, written in Python.",
    version=_version,
    help_epilogue=_examples("serve shop", "check shop/shop.py", "serve --help"),
    error_formatter=_as_line,
    error_console=Console(stderr=True, soft_wrap=True),  # a path that is broken in two cannot be copied
)
app.register_install_completion_command(
    help="Have the shell complete this command; what its startup file needs is added.",
    help_epilogue=_examples("--install-completion", "--install-completion --shell zsh"),
)


_Directory = Annotated[
    Path,
    Parameter(
        name="DIR", converter=folder_or_example, validator=validators.Path(exists=True, file_okay=False)
    ),
]


@app.command(help_epilogue=_examples("new shop", "new shop --template react"))
def new(
    directory: Annotated[Path, Parameter(name="DIR", converter=folder_to_make)],
    /,
    *,
    template: Template = "page",
) -> None:
    """Make a folder with a page, its tools in Python, and tests that pass.

    Args:
        directory: The folder to make; its name is the page's title.
        template: A plain page, a React app that needs no build, or a page of PyScript's.
    """
    make_project(directory, template)
    site = shlex.quote(str(directory / "site"))
    once = "Run there once: npm install, npm run vendor. " if template == "pyscript" else ""
    _say(f"Made {directory}; its README.md says what is there. {once}To see the page: webtools serve {site}")


@app.command(help_epilogue=_examples("serve shop --port 0", "serve shop --host 0.0.0.0 --https"))
def serve(
    directory: _Directory,
    /,
    *,
    port: Annotated[int, Parameter(validator=validators.Number(gte=0, lte=65535))] = 8000,
    host: str = "127.0.0.1",
    reload: bool = True,
    https: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Serve a folder, with webtools beside it at /webtools/.

    A page takes what is saved while it is open, and its tools and problems are told here. The packages that
    apps name are fetched once; in a clone of webtools, what it is made of, too.

    Args:
        directory: The folder with the page, served at /. Where there is no examples/shop here, it is
            the example that comes with webtools.
        port: The port to listen on; 0 takes any free one.
        host: The address to listen on. Any but the default is open to other machines.
        reload: Whether pages follow the folder.
        https: Serve over HTTPS, with a certificate for this machine: without it other devices, which --host
            lets in, have no tools.
    """
    by_project((directory / FOLDER).glob("*.whl"))  # its files have wheels' names
    with reporting() as report:
        runtime = ensure_runtime(more=dependencies_of(directory, SOURCE, report), report=report)
        library = ensure_library(report=report)
        micropip = ensure_micropip(SOURCE, report)
    with listen(host, port) as listener:
        # packing and unpacking costs both ends more than reading what never leaves the machine
        with reporting() as report:
            is_near = is_for_this_machine(listener)
            compressed = None if is_near else compress_ahead(runtime, library, SOURCE.cache, report=report)
        here, others = names_for(listener)
        identity = identity_of([*here, *others]) if https else None
        live = Live(directory, _tell) if reload else None
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
            _tell(line)
        run(
            site,
            listener,
            context=identity.context if identity else None,
            on_stop=live.close if live else lambda: None,
        )


@app.command(help_epilogue=_examples("build shop -o public", "serve public"))
def build(
    directory: _Directory,
    /,
    *,
    output: Annotated[Path, Parameter(name=["--output", "-o"], converter=folder_to_make)],
) -> None:
    """Make a folder that any static host can serve: the page, with webtools beside it at /webtools/.

    The first time takes some minutes, most of them for compressing.

    Args:
        directory: The folder with the page.
        output: The folder to make; one that this command has made is replaced.
    """
    with reporting() as report:
        runtime = ensure_runtime(more=dependencies_of(directory, SOURCE, report), report=report)
        build_site(
            directory,
            output,
            library=ensure_library(report=report),
            runtime=runtime,
            packages=index_files(directory / FOLDER, ensure_micropip(SOURCE, report)),
            version=_version(),
            manifest_of=lambda app, entry: manifest_text(
                app, runtime=runtime, library=SOURCE.modules, version=_version(), entry=entry
            ),
            compress=lambda files: compress_files(files, report=report),
            report=report,
        )
    _say(f"Built {output}")


@app.command(
    help_epilogue=_examples(
        "manifest shop/shop.py -o shop/shop.tools.json", "manifest dist/shop.zip --entry shop.tools"
    )
)
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
        output: Where to write; default: standard output. Nothing but a manifest is overwritten.
    """
    if output is not None:
        check_output(source, output)
    with reporting() as report:
        needed = dependencies_of(source.parent, SOURCE, report)
        runtime = ensure_runtime(more=needed, report=report)
        text = manifest_text(source, runtime=runtime, library=SOURCE.modules, version=_version(), entry=entry)
    if output is None:
        sys.stdout.write(text)
        return
    try:
        output.write_text(text, "utf-8", newline="\n")
    except OSError as error:
        raise CommandProblem(
            f"Cannot write {output} ({error.strerror}); choose another file with -o."
        ) from error


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")  # Rich would make an emoji of shop.py:100:


@app.command(
    help_epilogue=_examples(
        "check shop", "check shop/shop.py --json", "check shop/shop.py --ignore unmarked-effect:clear_board"
    )
)
def check(
    source: Annotated[Path, Parameter(name="APP", validator=validators.Path(exists=True))],
    /,
    *,
    entry: str | None = None,
    ignore: Annotated[list[str] | None, Parameter(negative="")] = None,
    strict: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Find what agents would stumble over in an app's tools: names, texts, schemas, annotations.

    The app is run in the page's own Python, without a page. Exit code: 0 nothing, or only advice; 1 errors or
    warnings; 2 it could not be checked.

    Args:
        source: The app, a .py file or an archive, .zip or .whl; a folder, for the apps that its pages name;
            or a manifest, .json.
        entry: The module of an archive that has the tools, such as pkg.module.
        ignore: A rule, or one rule for one tool, RULE:TOOL; may be given several times.
        strict: Exit with 1 for advice, too.
        json: Give one JSON document, for CI.
    """

    def run(file: Path, entry: str | None) -> list[dict[str, Any]]:
        folder = source if source.is_dir() else source.parent
        runtime = ensure_runtime(more=dependencies_of(folder, SOURCE, report_to_stderr))
        return tools_of_app(file, runtime=runtime, library=SOURCE.modules, version=_version(), entry=entry)

    return check_apps(
        source,
        entry=entry,
        ignored=ignore or [],
        strict=strict,
        version=_version() if json else None,
        run=run,
        report=report_to_stderr,
        write=_write,
    )


app.command(
    bridge,
    help_epilogue=_examples("bridge http://127.0.0.1:8000/", "bridge shop=http://127.0.0.1:8000/ --http 0"),
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line, and end the process with its exit code.

    Args:
        arguments: What follows the program's name; the process's own when left out.
    """
    try:
        app(arguments)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001  # told, and by its exit code, too
        sys.exit(ending(error, lambda said: app.error_console.print(_as_line(said))))
