"""An installed wheel as the source of what pages get: all of it was made when the wheel was built.

Nothing is written where the wheel is installed: that may be for an administrator alone to change.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from webtools.cli.files.folder import DIGITS, INDEX
from webtools.cli.sources.source import Kit
from webtools.cli.terminal.problems import Report

__all__ = ["SHIPPED", "Shipped"]

SHIPPED = Path(__file__).resolve().parents[2] / "shipped"
"""Where a wheel has it; a checkout has no such folder."""

_VARIABLE = "WEBTOOLS_CACHE"


@dataclass(frozen=True)
class Shipped:
    """Implements `Source`.

    Args:
        root: The folder that `python -m release` filled.
    """

    root: Path

    @property
    def cache(self) -> Path:
        """In the user's own cache, or where they say; apart from those of other builds."""
        named = os.environ.get(_VARIABLE)
        folder = Path(named) if named else user_cache_path("webtools", appauthor=False)
        digest = hashlib.sha256((self.runtime / INDEX).read_bytes()).hexdigest()
        return folder / digest[:DIGITS]

    @property
    def modules(self) -> Path:
        """As in a checkout."""
        return self.root / "static"

    @property
    def runtime(self) -> Path:
        """The one of all pages whose apps need nothing more."""
        return self.root / "runtime"

    @property
    def examples(self) -> Mapping[str, Path]:
        """Folders of folders."""
        return {path.name: path for path in sorted((self.root / "examples").iterdir())}

    def info(self, _: Report) -> dict[str, str]:
        """Read it, in the runtime's index."""
        return dict(self._index()["info"])

    def kit(self, _: Report) -> Kit:
        """Give the parts of the runtime: compiled already, so no part is in the wheel twice."""
        index = self._index()
        return Kit(
            engine=self.runtime / index["engine"],
            stdlib=self.runtime / index["wholeStdlib"]["file"],
            wheels=[self.runtime / index["packages"]["file"]],
            modules=self.modules,
            info=index["info"],
        )

    def library(self, _: Report) -> Path:
        """Put together already."""
        return self.root / "library"

    def micropip(self, _: Report) -> Path:
        """The only wheel in it."""
        (micropip,) = self.root.glob("micropip-*.whl")
        return micropip

    def _index(self) -> dict[str, Any]:
        index: dict[str, Any] = json.loads((self.runtime / INDEX).read_text("utf-8"))
        return index
