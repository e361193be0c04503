"""Puts a model's reply together from the pieces of its stream.

Source: https://platform.openai.com/docs/api-reference/chat-streaming, and how servers depart from it: some
give several calls one index (https://github.com/ollama/ollama/issues/15457), some give none
(https://github.com/openai/openai-python/pull/3246).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from webtools.agent.formats.parts import arguments_text


@dataclass(eq=False)
class _Call:
    index: int | None
    id: str = ""
    name: str = ""
    arguments: str = ""


class Assembling:
    """One reply.

    Attributes:
        text: What it has said so far.
        is_finished: Whether the model has said that it is done.
    """

    def __init__(self) -> None:
        self.text = ""
        self.is_finished = False
        self._calls: list[_Call] = []

    def take(self, chunk: Mapping[str, Any]) -> str:
        """Take one ``chat.completion.chunk``, or a whole ``chat.completion``; gives the text that it adds.

        Raises:
            TypeError, AttributeError, KeyError: It is none.
        """
        choices = chunk.get("choices")
        if not choices:
            return ""  # how much was used, for instance
        choice = choices[0]
        said = choice.get("delta") or choice.get("message") or {}
        self.is_finished = self.is_finished or choice.get("finish_reason") is not None
        for fragment in said.get("tool_calls") or ():
            self._add(fragment)
        added = said.get("content") or said.get("refusal") or ""
        if not isinstance(added, str):
            raise TypeError("content is no text")
        self.text += added
        return added

    @property
    def message(self) -> dict[str, Any]:
        """The reply as one message of the API's; a call that was left without a name has an empty one."""
        return {
            "content": self.text,
            "tool_calls": [
                {"id": each.id, "function": {"name": each.name, "arguments": each.arguments}}
                for each in self._calls
            ],
        }

    def _add(self, fragment: Mapping[str, Any]) -> None:
        function = fragment.get("function") or {}
        name, arguments = function.get("name") or "", function.get("arguments")
        index, call_id = fragment.get("index"), fragment.get("id") or ""
        call = self._of(index, call_id, name)
        if call is None:
            call = _Call(index)
            self._calls.append(call)
        call.id = call.id or call_id
        call.name = call.name or name
        if arguments:
            call.arguments += arguments if isinstance(arguments, str) else arguments_text(arguments)

    def _of(self, index: int | None, call_id: str, name: str) -> _Call | None:
        """The call that a fragment goes on with; None: it begins one."""
        if call_id and (same := self._last(lambda each: (each.id, each.index) == (call_id, index))):
            return same
        known = self._last(lambda each: index is None or each.index == index)
        if not name:
            return known or self._last(lambda _: True)
        if known is None or known.name not in ("", name) or (call_id and known.id):
            return None
        return None if index is None and known.name else known

    def _last(self, fits: Callable[[_Call], bool]) -> _Call | None:
        return next((each for each in reversed(self._calls) if fits(each)), None)
