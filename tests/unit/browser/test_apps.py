from __future__ import annotations

import sys
import traceback

import pytest

from webtools.browser import apps

URL = "http://localhost:8000/shop/my-shop.py?v=1"

TOOL = '''
from webtools import tool

@tool
def {name}() -> None:
    """Do nothing."""
'''


pytestmark = pytest.mark.usefixtures("forgotten_apps")


def problem(source: str) -> str:
    with pytest.raises(apps.AppProblem) as caught:
        apps.load(URL, source)
    return str(caught.value)


def test_an_app_is_a_module_of_its_files_name() -> None:
    module = apps.load(URL, "from __future__ import annotations\nx: Later = 1")
    assert (module.__name__, module.__file__) == ("my_shop", URL)
    assert sys.modules["my_shop"] is module
    assert module.x == 1


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://h/a%20b.py", "a_b"),
        ("http://h/1st.py", "_1st"),
        ("http://h/läden.py", "läden"),
        ("http://h/", "app"),
        ("http://h/json.py", "json_2"),
        ("http://h/webtools.py", "webtools_2"),
        ("http://h/antigravity.py", "antigravity_2"),
    ],
)
def test_an_apps_name_is_an_identifier_that_no_other_module_has(url: str, name: str) -> None:
    assert apps.load(url, "").__name__ == name


def test_an_app_that_is_loaded_again_is_another_module() -> None:
    first, second = apps.load(URL, "x = 1"), apps.load(URL, "x = 2")
    assert (first.__name__, second.__name__) == ("my_shop", "my_shop_2")
    assert (first.x, second.x) == (1, 2)


def test_classes_of_an_app_know_their_module() -> None:
    module = apps.load(URL, "import dataclasses\n@dataclasses.dataclass\nclass A:\n    x: 'int'\n")
    assert module.A(1).x == 1
    assert module.A.__module__ == "my_shop"


def test_a_syntax_error_is_named_with_its_line() -> None:
    assert problem("x = 1\ndef f(:\n") == "/shop/my-shop.py, line 2: SyntaxError: invalid syntax"


def test_an_error_is_named_with_the_last_line_of_the_app_that_led_to_it() -> None:
    source = "import json\n\ndef read():\n    json.loads('{')\n\nread()\n"
    assert problem(source).startswith("/shop/my-shop.py, line 4: JSONDecodeError: Expecting")


def test_the_traceback_shows_the_apps_own_lines() -> None:
    with pytest.raises(apps.AppProblem) as caught:
        apps.load(URL, "number = 0\nprint(1 / number)\n")
    cause = caught.value.__cause__
    assert cause
    assert "print(1 / number)" in "".join(traceback.format_exception(cause))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("raise ValueError('first\\nsecond')", "line 1: ValueError: first"),
        ("e = KeyError('sku')\ne.add_note('a note')\nraise e", "line 3: KeyError: 'sku'"),
        ("raise ValueError", "line 1: ValueError"),
        ("import sys\nsys.exit(3)", "line 2: SystemExit: 3"),
        ("compile('(', 'other.py', 'exec')", "line 1: SyntaxError: '(' was never closed"),
        ("x = 1\0", "SyntaxError: source code string cannot contain null bytes"),
        ("x = '\ud800'", "UnicodeEncodeError"),
    ],
)
def test_whatever_an_app_raises_is_one_line(source: str, said: str) -> None:
    text = problem(source)
    assert said in text
    assert "\n" not in text


def test_a_module_that_is_not_there_says_what_a_page_has() -> None:
    said = problem("import nowhere_to_be_found")
    assert said.endswith("or in dependencies. An app of several modules is an archive.")


@pytest.mark.parametrize(
    "way", ["raise ValueError", "import sys\ndel sys.modules[__name__]\nraise ValueError"]
)
def test_an_app_that_failed_leaves_no_module(way: str) -> None:
    problem(way)
    assert "my_shop" not in sys.modules


def test_an_app_that_renames_itself_fails_like_any_other() -> None:
    assert "ValueError" in problem("__name__ = 'json'\nraise ValueError")
    assert "json" in sys.modules


def test_an_apps_tools_are_those_that_its_global_names_hold_each_once() -> None:
    source = TOOL.format(name="b") + TOOL.format(name="a") + "again = b\nnumber = 1\nhidden = [a]\n"
    assert [tool.name for tool in apps.declared_in(vars(apps.load(URL, source))).tools] == ["b", "a"]


def test_an_app_without_tools_has_none() -> None:
    assert apps.declared_in(vars(apps.load(URL, "x = 1"))).tools == []
