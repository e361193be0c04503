from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtools.stores.secrets import MAX_SECRETS, MIN_LENGTH, REDACTED, Secrets

VISIBLE = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=MIN_LENGTH, max_size=20)
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def knowing(*values: str) -> Secrets:
    secrets = Secrets()
    secrets.add(values)
    return secrets


def test_the_whole_value_and_what_follows_its_scheme_are_taken_out() -> None:
    secrets = knowing("Bearer token-12345")
    assert secrets.redacted("a Bearer token-12345 b token-12345 c") == f"a {REDACTED} b {REDACTED} c"


def test_a_text_that_is_too_short_stays() -> None:
    secrets = knowing("v2", "x" * (MIN_LENGTH - 1))
    assert not secrets
    assert secrets.redacted("v2") == "v2"


def test_only_so_many_are_known_and_the_oldest_goes() -> None:
    secrets = knowing(*(f"secret-{number:05}" for number in range(MAX_SECRETS + 1)))
    assert secrets.redacted("secret-00000 secret-00001") == f"secret-00000 {REDACTED}"
    assert repr(secrets) == f"<Secrets, {MAX_SECRETS} known>"


def test_what_has_no_secret_stays_the_very_text() -> None:
    text = '{"a" : 1.50, "b": "\\u00e9"}'
    assert knowing("token-12345").redacted_json(text) is text


@given(VISIBLE, PLAIN)
def test_json_text_stays_json_and_has_no_secret_however_deep_it_was_written(secret: str, other: Any) -> None:
    secrets = knowing(secret)
    inside = json.dumps({"k": secret})
    data = {"a": [secret, f"x{secret}y"], secret: inside, "twice": json.dumps(inside), "other": other}
    found = json.loads(secrets.redacted_json(json.dumps(data)))
    assert not _holds(found, secrets, secret.strip())
    assert secrets.redacted_data(data) == found


def _holds(plain: Any, secrets: Secrets, secret: str) -> bool:
    if isinstance(plain, dict):
        return any(_holds(each, secrets, secret) for pair in plain.items() for each in pair)
    if isinstance(plain, list):
        return any(_holds(each, secrets, secret) for each in plain)
    if not isinstance(plain, str) or len(secret) < MIN_LENGTH:
        return False
    # what only looks like the secret because of the word in its place is none
    return any(secret in part for part in plain.split(REDACTED))


@pytest.mark.parametrize("number", [1234567890, -1234567890, 1234567890.5])
def test_a_number_that_is_the_secret_is_taken_out(number: float) -> None:
    text = json.dumps({"account": number, "other": 5, "yes": True})
    assert json.loads(knowing("1234567890").redacted_json(text)) == {
        "account": REDACTED,
        "other": 5,
        "yes": True,
    }


def test_its_repr_tells_nothing() -> None:
    assert "token" not in repr(knowing("token-12345"))
