"""The examples of docs/artifacts.md run, and say what they are said to."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from types import ModuleType
from typing import Any

from webtools.testing import MemoryArtifacts, tool_call

TEXT = (Path(__file__).parents[2] / "docs" / "artifacts.md").read_text("utf-8")


def example() -> dict[str, Any]:
    """All of the document's Python, one block after the other, as one module."""
    module = ModuleType("artifacts_doc")
    for block in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL):
        exec(compile(block, "docs/artifacts.md", "exec", dont_inherit=True), module.__dict__)
    return vars(module)


def test_the_examples_run() -> None:
    assert "draw_chart" in example()


def test_a_wrong_ref_is_answered_as_the_document_shows() -> None:
    names = example()
    store = MemoryArtifacts()

    async def scene() -> tuple[str, str]:
        meta = await store.of().put("picture", "image/png", b"")
        arguments = {"to": "ada", "picture": "art_" + "0" * 22}
        answer = await tool_call(names["mail_picture"], arguments, artifacts=store)
        return meta.ref, answer["content"][0]["text"]

    ref, said = asyncio.run(scene())
    shown = re.findall(r"```text\n(.*?)\n```", TEXT, re.DOTALL)
    assert said in [each.replace("art_4sTRQvbP7dSwqTnU9Yzcf2", ref) for each in shown]
