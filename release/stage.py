"""A tree of sources that has, beside the package, all that pages get: of it an sdist and a wheel are built.

The same checkout gives the same tree, byte for byte.
"""

import shutil
import tomllib
from pathlib import Path

from release.licences import write_licences
from webtools.cli.files.folder import INDEX
from webtools.cli.runtime.assembling import ensure_runtime
from webtools.cli.sources.checkout import Checkout
from webtools.cli.sources.source import writing_to
from webtools.cli.terminal.problems import CommandProblem, Report

__all__ = ["stage"]

_LEFT_OUT = shutil.ignore_patterns("__pycache__", ".*")


def stage(checkout: Checkout, folder: Path, report: Report) -> None:
    """Fill a folder that is not there yet.

    Args:
        checkout: Where what pages get is made, if it was not.
        folder: Outside of the checkout, whose .gitignore would hide from hatchling what is not in git.
        report: Told before something slow.

    Raises:
        CommandProblem: A piece is missing and cannot be fetched or built.
    """
    if "shop" not in checkout.examples:
        raise CommandProblem("The storefront has no React; run: python3 -m nox -s wheel, which bundles it")
    runtime = ensure_runtime(checkout, report=report)
    shipped = folder / "webtools" / "shipped"
    shutil.copytree(checkout.root / "webtools", folder / "webtools", ignore=_LEFT_OUT)
    for name in _files_of_project(checkout.root):
        shutil.copyfile(checkout.root / name, folder / name)
    shutil.copytree(runtime, shipped / "runtime")
    shutil.copytree(checkout.library(report), shipped / "library")
    _copy_modules(checkout.modules, shipped / "static")
    _copy_modules(checkout.modules, folder / "static")  # hatchling reads the version there
    for name, example in checkout.examples.items():
        shutil.copytree(example, shipped / "examples" / name, ignore=_LEFT_OUT)
    micropip = checkout.micropip(report)
    shutil.copyfile(micropip, shipped / micropip.name)
    with writing_to(checkout.cache):
        _, *wheels = checkout.kit(report).wheels
    engine = next((runtime / INDEX).parent.glob("pyodide-*"))
    write_licences(
        folder / "licences",
        wheels=[*wheels, micropip],
        packages=checkout.root / "node_modules",
        wasm=engine / "pyodide.asm.wasm",
        info=checkout.info(report),
    )


def _files_of_project(root: Path) -> list[str]:
    """Name what an sdist has at its top, by pyproject.toml."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    return ["pyproject.toml", *(name for name in included if (root / name).is_file())]


def _copy_modules(modules: Path, target: Path) -> None:
    target.mkdir(parents=True)
    for path in modules.iterdir():
        if path.is_file():
            shutil.copyfile(path, target / path.name)
