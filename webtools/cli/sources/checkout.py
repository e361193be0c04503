"""A source checkout as the source of what pages get; what is made of it lies in its folder `build/`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from webtools.cli.sources.bundle import put_together
from webtools.cli.sources.npm import ensure_packages
from webtools.cli.sources.source import ENGINE, Kit, writing_to
from webtools.cli.terminal.problems import CommandProblem, Report
from webtools.cli.wheels.needs import check_needs
from webtools.cli.wheels.own import own_wheel
from webtools.cli.wheels.pinned import MICROPIP, pinned_wheels

__all__ = ["CHECKOUT", "Checkout"]

CHECKOUT = Path(__file__).resolve().parents[3]
"""The source checkout that this module was imported from."""


@dataclass(frozen=True)
class Checkout:
    """Implements `Source`: what is missing is fetched or built, the rest left alone.

    Args:
        root: The checkout's folder.
    """

    root: Path

    @property
    def cache(self) -> Path:
        """The folder `build/`."""
        if not (self.root / "package-lock.json").is_file():
            raise CommandProblem(
                "This webtools was installed without what pages get; install a wheel that `nox -s wheel` "
                "has built, or in a clone of the repository run: python -m pip install --editable ."
            )
        return self.root / "build"

    @property
    def modules(self) -> Path:
        """The sources themselves."""
        return self.root / "static"

    @property
    def runtime(self) -> None:
        """Always assembled: sources may have changed."""

    @property
    def examples(self) -> Mapping[str, Path]:
        """The storefront, once `nox -s demo` has bundled its React."""
        shop = self.modules / "storefront"
        return {"shop": shop} if (shop / "vendor" / "react.js").is_file() else {}

    def info(self, report: Report) -> dict[str, str]:
        """Read it, in npm's package."""
        ensure_packages(self.root, report)
        lock = self.root / "node_modules" / "pyodide" / "pyodide-lock.json"
        info: dict[str, str] = json.loads(lock.read_text("utf-8"))["info"]
        return info

    def kit(self, report: Report) -> Kit:
        """Give what npm and PyPI have, and the own wheel."""
        info = self.info(report)
        pyodide = self.root / "node_modules" / "pyodide"
        for name in (*ENGINE, "python_stdlib.zip"):
            if not (pyodide / name).is_file():
                raise CommandProblem(f"{pyodide / name} is missing; run: npm ci --ignore-scripts")
        pinned = pinned_wheels(self.cache / "wheels", info, report)
        wheels = [own_wheel(self.root, self.cache / "own", report), *pinned]
        check_needs(info, wheels)
        return Kit(pyodide, pyodide / "python_stdlib.zip", wheels, self.modules, info)

    def library(self, report: Report) -> Path:
        """Put it together, whether or not that was done."""
        with writing_to(self.cache, "library.lock"):
            ensure_packages(self.root, report)
            return put_together(self.root, self.cache)

    def micropip(self, report: Report) -> Path:
        """Give it, fetched if it was not."""
        with writing_to(self.cache):
            (micropip,) = pinned_wheels(self.cache / "wheels", self.info(report), report, MICROPIP)
            return micropip
