"""The storefront's tools are there before Python is: its manifest is what its app defines."""

from __future__ import annotations

from importlib.metadata import version
from types import ModuleType

from tests.unit.storefront.shops import STOREFRONT, tools_in
from webtools.browser.manifest import digest_of, manifest_of


def read(name: str) -> str:
    return (STOREFRONT / name).read_text("utf-8")


def test_the_manifest_is_that_of_the_app(app: ModuleType) -> None:
    """To mend it, in its folder: python -m webtools manifest shop.py -o shop.tools.json."""
    assert read("shop.tools.json") == manifest_of(
        digest_of(read("shop.py")), tools_in(app), version("webtools-host")
    )


def test_the_page_names_it() -> None:
    assert 'data-manifest="/shop.tools.json"' in read("index.html")
