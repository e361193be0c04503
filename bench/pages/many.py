"""As many tools as the app's URL asks for: `/many.py?count=100`, `/many.py?count=100&held=`."""

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

from webtools import tool

asked = parse_qs(urlsplit(__file__).query, keep_blank_values=True)


def make(number: int) -> Callable[[str], str]:
    @tool(name=f"many_{number}", held="held" in asked)
    def many(text: str) -> str:
        """Return the text."""
        return text

    return many


for number in range(int(asked["count"][0])):
    globals()[f"many_{number}"] = make(number)
