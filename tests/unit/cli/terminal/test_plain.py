from __future__ import annotations

import pytest

from webtools.cli.terminal.plain import plain


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("http://ada:hunter2@127.0.0.1:1/a.py could not", "http://127.0.0.1:1/a.py could not"),
        ('data-app="https://a.test/x.py?key=1#2" is', 'data-app="https://a.test/x.py" is'),
        ("see https://a.test/@me and ?x=1", "see https://a.test/@me and ?x=1"),
        ("https://a:p@ss@a.test?k=v", "https://a.test"),
    ],
)
def test_of_a_url_in_a_text_no_secret_is_shown(said: str, shown: str) -> None:
    assert plain(said) == shown
