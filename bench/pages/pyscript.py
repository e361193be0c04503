"""The tools of `plain.py` in a page of PyScript's."""

from functools import partial
from typing import Any

from js import JSON, Object, document
from plain import call  # type: ignore[import-not-found]  # PyScript puts it there
from pyodide.ffi import create_proxy, to_js  # type: ignore[import-not-found]  # only in a page


def as_object(value: Any) -> Any:
    return to_js(value, dict_converter=Object.fromEntries)


def execute(number: int, value: Any, _: Any = None) -> Any:
    text = call(number, JSON.stringify(value))
    return as_object({"content": [{"type": "text", "text": text}]})


for number in range(10):
    document.modelContext.registerTool(
        as_object(
            {
                "name": f"echo_{number}",
                "description": "Return the text.",
                "inputSchema": {
                    "type": "object",
                    "properties": {"text": {"type": "string"}},
                    "required": ["text"],
                },
                "execute": create_proxy(partial(execute, number)),
            }
        )
    )
