"""Which encoding of an answer's body a browser takes (RFC 9110, section 12.5.3)."""

from webtools.cli.files.compressing import SUFFIXES, Encoding

__all__ = ["accepted"]


def accepted(header: str) -> list[Encoding]:
    """Read `Accept-Encoding`.

    Returns:
        Those of ours that are accepted, the best first: what the browser likes more, then what is smaller.
    """
    weights = dict(_weighed(part) for part in header.lower().split(","))
    likings = {encoding: weights.get(encoding, weights.get("*", 0.0)) for encoding in SUFFIXES}
    return sorted((each for each in likings if likings[each] > 0), key=lambda each: -likings[each])


def _weighed(part: str) -> tuple[str, float]:
    """Read `gzip;q=0.5`; what cannot be read is not accepted."""
    name, _, parameter = part.partition(";")
    key, _, value = parameter.partition("=")
    try:
        weight = float(value) if key.strip() == "q" else 1.0
    except ValueError:
        weight = 0.0
    return name.strip(), weight
