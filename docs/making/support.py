"""The table of browser support, as Markdown."""


def table() -> str:
    """."""
    return ""
