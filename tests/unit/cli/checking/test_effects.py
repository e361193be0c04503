"""Annotations, against what the words say."""

from __future__ import annotations

import pytest

from tests.unit.cli.checking.tools import checked, found

READ_ONLY = ("readOnlyHint",)


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("delete_file", "Take a file out of the folder."),
        ("send-message", "Give words to a customer."),
        ("cancelOrder", "Stop what is on its way."),
        ("pay", "Settle what is open by now."),
        ("place_order", "Have what is in the cart."),
        ("tidy_up", "Deletes files that nobody needs."),
        ("buy_all", "Order what is in the cart."),
        ("invite", "Email an invitation to a guest."),
    ],
)
def test_what_sounds_as_if_it_could_not_be_taken_back_says_so_or_asks(name: str, description: str) -> None:
    assert found(checked(name, description)) == ["unmarked-effect"]
    assert found(checked(name, description, hints=("consequentialHint",))) == []
    assert found(checked(name, description, asks_person=True)) == []
    assert "unmarked-effect" not in found(checked(name, description, hints=READ_ONLY))


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("order_status", "Read how far an order is."),
        ("show_orders", "Orders of the last month, in a table."),
        ("orders", "Order number and date of all that was bought."),
        ("clear_filters", "Show all products again."),
        ("reset_zoom", "Show the map as it was at first."),
        ("delete_count", "Tell how many files are gone."),
        ("post_office", "Find the next one by a town's name."),
        ("add_to_cart", "Put pieces of a product into the cart."),
        ("email_preview", "Write an email, and show it. Nothing is sent."),
        ("undelete_file", "Bring a file back that was deleted."),
    ],
)
def test_what_only_sounds_a_little_like_it_is_left_alone(name: str, description: str) -> None:
    assert found(checked(name, description)) == []


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("delete_file", ["read-only-writes"]),
        ("updateProfile", ["read-only-writes"]),
        ("set_theme", ["read-only-writes"]),
        ("get_file", []),
        ("update_history", []),
        ("set_filter", []),
    ],
)
def test_what_only_reads_is_not_called_as_if_it_wrote(name: str, rules: list[str]) -> None:
    text = "Something about a document of the page."
    assert found(checked(name, text, hints=READ_ONLY)) == rules
    assert "read-only-writes" not in found(checked(name, text))


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("get_reviews", "Read what there is about a product."),
        ("list-comments", "Give those below an article."),
        ("readInbox", "Give the newest twenty of them."),
        ("get_product", "Read a product, with its reviews."),
        ("find_articles", "Find articles, with what users wrote below them."),
        ("search_web", "Search the web by words."),
    ],
)
def test_words_of_strangers_are_marked(name: str, description: str) -> None:
    assert found(checked(name, description)) == ["unmarked-untrusted"]
    assert found(checked(name, description, hints=READ_ONLY)) == ["unmarked-untrusted"]
    assert found(checked(name, description, hints=("untrustedContentHint",))) == []


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("add_comment", "Write a comment below an article."),
        ("get_email", "Read the address of the person."),
        ("get_comment_count", "Tell how many comments an article has."),
        ("list_problems", "Read the error messages of the last build."),
        ("get_product", "Read a product: its price, stock, rating and review count."),
        ("show_chat", "Open the panel at the side."),
    ],
)
def test_what_no_stranger_wrote_needs_no_mark(name: str, description: str) -> None:
    assert found(checked(name, description)) == []


def test_what_reads_from_an_address_gives_words_of_strangers() -> None:
    address = {"url": {"type": "string", "description": "Where it is to be found"}}
    assert found(checked("fetch_page", "Read a document.", properties=address)) == ["unmarked-untrusted"]
    assert found(checked("open_tab", "Show a document beside it.", properties=address)) == []
