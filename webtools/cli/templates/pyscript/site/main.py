"""What PyScript runs: webtools comes into this Python, then the tools, then what the person sees."""

import js
import pyodide_js
from pyscript import document, when

await js.webtools.attach(pyodide_js)

import shopping  # its tools are listed from now on


def show(item: str) -> None:
    """Show what has been added."""
    row = document.createElement("li")
    row.textContent = item
    document.querySelector("ul").append(row)


@when("submit", "form")
def submit(event: js.Event) -> None:
    """Add what the person has typed."""
    event.preventDefault()
    shopping.add(document.querySelector("input").value)
    event.target.reset()


shopping.listeners.append(show)
document.querySelector("button").disabled = False
