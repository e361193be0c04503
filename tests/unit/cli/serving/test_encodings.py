"""Which encoding is sent for which `Accept-Encoding`."""

import pytest

from webtools.cli.serving.encodings import accepted


@pytest.mark.parametrize(
    ("header", "ways"),
    [
        ("gzip, deflate, br, zstd", ["br", "gzip"]),
        ("gzip", ["gzip"]),
        ("GZIP;q=0.5 , Br ; q=0.1", ["gzip", "br"]),
        ("br;q=0, *", ["gzip"]),
        ("br;q=0, gzip;q=0.000", []),
        ("*;q=0.1", ["br", "gzip"]),
        ("br;level=3", ["br"]),
        ("gzip;q=much, br;q=", []),
        ("identity", []),
        ("*;q=0", []),
        ("", []),
    ],
)
def test_the_browsers_liking_decides_then_the_size(header: str, ways: list[str]) -> None:
    assert accepted(header) == ways
