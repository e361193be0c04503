"""docs/tutorial.md in a browser: the page that it ends with does what its own tests say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from playwright.sync_api import Browser

from e2e.agents import Mode
from e2e.conftest import Watched
from e2e.sites import serving
from tests.docs import DOCS, files_of

FILES = files_of(DOCS / "tutorial.md")
SITE = Path("notes/site")


@pytest.fixture(scope="module")
def tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The module of tests that the tutorial shows, and its page served at the address that they name."""
    folder = tmp_path_factory.mktemp("tutorial")
    for name, text in FILES.items():
        if Path(name).parent == SITE:
            (folder / Path(name).name).write_text(text, "utf-8")
    with serving(folder) as url:
        module = ModuleType("test_page")
        exec(
            compile(FILES["notes/tests/test_page.py"], "test_page.py", "exec", dont_inherit=True),
            vars(module),
        )
        vars(module)["ADDRESS"] = url
        yield module


@pytest.mark.parametrize(
    ("mode", "name"),
    [
        ("native", "test_what_an_agent_writes_is_on_the_page"),
        ("polyfill", "test_the_person_is_asked_before_a_note_is_deleted"),
    ],
)
def test_what_the_tutorial_tests_is_so(
    tests: ModuleType, browsers: Callable[[Mode], Browser], mode: Mode, name: str
) -> None:
    context = browsers(mode).new_context()
    watched = Watched(context.new_page())
    getattr(tests, name)(watched.page)
    context.close()
    assert (watched.foreign, watched.uncaught) == ([], [])
