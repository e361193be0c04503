"""What an agent can see of a tool, and the person in front of the page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from webtools.tools.encoding import clean

JsonObject = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Definition:
    """One immutable definition; two are equal when their canonical texts are.

    The handler, the timeout and the size ceiling are not part of it: an agent does not see them.

    Attributes:
        confirm: What a person is asked, True where a function says it. The browser is not told.
        target: The CSS selector of where the page's cursor points, True where only a call says more. The
            browser is not told either.
    """

    name: str
    description: str
    input_schema: JsonObject
    title: str | None = None
    annotations: Mapping[str, bool] = field(default_factory=dict)
    exposed_to: tuple[str, ...] = ()
    confirm: str | bool | None = None
    target: str | bool | None = None

    @cached_property
    def text(self) -> str:
        """The canonical text.

        ``{"name", "description", "inputSchema", "title"?, "annotations"?, "exposedTo"?, "confirm"?,
        "target"?}``
        """
        wire: JsonObject = {
            "name": self.name,
            "description": self.description,
            "inputSchema": self.input_schema,
        }
        if self.title is not None:
            wire["title"] = self.title
        if self.annotations:
            wire["annotations"] = dict(self.annotations)
        if self.exposed_to:
            wire["exposedTo"] = list(self.exposed_to)
        if self.confirm is not None:
            wire["confirm"] = self.confirm
        if self.target is not None:
            wire["target"] = self.target
        return clean(json.dumps(wire, ensure_ascii=False, separators=(",", ":")))

    @classmethod
    def of_text(cls, text: str) -> Definition:
        """Read a canonical text that the page's JavaScript has written; it is kept as it is.

        Whatever breaks WebMCP's rules is the browser's to refuse.
        """
        wire: JsonObject = json.loads(text)
        exposed = wire.get("exposedTo")
        read = cls(
            name=wire["name"],
            description=wire["description"],
            input_schema=wire.get("inputSchema") or {},
            title=wire.get("title"),
            annotations=wire.get("annotations") or {},
            exposed_to=tuple(exposed) if isinstance(exposed, list) else (),
        )
        vars(read)["text"] = text  # numbers have other texts in JavaScript
        return read

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Definition) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)
