"""What a hostile agent, page or package might send."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

BAD_TEXTS = st.sampled_from(
    [
        "__proto__",
        "constructor",
        "toString",
        "<img src=x onerror=alert(1)>",
        "</script><script>alert(1)</script>",
        "\u202egnp.exe",
        "\ud800",
        "\0",
        "\u2028",
        "{{7*7}}",
        "%s%n%d",
        "{0.__class__}",
        "../../etc/passwd",
        "*",
        " ",
        "",
        "a" * 5000,
    ]
)
"""What has broken other people's programs."""

TEXTS = st.one_of(
    BAD_TEXTS, st.text(max_size=40), st.text(st.characters(categories=["Cs", "Cc"]), max_size=4)
)

KEYS = st.one_of(st.sampled_from(["n", "text", "items", "self", "ctx", "kind"]), TEXTS)

NUMBERS = st.one_of(
    st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.just(2**63), st.just(-0.0)
)

JSON: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=12,
)
"""Whatever JSON can hold."""

NO_JSON = st.one_of(
    TEXTS,
    st.sampled_from(["NaN", '{"n": 1', "[" * 100_000, '{"n":' * 5000, '{"n": 1e999}', '{"n": 1, "n": 2}']),
    st.integers(1, 400).map(lambda digits: '{"n": ' + "9" * digits + "}"),
)
"""Texts that are none, or none that anybody could mean."""
