from pathlib import Path

import pytest

from tests.unit.cli.made_up import webtools
from webtools.cli.examples import folder_to_serve
from webtools.cli.sources.checkout import Checkout

EXAMPLES = {"shop": Path("/site-packages/shop"), "desk": Path("/site-packages/desk")}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("named", ["examples/shop", "examples/shop/", "./examples/shop"])
def test_an_example_is_found_wherever_one_is(named: str) -> None:
    assert folder_to_serve(Path(named), EXAMPLES) == EXAMPLES["shop"]


def test_a_folder_of_the_same_name_comes_first() -> None:
    Path("examples/shop").mkdir(parents=True)
    assert folder_to_serve(Path("examples/shop"), EXAMPLES) == Path("examples/shop")


@pytest.mark.parametrize("named", ["shop", "my/examples/shop", "examples", "examples/shop/pictures"])
def test_any_other_folder_is_what_it_is(named: str) -> None:
    assert folder_to_serve(Path(named), EXAMPLES) == Path(named)


def test_an_example_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(
        ValueError, match=r"no folder examples/shoop here, .* are: examples/shop, examples/desk$"
    ):
        folder_to_serve(Path("examples/shoop"), EXAMPLES)


def test_the_command_line_says_it_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert webtools("serve", "examples/shoop") == 2
    told = capsys.readouterr().err
    assert "There is no folder examples/shoop here" in " ".join(told.split())


def test_a_clone_has_the_shop_once_its_react_is_bundled(tmp_path: Path) -> None:
    react = tmp_path / "static" / "storefront" / "vendor" / "react.js"
    assert Checkout(tmp_path).examples == {}
    react.parent.mkdir(parents=True)
    react.write_text("")
    assert Checkout(tmp_path).examples == {"shop": tmp_path / "static" / "storefront"}


@pytest.mark.parametrize(
    "command", [["new", ""], ["serve", ""], ["build", "", "-o", "out"], ["build", ".", "-o", ""]]
)
def test_an_empty_name_is_not_taken_for_the_current_folder(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert webtools(*command) != 0
    assert "An empty name is no folder's" in capsys.readouterr().err
    assert list(Path().iterdir()) == []
