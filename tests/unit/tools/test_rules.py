import math
from typing import Any

import pytest

from webtools._exceptions import ToolDefinitionError
from webtools.tools import rules

FLAGS = dict.fromkeys(("read_only", "untrusted_content", "consequential", "debugging"), False)


@pytest.mark.parametrize("name", ["a", "search_products", "shop.find-1", "x" * 128])
def test_a_name_of_the_allowed_characters_is_taken(name: str) -> None:
    assert rules.check_name(name, "f") == name


@pytest.mark.parametrize("name", ["", "a b", "a\n", "schön", "x" * 129, None, 5])
def test_another_name_is_refused_with_the_rule_and_the_cure(name: object) -> None:
    with pytest.raises(ToolDefinitionError, match=r"^f: .* 1 to 128 of the characters .*@tool\(name="):
        rules.check_name(name, "f")


def test_a_text_is_stripped() -> None:
    assert rules.check_text(" a \n", "title", "t", "Fill it.") == "a"


@pytest.mark.parametrize("text", ["", "  ", None, 3])
def test_a_blank_text_is_refused_with_the_cure(text: object) -> None:
    with pytest.raises(ToolDefinitionError, match=r"^Tool 't' has no title\. Fill it\.$"):
        rules.check_text(text, "title", "t", "Fill it.")


@pytest.mark.parametrize("flag", FLAGS)
def test_a_flag_is_true_or_false(flag: str) -> None:
    with pytest.raises(ToolDefinitionError, match=f"{flag}=1 must be True or False"):
        rules.check_flags("t", {**FLAGS, flag: 1})


def test_a_tool_that_only_reads_has_no_consequences() -> None:
    with pytest.raises(ToolDefinitionError, match="drop one of the two"):
        rules.check_flags("t", {**FLAGS, "read_only": True, "consequential": True})


@pytest.mark.parametrize(
    "origin",
    [
        "https://partner.example",
        "https://partner.example:8443",
        "https://bücher.example",
        "http://localhost:3000",
        "http://shop.localhost",
        "http://127.0.0.1",
        "http://[::1]:3000",
    ],
)
def test_an_exact_trustworthy_origin_is_taken(origin: str) -> None:
    assert rules.check_origins("t", [origin]) == (origin,)


@pytest.mark.parametrize(
    "origin",
    [
        "*",
        "null",
        "",
        "https://*.example",
        "https://a.example/",
        "https://a.example?",
        "https://a.example#",
        "https://a.example:",
        "https://a.example:99999",
        "https://a.example:port",
        "https://me@a.example",
        "https://a example",
        "https://a\\example",
        "https://a.example\n",
        "https://[::1",
        "https://",
        "HTTPS://a.example",
        "http://a.example",
        "http://localhost.example",
        "file:///a",
        None,
    ],
)
def test_another_origin_is_refused(origin: object) -> None:
    with pytest.raises(ToolDefinitionError, match="not an exact https origin"):
        rules.check_origins("t", [origin])


def test_a_star_is_never_suggested() -> None:
    with pytest.raises(ToolDefinitionError, match=r'"https://partner.example" \(no path, never "\*"\)'):
        rules.check_origins("t", "*")


@pytest.mark.parametrize("origins", ["https://a.example", None, 3])
def test_origins_are_a_list(origins: object) -> None:
    with pytest.raises(ToolDefinitionError, match="exposed_to is a list of origins"):
        rules.check_origins("t", origins)


def test_a_deadline_is_a_float_in_seconds() -> None:
    assert rules.check_timeout("t", "timeout", 3) == 3.0


@pytest.mark.parametrize("seconds", [0, -1, math.inf, math.nan, True, "1", None, 10**400])
def test_another_deadline_is_refused(seconds: Any) -> None:
    with pytest.raises(ToolDefinitionError, match="must be a positive number of seconds"):
        rules.check_timeout("t", "timeout", seconds)


def test_a_ceiling_is_a_whole_number() -> None:
    assert rules.check_max_chars("t", 1) == 1


@pytest.mark.parametrize("max_chars", [0, -1, 1.5, True, "1", None])
def test_another_ceiling_is_refused(max_chars: object) -> None:
    with pytest.raises(ToolDefinitionError, match="must be a positive whole number"):
        rules.check_max_chars("t", max_chars)


@pytest.mark.parametrize(
    ("match", "patterns"),
    [
        (None, ()),
        ("/cart/*", ("/cart/*",)),
        (["/cart/*", "*/edit", "#"], ("/cart/*", "*/edit", "#")),
        ("#/find?q=#{x}", ("#/find?q=#{x}",)),
        ("/caf%C3%A9/a'b~!$&()+,;=:@[]", ("/caf%C3%A9/a'b~!$&()+,;=:@[]",)),
    ],
)
def test_a_match_is_one_pattern_or_several(match: object, patterns: tuple[str, ...]) -> None:
    assert rules.check_match("t", match, is_held=False) == patterns


@pytest.mark.parametrize("match", [[], (), 5, True, object()])
def test_a_match_without_a_pattern_is_refused(match: object) -> None:
    with pytest.raises(
        ToolDefinitionError, match=r"^Tool 't': match=.* must be a pattern such as \"/cart/\*\""
    ):
        rules.check_match("t", match, is_held=False)


@pytest.mark.parametrize(
    "pattern", ["", "cart/*", "?x=1", " /cart", "https://a.example/cart", None, b"/cart"]
)
def test_a_pattern_that_no_path_can_begin_as_is_refused(pattern: object) -> None:
    with pytest.raises(ToolDefinitionError, match=r'A pattern starts with "/" or "\*", or with "#"'):
        rules.check_match("t", ["/cart", pattern], is_held=False)


@pytest.mark.parametrize("pattern", ["/cart?x=1", "/cart#lines", "*?"])
def test_a_pattern_for_the_path_has_no_query_and_no_hash(pattern: str) -> None:
    with pytest.raises(ToolDefinitionError, match="a path ends before the query and the hash"):
        rules.check_match("t", pattern, is_held=False)


@pytest.mark.parametrize(
    ("pattern", "written"),
    [
        ("/café", "/caf%C3%A9"),
        ("/a b", "/a%20b"),
        ("#/a b", "#/a%20b"),
        ("/docs/{id}", "/docs/%7Bid%7D"),
        ("#<é>", "#%3C%C3%A9%3E"),
        ("/\udc80", "/%3F"),
    ],
)
def test_a_pattern_is_written_as_browsers_write_the_path(pattern: str, written: str) -> None:
    with pytest.raises(ToolDefinitionError, match=f"percent-encode such a text. Write '{written}', or"):
        rules.check_match("t", pattern, is_held=False)


def test_what_a_path_decides_nobody_else_holds() -> None:
    with pytest.raises(ToolDefinitionError, match=r"both match and held=True.*drop one of the two"):
        rules.check_match("t", "/", is_held=True)


@pytest.mark.parametrize(
    "pattern", ["/a/../b", "/./a", "/a/.", "/a/..", "/%2e%2E/a", "/.%2e/a", "/a\\b", b"/a"]
)
def test_a_pattern_that_no_path_is_like_is_refused(pattern: object) -> None:
    with pytest.raises(ToolDefinitionError, match="no path is like it"):
        rules.check_match("t", pattern, is_held=False)


@pytest.mark.parametrize("pattern", ["/.well-known/*", "/a..b", "/...", "#/../a"])
def test_dots_within_a_segment_are_text(pattern: str) -> None:
    assert rules.check_match("t", pattern, is_held=False) == (pattern,)
