"""The command `webtools check`; `e2e/test_manifest.py` runs it with the page's own Python."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.cli.made_up import webtools
from webtools.cli import app as command
from webtools.cli.checking.printed import json_of, lines_of
from webtools.cli.checking.rules import RULES, findings
from webtools.cli.checking.sources import checked_tools
from webtools.cli.terminal.problems import CommandProblem

DOCS = Path(__file__).parents[4] / "docs"

GOOD = {"name": "find_products", "description": "Find products by words of their name."}
VAGUE = {"name": "run", "description": "Find products by words of their name."}
PAY = {"name": "pay", "description": "Settle what is open in the cart by now."}

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)
keywords = st.sampled_from(["type", "description", "enum", "pattern", "$ref", "sku"]) | st.sampled_from(
    ["properties", "items", "prefixItems", "additionalProperties", "anyOf"]
)
schemas = st.recursive(
    json_values, lambda inner: st.dictionaries(keywords, inner | st.lists(inner, max_size=3), max_size=5)
)
definitions = st.fixed_dictionaries(
    {"name": st.text(max_size=40), "description": st.text()},
    optional={"inputSchema": schemas, "annotations": json_values, "confirm": json_values},
)

Defining = Callable[..., None]


@pytest.fixture
def defining(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Defining:
    """Have `shop.py`, in the current folder, define tools."""
    monkeypatch.chdir(tmp_path)
    Path("shop.py").touch()
    monkeypatch.setattr(command, "ensure_runtime", lambda *, more, **_: tmp_path)
    monkeypatch.setattr(command, "dependencies_of", lambda *_: [])

    def define(*tools: Mapping[str, str]) -> None:
        entries = [{"definition": json.dumps(each), "file": "shop.py", "line": 7} for each in tools]
        monkeypatch.setattr(command, "tools_of_app", lambda *_, **__: entries)

    return define


def test_nothing_found_is_one_line(defining: Defining, capsys: pytest.CaptureFixture[str]) -> None:
    defining(GOOD)
    assert webtools("check", "shop.py") == 0
    assert capsys.readouterr() == ("Checked 1 tool of shop.py: nothing found.\n", "")


def test_what_is_found_is_said_with_its_place_the_worst_first(
    defining: Defining, capsys: pytest.CaptureFixture[str]
) -> None:
    schema = {"properties": {"skus": {"type": "array", "description": "Wanted", "items": {}}}}
    defining(VAGUE, PAY, {**GOOD, "inputSchema": schema})
    assert webtools("check", "shop.py") == 1
    assert re.sub(r"(: [a-z]+-[a-z]+: ).*", r"\1…", capsys.readouterr().out).splitlines() == [
        "Warnings:",
        "shop.py:7: find_products: same-description: …",
        "shop.py:7: find_products.skus[]: no-type: …",
        "shop.py:7: pay: unmarked-effect: …",
        "",
        "Advice:",
        "shop.py:7: run: vague-name: …",
        "",
        "Checked 3 tools of shop.py: 0 errors, 3 warnings, 1 piece of advice.",
    ]


def test_what_the_app_as_a_whole_breaks_has_no_line(
    defining: Defining, capsys: pytest.CaptureFixture[str]
) -> None:
    defining()
    assert webtools("check", "shop.py") == 1
    assert "\nshop.py: no-tools: " in capsys.readouterr().out


def test_a_folders_pages_are_judged(defining: Defining, capsys: pytest.CaptureFixture[str]) -> None:
    Path("desk.py").touch()
    Path("index.html").write_text(
        "<script data-app=/shop.py></script><script data-app=/desk.py></script>", "utf-8"
    )
    defining(GOOD)
    assert webtools("check", ".") == 1
    assert "Errors:\nshop.py:7: find_products: same-name: " in capsys.readouterr().out


def test_json_is_one_document_of_a_fixed_shape(
    defining: Defining, capsys: pytest.CaptureFixture[str]
) -> None:
    defining(PAY)
    assert webtools("check", "shop.py", "--json") == 1
    document = json.loads(capsys.readouterr().out)
    message = document["findings"][0].pop("message")
    assert message.startswith('"pay" sounds as if')
    assert document == {
        "webtools": command._version(),
        "apps": [{"app": "shop.py", "tools": 1}],
        "findings": [
            {
                "rule": "unmarked-effect",
                "severity": "warning",
                "app": "shop.py",
                "tool": "pay",
                "parameter": None,
                "file": "shop.py",
                "line": 7,
            }
        ],
        "summary": {"error": 0, "warning": 1, "advice": 0},
    }


@pytest.mark.parametrize(
    ("tool", "options", "code"),
    [
        (VAGUE, [], 0),
        (VAGUE, ["--strict"], 1),
        (VAGUE, ["--strict", "--ignore", "vague-name"], 0),
        (GOOD, ["--strict"], 0),
        (PAY, [], 1),
        (PAY, ["--ignore", "long-name", "--ignore", "unmarked-effect"], 0),
        (PAY, ["--ignore", "unmarked-effect:pay"], 0),
        (PAY, ["--ignore", "unmarked-effect:send"], 1),
    ],
)
def test_the_exit_code_says_whether_something_is_left(
    defining: Defining, tool: Mapping[str, str], options: list[str], code: int
) -> None:
    defining(tool)
    assert webtools("check", "shop.py", *options) == code


@pytest.mark.parametrize(
    ("place", "cure"), [("unmarked-effect:pya", "did you mean pay?"), ("long-name:gone", "leave it out")]
)
def test_what_is_ignored_of_a_tool_that_is_not_there_is_told(
    defining: Defining, place: str, cure: str, capsys: pytest.CaptureFixture[str]
) -> None:
    defining(PAY)
    assert webtools("check", "shop.py", "--ignore", place) == 1
    name = place.partition(":")[2]
    warning = f"warning: {place} ignores nothing, since there is no tool {name}; {cure}\n"
    assert capsys.readouterr().err == warning


def test_what_a_project_ignores_is_told_only_where_all_its_apps_are_checked(
    defining: Defining, capsys: pytest.CaptureFixture[str]
) -> None:
    defining(GOOD)
    Path("pyproject.toml").write_text('[tool.webtools]\ncheck.ignore = ["unmarked-effect:gone"]\n')
    Path("index.html").write_text('<script data-app="/shop.py"></script>')
    for source, lines in (("shop.py", 0), (".", 1)):
        assert webtools("check", source) == 0
        assert capsys.readouterr().err.count("unmarked-effect:gone ignores nothing") == lines


def test_what_the_project_says_is_left_out(defining: Defining, capsys: pytest.CaptureFixture[str]) -> None:
    defining(PAY)
    project = Path("pyproject.toml")
    project.write_text('[tool.webtools]\ndependencies = []\ncheck.ignore = ["unmarked-effect:pay"]\n')
    assert webtools("check", "shop.py") == 0
    for wrong in ('ignore = "long-name"', "ignore = [1]", "ignored = []"):
        project.write_text(f"[tool.webtools]\ncheck.{wrong}\n")
        assert webtools("check", "shop.py") == 2
        assert "check has a list of rules to leave out" in capsys.readouterr().err
    project.write_text("[tool.webtools]\ncheck = 5\n")
    assert webtools("check", "shop.py") == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["shop.py", "--ignore", "long-nam"], "There is no rule long-nam to ignore; did you mean long-name?"),
        (["shop.py", "--ignore", "zzz:pay"], "There is no rule zzz to ignore; there is refused-name, "),
        (["."], "No page in . names an app"),
        (["gone.py"], '"gone.py" does not exist'),
    ],
)
def test_what_cannot_be_checked_is_another_exit_code_than_findings(
    defining: Defining, arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    defining(PAY)
    assert webtools("check", *arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert sentence in " ".join(told.err.split())


def test_an_app_that_cannot_be_run_cannot_be_checked(
    defining: Defining, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object, **__: object) -> list[dict[str, Any]]:
        raise CommandProblem("shop.py, line 3: NameError: name 'tol' is not defined")

    defining()
    monkeypatch.setattr(command, "tools_of_app", stop)
    assert webtools("check", "shop.py", "--json") == 2
    assert capsys.readouterr() == ("", "error: shop.py, line 3: NameError: name 'tol' is not defined\n")


def test_a_line_is_written_as_it_is(defining: Defining, capsys: pytest.CaptureFixture[str]) -> None:
    defining({**PAY, "name": "pay_[bold]:100:"})
    webtools("check", "shop.py")
    assert "pay_[bold]:100:: refused-name: " in capsys.readouterr().out


@given(st.lists(definitions, max_size=4))
def test_whatever_is_defined_can_be_checked(wires: list[dict[str, Any]]) -> None:
    tools = checked_tools({"definition": json.dumps(each)} for each in wires)
    found = list(findings("shop.py", tools))
    counts = [("shop.py", len(tools))]
    assert all(isinstance(line, str) for line in lines_of(counts, found))
    assert len(json.loads(json_of("1", counts, found))["findings"]) == len(found)


def test_the_docs_have_the_rules_of_the_source() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (\w+) \|", (DOCS / "check.md").read_text("utf-8"), re.MULTILINE)
    assert rows == [(rule.id, rule.severity) for rule in RULES]
