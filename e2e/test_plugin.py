"""The pytest plugin in an author's project: that of docs/testing.md, and tests that have to fail."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.author import run_pytest, write_files

WRONG = """
import pytest
from webtools.testing import assert_kept, assert_no_call_lost, expect_tool


@pytest.fixture(scope="module")
def page(open_tool_page, webtools_mode):
    with open_tool_page(webtools_mode) as page:
        page.goto("/")
        yield page


def test_listed(page):
    expect_tool(page, "read_notes").to_be_listed(timeout=0.1)


def test_gone(page):
    expect_tool(page, "greet").not_to_be_listed(timeout=0.1)


def test_text(page):
    expect_tool(page, "greet").to_answer({"name": "Ada"}, text="Hello")


def test_error(page):
    expect_tool(page, "greet").to_answer({"name": 7})


def test_kept(page):
    page.page.click("#toggle")
    with assert_kept(page, "read_notes"):
        page.page.click("#toggle")
        expect_tool(page, "read_notes").not_to_be_listed()
        page.page.click("#toggle")


def test_none(page):
    with assert_no_call_lost(page):
        pass


def test_lost(page):
    with assert_no_call_lost(page):
        page.begin("read_notes")
        page.goto("/", wait=False)


def test_unlisted(page):
    expect_tool(page, "nope").to_answer({}, timeout=0.2)


def test_called_unlisted(page):
    page.call("nix")


def test_no_json(page):
    expect_tool(page, "greet").to_answer({"name": {1, 2}})


def test_nothing_kept(page):
    with assert_kept(page):
        pass


def test_nowhere(page):
    page.goto("/nowhere.html")


@pytest.fixture(scope="module")
def bare(open_tool_page, webtools_mode):
    with open_tool_page(webtools_mode) as page:
        page.goto("/bare.html", wait=False)
        yield page


def test_data(bare):
    expect_tool(bare, "count").to_answer({}, data=None)


def test_stuck(bare):
    expect_tool(bare, "spin").to_answer({}, timeout=0.5)


def test_stuck_for_good(bare):
    expect_tool(bare, "spin").not_to_be_listed(timeout=0.1)
"""

BARE = """<!doctype html>
<link rel="icon" href="data:," />
<script type="module">
  import { apply } from "/webtools/polyfill.js";
  apply(document);
  const add = (name, execute) => document.modelContext.registerTool({ name, description: name, execute });
  add("count", () => ({ content: [], structuredContent: { a: 1 } }));
  add("spin", () => { for (;;); });
</script>
"""
"""A page with tools and without Python; one of them never yields."""

OLD = """
def test_a_schema_is_text_and_an_input_too(tool_page):
    tool_page.goto("/")
    (greet,) = tool_page.tools()
    assert isinstance(greet["inputSchema"], str)
    assert tool_page.call("greet", {"name": "Ada"})["content"][0]["text"] == "Hello, Ada!"
"""

SAID = [
    "read_notes is not listed after 0.1 s.",
    "State of read_notes: unknown, since nobody holds it",
    "greet is still listed after 0.1 s.",
    "greet answers 'Hello, Ada!', not 'Hello'",
    "greet answers with the error INVALID_TOOL_ARGS; expected no error",
    "read_notes was not kept: leaving → unknown → registering → registered.",
    "no call was begun in this block: begin one with tool_page.begin(name, arguments)",
    "the call of read_notes is lost: the page was loaded anew",
    "/nowhere.html is answered with 404; is the right folder served (webtools_folder)?",
    "nope is not listed after 0.2 s.",
    "AssertionError: the call of nix failed: ",
    "The arguments for greet are not JSON: Object of type set is not JSON serializable.",
    "assert_kept names no tool",
    "count answers with the data {'a': 1}, not None",
    "the call of spin has no answer after 0.",
    "s, and the page does not react: a tool or a script runs without end",
    "spin is still listed after 0.1 s.",
    "The page does not react: a tool or a script runs without end.",
]

PROJECT = ("pyproject.toml", "site/index.html", "site/notes.js", "site/notes.py", "test_notes.py")


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What pytest prints of both, one server and one browser of each kind for all."""
    folder = tmp_path_factory.mktemp("notes")
    write_files("testing.md", folder, *PROJECT)
    (folder / "test_wrong.py").write_text(WRONG, "utf-8")
    (folder / "site/bare.html").write_text(BARE, "utf-8")
    (folder / "test_old.py").write_text(OLD, "utf-8")
    modes = "--webtools-modes=native,polyfill,chrome-152"
    chosen = "test_notes or (test_old and chrome) or (test_wrong and not chrome)"
    return run_pytest(folder, "-rA", "--show-capture=no", modes, "-k", chosen)[1]


def outcomes(said: str, file: str) -> Counter[str]:
    lines = [line.split() for line in said.splitlines() if f" {file}::" in line]
    return Counter(line[0] for line in lines)


def test_the_documents_tests_pass_on_native_and_on_the_polyfill_and_as_a_browser_that_loses_calls(
    said: str,
) -> None:
    assert outcomes(said, "test_notes.py") == {"PASSED": 6}, said
    assert [each for each in ("native", "polyfill", "chrome-152") if f"_answered[{each}]" not in said] == []


def test_a_page_on_a_browser_of_old_has_its_shape(said: str) -> None:
    assert outcomes(said, "test_old.py") == {"PASSED": 1}, said


def test_what_is_wrong_fails_on_both_and_says_how_it_is_instead(said: str) -> None:
    assert outcomes(said, "test_wrong.py") == {"FAILED": 30}, said
    assert [each for each in SAID if said.count(each) < 2] == []
