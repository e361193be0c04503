"""Where tools come from: what `@tool` makes, manifests, folders."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from webtools import Ownership, ToolContext, form_tool, tool
from webtools.browser.apps import declared_in
from webtools.browser.manifest import checkable, manifest_without_page
from webtools.cli.checking.sources import checked_apps, checked_tools
from webtools.cli.checking.subjects import CheckedTool
from webtools.cli.checking.words import words_of_name
from webtools.cli.terminal.problems import CommandProblem

HERE = __file__
TEXT = "Do what the test wants of it."


def made(**tools: object) -> CheckedTool:
    """Give what is checked of an app with one tool."""
    (found,) = checked_tools(checkable(declared_in(tools), lambda name: "app.py" if name == HERE else None))
    return found


def test_a_tool_is_known_with_its_place() -> None:
    @tool(read_only=True)
    def find(words: str) -> str:
        """Find it."""
        return words

    found = made(find=find)
    assert (found.name, found.description, found.is_read_only) == ("find", "Find it.", True)
    assert found.schema["properties"] == {"words": {"type": "string"}}
    assert (found.file, found.line) == ("app.py", find.__code__.co_firstlineno)


def test_a_tool_of_someone_elses_function_has_no_place() -> None:
    words = tool(functools.partial(words_of_name), description=TEXT)
    found = made(words=words)
    assert (found.name, found.file, found.line) == ("words_of_name", None, None)


def test_a_tool_that_a_manifest_leaves_out_is_checked_all_the_same() -> None:
    checkout = Ownership("checkout", others="read-only")

    @tool(description=TEXT, owner=checkout)
    def pay() -> None: ...

    assert made(pay=pay).name == "pay"


def test_that_a_person_is_asked_is_seen() -> None:
    async def pay(ctx: ToolContext) -> None:
        await ctx.confirm("Pay?")

    def quiet() -> None: ...

    assert made(pay=tool(description=TEXT)(pay)).asks_person
    assert not made(pay=tool(description=TEXT)(quiet)).asks_person
    assert made(pay=tool(description=TEXT, confirm="Pay?")(quiet)).asks_person
    assert made(pay=tool(description=TEXT, confirm=lambda *_: "Pay?")(quiet)).asks_person


@pytest.mark.parametrize(
    ("options", "is_always_there"), [({}, True), ({"held": True}, False), ({"match": "/cart"}, False)]
)
def test_what_comes_and_goes_is_known(options: Mapping[str, Any], is_always_there: bool) -> None:
    @tool(description=TEXT, **options)
    def find() -> None: ...

    assert made(find=find).is_always_there is is_always_there


def test_a_forms_tool_is_checked_too() -> None:
    contact = form_tool("#contact", name="contact", description="Write to the shop.", submit="agent")
    found = made(contact=contact)
    assert (found.name, found.description) == ("contact", "Write to the shop.")
    assert (found.asks_person, found.is_always_there) == (False, False)
    assert made(ask=form_tool("#ask", name="ask", description=TEXT)).asks_person


def test_an_app_that_can_have_no_manifest_has_its_tools() -> None:
    source = (
        "from webtools import tool\n"
        'one = tool(name="twice", description="The first of them.", held=True)(lambda: 1)\n'
        'two = tool(name="twice", description="The second of them.", held=True)(lambda: 2)\n'
    )
    answer = json.loads(manifest_without_page("app.py", source, "1"))
    assert [(each["file"], each["line"]) for each in answer["tools"]] == [("app.py", 2), ("app.py", 3)]
    assert "manifest" not in answer
    assert "twice" in answer["problem"]


class Folder:
    """Apps in a folder, each run to a tool of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.told: list[str] = []

    def write(self, name: str, text: str = "") -> Path:
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def names(self, source: str = ".", entry: str | None = None) -> list[tuple[str, str]]:
        """Give the apps, and their tools' names."""
        found = checked_apps(self.path / source, entry, self._run, self.told.append)
        return [(Path(app).name, tool.name) for app, tools in found.apps for tool in tools]

    @staticmethod
    def _run(app: Path, entry: str | None) -> list[dict[str, Any]]:
        definition = {"name": entry or app.stem, "description": TEXT}
        return [{"definition": json.dumps(definition)}]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_a_file_is_run(folder: Folder) -> None:
    folder.write("shop.py")
    folder.write("shop.zip")
    assert folder.names("shop.py") == [("shop.py", "shop")]
    assert folder.names("shop.zip", "shop.tools") == [("shop.zip", "shop.tools")]


