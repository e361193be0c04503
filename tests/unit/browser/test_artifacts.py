"""The page's artifacts, seen from Python's side of the border."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tests.unit.browser.border import FakeBorder, host_at
from tests.unit.stores.artifact_suite import SUITE
from webtools import ToolError
from webtools.browser.adapters import LateAnswers
from webtools.browser.artifacts import IndexedDBBackend, attached, shown
from webtools.calls.artifacts import scope_of
from webtools.stores.artifact_index import Origin
from webtools.stores.artifact_shelf import Wish
from webtools.stores.artifacts import Artifacts
from webtools.testing import FakeClock, MemoryArtifacts


class FakeStorage(FakeBorder):
    """A border whose storage answers in the loop's next turn, as `static/artifacts.js` does."""

    def __init__(self) -> None:
        super().__init__()
        self.answers = LateAnswers()
        self.indexes: dict[str, str] = {}
        self.payloads: dict[tuple[str, str], str] = {}
        self.fault: str | None = None

    def callArtifacts(self, call: int, verb: str, arguments: str) -> None:  # noqa: N802  # JavaScript's name
        if self.fault:
            answer: dict[str, Any] = {"error": {"message": self.fault}}
        else:
            answer = {"value": getattr(self, verb)(*json.loads(arguments))}
        asyncio.get_running_loop().call_soon(self.answers.answered, call, json.dumps(answer))

    def readIndex(self, scope: str) -> str | None:  # noqa: N802  # as above
        return self.indexes.get(scope)

    def readPayload(self, scope: str, ref: str) -> str | None:  # noqa: N802  # as above
        return self.payloads.get((scope, ref))

    def commit(
        self,
        scope: str,
        before: str | None,
        after: str,
        put: list[str] | None,
        drop: list[str],
        max_scopes: int,
    ) -> list[str] | None:
        if self.indexes.get(scope) != before:
            return None
        self.indexes.pop(scope, None)
        self.indexes[scope] = after
        if put:
            self.payloads[scope, put[0]] = put[1]
        for ref in drop:
            self.payloads.pop((scope, ref), None)
        cold = list(self.indexes)[:-max_scopes]
        self.payloads = {key: text for key, text in self.payloads.items() if key[0] not in cold}
        return [self.indexes.pop(each) for each in cold]


@pytest.mark.parametrize("identifier", SUITE.REQUIREMENTS)
def test_the_backend_of_the_page_does_what_is_required(identifier: str) -> None:
    storage = FakeStorage()
    asyncio.run(SUITE.check(identifier, IndexedDBBackend(storage, storage.answers), identifier))


def stored_at(storage: FakeStorage) -> Artifacts:
    artifacts = attached("indexeddb", FakeClock(), storage, storage.answers)
    assert artifacts
    return artifacts


def test_what_the_browser_says_against_it_is_what_the_store_says() -> None:
    storage = FakeStorage()
    storage.fault = "the browser has no room left for this page (QuotaExceededError)"
    shelf = stored_at(storage).shelf("s")
    for asked in (shelf.put(Wish("a", "b/c", 1), Origin("c")), shelf.rows(), shelf.get("art_" + "a" * 22)):
        with pytest.raises(ToolError, match=r"refuses: the browser has no room left.*\.$"):
            asyncio.run(asked)


def test_that_a_use_cannot_be_noted_keeps_nobody_from_reading(caplog: pytest.LogCaptureFixture) -> None:
    class Filling(FakeStorage):
        is_full = False

        def callArtifacts(self, call: int, verb: str, arguments: str) -> None:  # noqa: N802  # as above
            self.fault = "no room" if verb == "commit" and self.is_full else None
            super().callArtifacts(call, verb, arguments)

    storage = Filling()
    shelf = stored_at(storage).shelf("s")

    async def scene() -> object:
        first = await shelf.put(Wish("a", "b/c", 1), Origin("c"))
        await shelf.put(Wish("a", "b/c", 2), Origin("c"))
        storage.is_full = True
        found = await shelf.get(first.ref)
        return found and found[1]

    assert asyncio.run(scene()) == 1
    assert ["could not be noted" in each.getMessage() for each in caplog.records] == [True]


@pytest.mark.parametrize("choice", ["off", "", "MEMORY"])
def test_any_other_choice_attaches_nothing(choice: str) -> None:
    storage = FakeStorage()
    assert attached(choice, FakeClock(), storage, storage.answers) is None


@pytest.mark.parametrize(
    ("data", "wanted"),
    [("größe", {"text": "größe"}), (b"\x00\xff", {"base64": "AP8="}), ({"a": [1]}, {"text": '{"a": [1]}'})],
)
def test_the_page_is_given_an_artifact_as_text_or_base64(data: object, wanted: dict[str, str]) -> None:
    artifacts = MemoryArtifacts()

    async def scene() -> Any:
        meta = await artifacts.of().put("note", "text/plain", data, label="mine")
        return json.loads(await shown(artifacts, meta.ref))

    assert asyncio.run(scene()) == {"kind": "note", "mediaType": "text/plain", "label": "mine", **wanted}


def test_the_page_is_told_where_there_is_none_and_where_nothing_is_attached() -> None:
    border = FakeBorder()

    async def scene(choice: str) -> Any:
        with host_at(border, artifacts=choice) as host:
            host.read_artifact(1, "art_x")
            await asyncio.sleep(0)
        return border.artifacts_read.pop(1)

    assert asyncio.run(scene("memory")) is None
    assert "no artifact store is attached" in asyncio.run(scene("off"))["error"]


def test_a_page_that_is_closed_waits_for_no_artifact() -> None:
    border = FakeBorder()

    async def scene() -> int:
        with host_at(border, artifacts="indexeddb") as host:
            host.read_artifact(1, "art_" + "a" * 22)
            await asyncio.sleep(0)
            assert [verb for _, verb, _ in border.artifact_calls] == ["readIndex"]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return len(asyncio.all_tasks())

    assert asyncio.run(scene()) == 1
    assert border.artifacts_read == {}


def test_the_scope_of_the_page_is_what_browsers_calls_have() -> None:
    artifacts = MemoryArtifacts()

    async def scene() -> str:
        theirs = await artifacts.shelf("t=acme/p=_/c=talk").put(Wish("a", "b/c", 1), Origin("c"))
        ours = await artifacts.shelf(scope_of(None)).put(Wish("a", "b/c", 1), Origin("c"))
        assert await shown(artifacts, theirs.ref) == "null"
        return await shown(artifacts, ours.ref)

    assert json.loads(asyncio.run(scene()))["kind"] == "a"
