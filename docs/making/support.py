"""The tables of browser support, as Markdown: made of what came of the tests, in `docs/support.json`.

`python -m docs.making.support` takes what the last runs have left in `build/results/` into that file.
"""

from __future__ import annotations

import ast
import datetime
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

__all__ = ["REQUIREMENTS", "RESULTS", "THE_TABLE", "names_of_tests", "table"]

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "docs" / "support.json"
LEFT = ROOT / "build" / "results"
REQUIREMENTS = ROOT / "tests" / "model_context.json"

THE_TABLE = "e2e/test_model_context.py"
PROFILES = "e2e/test_profiles.py"

OLD = (
    "The polyfill stands for it. Chromium 146 to 149 have no `document.modelContext`: there the polyfill is "
    "as on any browser without WebMCP."
)

Outcomes = dict[str, str]
"""What came of one test, by the model context that it ran on."""


def table() -> str:
    """All of it: what was run, what webtools does where, and what a model context does."""
    results: dict[str, Any] = json.loads(RESULTS.read_text("utf-8"))
    tests: dict[str, dict[str, Outcomes]] = results["tests"]
    browsers = ", ".join(results["browsers"])
    parts = [
        f"Run on {results['made']}, in {browsers}. {_missing(tests)}",
        "## What webtools does\n\nTests that passed, of those that there are for a model context.",
        _files({file: tests[file] for file in tests if file not in (THE_TABLE, PROFILES)}),
        f"## On the model context of each Chromium\n\n{OLD}",
        _profiles(tests.get(PROFILES, {})),
        "## What a model context does\n\nRequirements of WebMCP's draft, each with its test.",
        _requirements(tests.get(THE_TABLE, {})),
    ]
    return "\n\n".join(parts)


def names_of_tests(file: str) -> set[str]:
    """The names of the tests in a file, those of classes, too."""
    nodes = ast.walk(ast.parse((ROOT / file).read_text("utf-8")))
    return {
        node.name for node in nodes if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def _missing(tests: dict[str, dict[str, Outcomes]]) -> str:
    places = {where for file in tests.values() for outcomes in file.values() for where in outcomes}
    firefox = "" if "firefox" in places else "**Firefox was not run then**; `nox -s e2e_firefox` runs it. "
    files = {path.name for path in (ROOT / "e2e").glob("test_*.py")} - {Path(file).name for file in tests}
    others = ", ".join(f"`{name}`" for name in sorted(files))
    return f"{firefox}Not among the results, since they were not run then or know no model context: {others}."


def _files(tests: dict[str, dict[str, Outcomes]]) -> str:
    columns = {
        "native": "native WebMCP",
        "polyfill": "the polyfill",
        "cancelling": "one that loses calls, as Chromium up to 152 does",
    }
    rows = (
        [_about(file), *(_count([outcomes.get(where) for outcomes in found.values()]) for where in columns)]
        for file, found in tests.items()
    )
    return _rows(["what", *columns.values()], rows)


def _about(file: str) -> str:
    """The first sentence of a test file."""
    words = ast.get_docstring(ast.parse((ROOT / file).read_text("utf-8"))) or file
    return f"{words.splitlines()[0].rstrip('.')} (`{file.rpartition('/')[2]}`)"


def _count(outcomes: list[str | None]) -> str:
    there = [outcome for outcome in outcomes if outcome is not None]
    return f"{there.count('passed')} of {len(there)}" if there else "—"


def _profiles(tests: dict[str, Outcomes]) -> str:
    places = {where for outcomes in tests.values() for where in outcomes}
    columns = sorted(where for where in places if where.startswith("chrome-"))
    rows = (
        [_sentence(name), *(_word(outcomes.get(where)) for where in columns)]
        for name, outcomes in tests.items()
        if any(where in columns for where in outcomes)
    )
    return _rows(["what", *(where.replace("chrome-", "") for where in columns)], rows)


def _requirements(tests: dict[str, Outcomes]) -> str:
    rows = []
    for each in json.loads(REQUIREMENTS.read_text("utf-8")):
        outcomes = tests.get(each["id"], {})
        native = _word(outcomes.get("native"))
        if "native" in each and native == "yes":  # so the test has seen that it differs
            native = f"differs: {each['native'].partition('; the draft:')[0]}"
        if each.get("native", "").startswith("crash: "):
            native = "not run, since it ends the tab"
        words = [_word(outcomes.get(where)) for where in ("polyfill", "firefox")]
        rows.append([each["id"], _linked(each), native, *words])
    return _rows(["", "what", "native WebMCP", "the polyfill", "the polyfill in Firefox"], rows)


def _linked(requirement: dict[str, Any]) -> str:
    must, source = requirement["must"], requirement["source"]
    return f"[{must}]({source})" if source.startswith("https://") else str(must)


def _word(outcome: str | None) -> str:
    return {"passed": "yes", "failed": "**no**"}.get(outcome or "", "not run")


def _sentence(test: str) -> str:
    return test.removeprefix("test_").replace("_", " ")


def _rows(head: list[str], rows: Iterable[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    """Take what the last runs have left."""
    tests: dict[str, dict[str, Outcomes]] = {}
    browsers = []
    for path in sorted(LEFT.glob("*.json")):
        left = json.loads(path.read_text("utf-8"))
        browsers.append(left["browser"])
        for file, found in left["tests"].items():
            for name, outcomes in found.items():
                tests.setdefault(file, {}).setdefault(name, {}).update(outcomes)
    made = datetime.datetime.now(datetime.UTC).date().isoformat()
    results = {"made": made, "browsers": browsers, "tests": tests}
    text = json.dumps(results, indent=1)
    one_line_each = re.sub(r"\{[^{}]+\}", lambda found: " ".join(found[0].split()), text)
    RESULTS.write_text(one_line_each + "\n", "utf-8")


if __name__ == "__main__":
    main()