def test_a_folder_is_checked_by_what_its_pages_name_each_app_once(folder: Folder) -> None:
    folder.write("shop.py")
    folder.write("more/desk.py")
    folder.write("more/all.zip")
    folder.write("not_named.py")
    folder.write("index.html", '<script data-app="/shop.py" data-manifest="/shop.tools.json"></script>')
    folder.write("more/a.html", '<script data-app="desk.py"></script><script data-app="../shop.py"></script>')
    folder.write("more/b.htm", '<script data-app="/more/all.zip" data-entry="all.tools"></script>')
    folder.write(".old/index.html", '<script data-app="/not_named.py"></script>')
    assert sorted(folder.names()) == [("all.zip", "all.tools"), ("desk.py", "desk"), ("shop.py", "shop")]
    assert folder.told == []


def test_a_page_with_several_apps_has_the_tools_of_each(folder: Folder) -> None:
    for name in ("shop.py", "desk.py"):
        folder.write(name)
    both = "<script data-app=/shop.py></script><script data-app=/desk.py></script>"
    folder.write("both.html", both * 2)
    folder.write("one.html", "<script data-app=/desk.py></script>" * 2)
    ((page, apps),) = checked_apps(folder.path, None, folder._run, folder.told.append).pages
    assert Path(page).name == "both.html"
    assert [[tool.name for tool in tools] for tools in apps] == [["shop"], ["desk"]]


def test_an_app_that_is_elsewhere_is_told_and_left_out(folder: Folder) -> None:
    folder.write("shop.py")
    folder.write("index.html", "<script data-app=/shop.py></script>\n<script data-app=//other.example/a.py>")
    assert folder.names() == [("shop.py", "shop")]
    (told,) = folder.told
    assert "index.html, line 2: //other.example/a.py is elsewhere than in" in told


def test_an_app_that_is_not_there_cannot_be_checked(folder: Folder) -> None:
    folder.write("shop.py")
    folder.write("index.html", "<script data-app=/shop.py></script>\n<script data-app=/gone.py></script>")
    with pytest.raises(
        CommandProblem, match=r"index\.html, line 2: the app /gone\.py is not there; put it into"
    ):
        folder.names()


def test_the_folder_around_the_one_that_is_served_is_told_with_the_right_one(folder: Folder) -> None:
    folder.write("site/shop.py")
    folder.write("site/index.html", "<script data-app=/shop.py></script>")
    with pytest.raises(
        CommandProblem, match=r"the app /shop\.py is beside the page: name .*site instead of "
    ):
        folder.names()


def test_a_folder_without_an_app_is_told(folder: Folder) -> None:
    folder.write("index.html", "<p>")
    with pytest.raises(CommandProblem, match=r"No page in .* names an app"):
        folder.names()
    with pytest.raises(CommandProblem, match="--entry is for an archive"):
        folder.names(entry="shop")


def test_a_manifest_is_read_without_running_anything(folder: Folder) -> None:
    definition = {"name": "pay", "description": TEXT, "confirm": True, "inputSchema": 5}
    tools = [{"definition": json.dumps(definition), "held": False, "match": ["/cart"], "timeout": 60}]
    file = folder.write("shop.tools.json", json.dumps({"tools": tools}))
    ((name, (pay,)),) = checked_apps(file, None, folder._run, folder.told.append).apps
    assert name == file.as_posix()
    assert pay == CheckedTool("pay", TEXT, asks_person=True, is_always_there=False)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"tools": 5}',
        '{"tools": [5]}',
        '{"tools": [{}]}',
        '{"tools": [{"definition": 5}]}',
        '{"tools": [{"definition": "{"}]}',
        '{"tools": [{"definition": "[]"}]}',
        '{"tools": [{"definition": "{}"}]}',
        "[" * 100_000,
        "\udc00",
    ],
)
def test_what_is_no_manifest_is_told(folder: Folder, text: str) -> None:
    (folder.path / "shop.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(CommandProblem, match="is no manifest of tools; write one: webtools manifest APP -o"):
        folder.names("shop.json")
