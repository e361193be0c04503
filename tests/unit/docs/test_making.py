"""What makes the site of the pages: links, references, and what is looked for in what was built."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import docs.making.__main__ as making
from docs.making import javascript, jsdoc
from docs.making.checking import faults
from docs.making.commands import reference
from docs.making.links import DOCS, ROOT, from_root, lead_inward
from docs.making.llms import summaries
from webtools.cli.app import app


class TestLinks:
    @pytest.mark.parametrize(
        ("link", "becomes"),
        [
            ("[a](tools.md#answers)", "[a](tools.md#answers)"),
            ("[a](../SECURITY.md)", "[a](project/security.md)"),
            ("[a](../static/storefront/)", "a"),
            ("[a](../static/storefront/shop.py)", "[a](../static/storefront/shop.py)"),
            ("[a](https://example.org/x)", "[a](https://example.org/x)"),
        ],
        ids=["a page", "a file that is a page", "a folder", "a file", "elsewhere"],
    )
    def test_a_link_of_a_page_leads_to_what_the_site_has(self, link: str, becomes: str) -> None:
        assert lead_inward(link, DOCS / "pages.md") == becomes

    def test_a_link_of_the_root_leads_to_the_pages(self) -> None:
        text = lead_inward("[a](docs/tools.md)", ROOT / "CHANGELOG.md", DOCS / "project" / "changes.md")
        assert text == "[a](../tools.md)"
        assert "](docs/" not in from_root("CHANGELOG.md")


def test_what_the_readme_says_of_a_page_is_said_to_models_too() -> None:
    assert summaries()["pages"].startswith("the script tag, ")


class TestTheReferenceOfJavaScript:
    def test_it_has_what_the_entry_exports(self) -> None:
        text = javascript.module("webtools.js")
        names = set(jsdoc.exported("webtools.js")) - {"webtools"}
        assert {"call", "hold", "ready", "status"} <= names
        assert [name for name in names if f"}} {name}" not in text] == []

    def test_a_type_is_told_that_another_type_names(self) -> None:
        text = javascript.typedefs(["webtools.js"])
        assert "{js:data} HandlerContext" in text  # by `define`, `Handler`
        assert "**ensureCurrent** (`` () => void ``)" in text

    def test_a_public_name_without_words_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(javascript, "exported", lambda file: ["nothing"])
        with pytest.raises(javascript.MissingWords, match="`nothing` is public"):
            javascript.module("elements.js")

    def test_the_attributes_are_those_of_the_page_on_pages(self) -> None:
        told = (DOCS / "pages.md").read_text("utf-8")
        rows = [line.split("`")[1] for line in javascript.attributes().splitlines()[2:]]
        assert [name for name in rows if f"| `{name}` |" not in told] == []

    def test_the_page_on_pages_has_what_the_entry_exports(self) -> None:
        part = (DOCS / "pages.md").read_text("utf-8").partition("\n## `window.webtools`\n")[2]
        line, _, table = part.partition("\n\n|")
        names = set(jsdoc.exported("webtools.js")) - {"webtools"}
        assert set(line.partition("{ ")[2].partition(" }")[0].split(", ")) == names
        assert [name for name in names if f"`{name}" not in table.partition("\n\n")[0]] == []


class TestTheReferenceOfTheCommandLine:
    def test_it_has_every_command(self) -> None:
        text = reference()
        assert [name for name in app if name[0] != "-" and f"## webtools {name}\n" not in text] == []

    def test_it_names_no_program_but_webtools_whoever_makes_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "__main__", making)
        monkeypatch.setattr(sys, "argv", [making.__file__])
        assert "\nwebtools new [OPTIONS] DIR\n" in reference()

    def test_it_has_the_examples_of_every_command(self) -> None:
        assert "\nwebtools new shop\nwebtools new shop --template react\n```\n" in reference()


class TestTheCheck:
    @pytest.mark.parametrize(
        ("html", "says"),
        [
            ('<a href="gone.html">x</a>', "leads nowhere"),
            ('<a href="other.html#gone">x</a>', "no place in the page"),
            ('<a href="http://example.org/">x</a>', "write https"),
            ('<script src="https://cdn.example/x.js"></script>', "not in the site"),
            ('<link rel="stylesheet" href="//fonts.example/x.css">', "not in the site"),
            ('<img src="gone.png">', "not in the site"),
            ("<p>with –no-reload</p>", "two hyphens"),
        ],
    )
    def test_what_is_wrong_is_said(self, tmp_path: Path, html: str, says: str) -> None:
        (tmp_path / "other.html").write_text("<p id='here'></p>", "utf-8")
        (tmp_path / "page.html").write_text(html, "utf-8")
        (found,) = faults(tmp_path)
        assert found.startswith("page.html: ")
        assert says in found

    def test_a_page_that_llms_txt_names_has_to_be_there(self, tmp_path: Path) -> None:
        (tmp_path / "llms.txt").write_text("- [Tools](tools.md): what can be one", "utf-8")
        assert list(faults(tmp_path)) == ["llms.txt: tools.md leads nowhere"]

    def test_llms_txt_says_something_of_each_page(self, tmp_path: Path) -> None:
        (tmp_path / "tools.md").touch()
        (tmp_path / "llms.txt").write_text("- [Tools](tools.md)\n", "utf-8")
        assert list(faults(tmp_path)) == ["llms.txt: nothing is said of tools.md; begin it with a sentence"]

    def test_links_that_lead_somewhere_are_right(self, tmp_path: Path) -> None:
        (tmp_path / "other.html").write_text("<p id='here'></p>", "utf-8")
        links = ["other.html", "other.html#here", "#own", "https://example.org/"]
        html = "".join(f'<a href="{link}">x</a>' for link in links)
        (tmp_path / "page.html").write_text(f'<p id="own"></p>{html}', "utf-8")
        assert list(faults(tmp_path)) == []
