from __future__ import annotations

import pytest

from webtools.cli.bridge.logs import origin_of, shown
from webtools.cli.bridge.names import exposed, named
from webtools.cli.terminal.problems import CommandProblem


@pytest.mark.parametrize(
    ("pages", "prefixes"),
    [
        (["http://127.0.0.1:8000/"], [""]),
        (["shop=http://127.0.0.1:8000/"], [""]),
        (["shop=http://a.test/?x=1", "admin=http://a.test/admin"], ["shop_", "admin_"]),
        (["https://shop.test/", "https://bank.test/"], ["shop_test_", "bank_test_"]),
        (["http://127.0.0.1:8000/", "http://127.0.0.1:8001/"], ["127_0_0_1_8000_", "127_0_0_1_8001_"]),
        (["https://shop.test/?a=b", "me=https://shop.test/me"], ["shop_test_", "me_"]),
        ([f"https://{'a' * 60}.test/", "https://b.test/"], [f"{'a' * 32}_", "b_test_"]),
    ],
)
def test_pages_have_prefixes_where_there_are_several(pages: list[str], prefixes: list[str]) -> None:
    assert [page.prefix for page in named(pages)] == prefixes


def test_a_name_is_taken_off_its_url() -> None:
    urls = [page.url for page in named(["shop=http://a.test/?b=c", "http://b.test/?d=e"])]
    assert urls == ["http://a.test/?b=c", "http://b.test/?d=e"]


@pytest.mark.parametrize(
    "pages",
    [
        ["https://shop.test/a", "https://shop.test/b"],
        ["shop=https://a.test/", "Shop=https://b.test/"],
    ],
)
def test_two_pages_of_one_name_are_told_with_the_cure(pages: list[str]) -> None:
    with pytest.raises(CommandProblem, match=r"would be called \w+; name them, as in: webtools bridge shop="):
        named(pages)


@pytest.mark.parametrize(
    "page", ["shop", "ftp://a.test/", "file:///etc/passwd", "http://", "http://a:b/", "ws://a.test/"]
)
def test_what_is_no_page_is_told_with_the_cure_and_not_repeated(page: str) -> None:
    with pytest.raises(CommandProblem, match="A page is no http or https URL; give one, as in:"):
        named([page])


@pytest.mark.parametrize("name", ["my_shop", "my shop", "", "a" * 25])
def test_a_name_that_no_page_can_have_is_told_with_the_cure(name: str) -> None:
    with pytest.raises(CommandProblem, match="A page's name has something else than letters, digits and -"):
        named([f"{name}=https://shop.test/?key=s3cret"])


@pytest.mark.parametrize("name", ["cart.add", "ü", "x" * 70])
def test_a_name_that_some_clients_do_not_take_is_made_one_that_they_do(name: str) -> None:
    made = exposed("shop_", name)
    assert made.isascii()
    assert len(made) <= 64
    assert made.replace("_", "").isalnum()
    assert made != exposed("shop_", f"{name}.")


def test_a_name_that_all_clients_take_stays_as_it_is() -> None:
    assert exposed("", "search_products-2") == "search_products-2"


@pytest.mark.parametrize(
    ("url", "origin", "public"),
    [
        ("http://127.0.0.1:8000/a?token=1#x", "http://127.0.0.1:8000", "http://127.0.0.1:8000/a"),
        ("https://me:pass@Shop.test:443/", "https://shop.test", "https://shop.test/"),
        ("http://[::1]:80/", "http://[::1]", "http://[::1]/"),
        ("https://bücher.test/x", "https://xn--bcher-kva.test", "https://xn--bcher-kva.test/x"),
    ],
)
def test_of_a_url_only_what_is_public_is_shown(url: str, origin: str, public: str) -> None:
    assert (origin_of(url), shown(url)) == (origin, public)
