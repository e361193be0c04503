"""The examples of docs/artifacts.md say what they are said to."""

from __future__ import annotations

import asyncio
import re

from tests.docs import DOCS, as_one_module
from webtools.testing import MemoryArtifacts, tool_call

TEXT = (DOCS / "artifacts.md").read_text("utf-8")


def test_a_wrong_ref_is_answered_as_the_document_shows() -> None:
    names = vars(as_one_module(DOCS / "artifacts.md"))
    store = MemoryArtifacts()

    async def scene() -> tuple[str, str]:
        meta = await store.of().put("picture", "image/png", b"")
        arguments = {"to": "ada", "picture": "art_" + "0" * 22}
        answer = await tool_call(names["mail_picture"], arguments, artifacts=store)
        return meta.ref, answer["content"][0]["text"]

    ref, said = asyncio.run(scene())
    shown = re.findall(r"```text\n(.*?)\n```", TEXT, re.DOTALL)
    assert said in [each.replace("art_4sTRQvbP7dSwqTnU9Yzcf2", ref) for each in shown]
