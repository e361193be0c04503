"""What came of each test, by the model context that it ran on: `build/results/e2e.json`.

`docs/support.json` is made of it (`python -m docs.making.support`). A run of some files
leaves the results of the others.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from webtools.testing import PROFILES

__all__ = ["Outcomes"]

FILE = Path(__file__).parents[1] / "build" / "results" / "e2e.json"

WORSE = ["", "passed", "skipped", "failed"]

CONTEXTS = {"native", "polyfill", "cancelling", *PROFILES}


class Outcomes:
    """Part of pytest, in the process that reports and in those that run the tests."""

    def __init__(self, *, is_worker: bool) -> None:
        self._is_worker = is_worker
        self._browser = ""
        self._found: dict[str, dict[str, dict[str, str]]] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Note on each test where it runs, and what it is called."""
        for item in items:
            if isinstance(item, pytest.Function):
                spec = getattr(item, "callspec", None)
                params: Mapping[str, Any] = spec.params if spec else {}
                where = next((each for each in params.values() if _is_context(each)), None)
                name = params.get("requirement", {}).get("id") or item.originalname
                item.user_properties += [("context", where), ("name", name)]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take what came of it; of a test with several cases the worst."""
        said = dict(report.user_properties)
        self._browser = str(said.get("browser", self._browser))
        if not said.get("context") or (report.when != "call" and report.passed):
            return
        file = self._found.setdefault(report.location[0], {})
        outcomes = file.setdefault(str(said["name"]), {})
        where = str(said["context"])
        outcomes[where] = max(report.outcome, outcomes.get(where, WORSE[0]), key=WORSE.index)

    def pytest_sessionfinish(self) -> None:
        """Write them down."""
        if self._is_worker or not self._found:
            return
        text = FILE.read_text("utf-8") if FILE.exists() else '{"browser": "", "tests": {}}'
        before: dict[str, Any] = json.loads(text)
        FILE.parent.mkdir(parents=True, exist_ok=True)
        tests = {**before["tests"], **self._found}
        results = {"browser": self._browser or before["browser"], "tests": dict(sorted(tests.items()))}
        FILE.write_text(json.dumps(results, indent=1) + "\n", "utf-8")


def _is_context(value: object) -> bool:
    return isinstance(value, str) and value in CONTEXTS
