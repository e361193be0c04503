from __future__ import annotations

import asyncio
import os
import re
from collections import Counter
from typing import Any

import pytest

from tests.unit.stores.artifact_suite import SUITE
from webtools import ToolError
from webtools.stores.artifact_backends import MemoryBackend
from webtools.stores.artifact_index import Origin
from webtools.stores.artifact_refs import ALPHABET, is_ref, mint
from webtools.stores.artifact_shelf import MAX_BYTES, MAX_COUNT, Limits
from webtools.stores.artifacts import Artifacts, NoArtifacts, ScopedArtifacts
from webtools.testing import FakeClock, MemoryArtifacts


@pytest.mark.parametrize("identifier", SUITE.REQUIREMENTS)
def test_the_backend_in_memory_does_what_is_required(identifier: str) -> None:
    asyncio.run(SUITE.check(identifier, MemoryBackend(), identifier))


def test_a_ref_has_22_letters_behind_its_prefix_and_no_two_are_the_same() -> None:
    refs = [mint() for _ in range(1000)]
    assert all(is_ref(ref) and len(ref) == 26 for ref in refs)
    assert len(set(refs)) == 1000


def test_the_letters_of_refs_are_equally_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    every_byte = bytes(range(256))
    monkeypatch.setattr(os, "urandom", lambda _: every_byte * 22)
    drawn = "".join(ALPHABET[byte % 62] for byte in every_byte if byte < 248)
    assert set(Counter(drawn).values()) == {4}
    assert mint() == f"art_{drawn[:22]}"


def test_a_byte_that_would_favour_some_letters_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter([b"\xff" * 22, b"\xf8" * 21 + b"\x00", b"\xf7" * 22])
    monkeypatch.setattr(os, "urandom", lambda _: next(drawn))
    assert mint() == "art_0" + "z" * 21


@pytest.mark.parametrize(
    "text", ["art_" + "a" * 21, "art_" + "a" * 23, "art_" + "-" * 22, "a" * 26, "", None, 7]
)
def test_another_form_is_no_ref(text: object) -> None:
    assert not is_ref(text)


@pytest.mark.parametrize(
    "wider", [{"max_bytes": MAX_BYTES + 1}, {"max_count": MAX_COUNT + 1}, {"max_bytes": 0}, {"ttl": 0}]
)
def test_limits_can_only_be_tightened(wider: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"tightened|positive"):
        Limits(**wider)
    with pytest.raises(ValueError, match=r"tightened|positive"):
        MemoryArtifacts(**wider)


@pytest.mark.parametrize("verb", ["put", "head", "get", "delete", "list"])
def test_where_none_is_attached_each_verb_says_so_and_how_to_attach_one(verb: str) -> None:
    arguments: dict[str, tuple[Any, ...]] = {"put": ("note", "text/plain", "x"), "list": ()}
    with pytest.raises(ToolError) as raised:
        asyncio.run(getattr(NoArtifacts(), verb)(*arguments.get(verb, ("art_x",))))
    assert raised.value.code == "ARTIFACT_REFUSED"
    for said in (f"artifacts.{verb} cannot work", "no artifact store is attached", 'data-artifacts="memory"',
                 "start({app, artifacts", "tool_call(..., artifacts=MemoryArtifacts())",
                 "branch on ctx.has_artifacts"):  # fmt: skip
        assert said in raised.value.message


def test_what_a_handler_has_of_a_store_names_no_scope() -> None:
    store = MemoryArtifacts().of()
    public = {name for name in dir(store) if not name.startswith("_")}
    assert public == {"put", "head", "get", "delete", "list"}
    assert not re.search("[tpc]=", repr(store))
    with pytest.raises(AttributeError):
        store.scope = "t=acme"  # type: ignore[attr-defined]  # that is what is tried


def test_a_backend_that_others_commit_to_all_the_time_is_given_up() -> None:
    class Busy(MemoryBackend):
        async def commit(self, *_: Any, **__: Any) -> None:
            return None

    bench = SUITE.Bench(Busy(), "busy")
    with pytest.raises(ToolError, match="Try again"):
        asyncio.run(bench.store().put("note", "text/plain", "x"))


def test_the_console_is_told_once_that_artifacts_go(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        artifacts = Artifacts(FakeClock(), MemoryBackend(), Limits(max_count=1))
        for scope in ("a", "b"):
            store = ScopedArtifacts(artifacts.shelf(scope), Origin("c1"))
            for _ in range(9):
                await store.put("note", "text/plain", "x")

    asyncio.run(scene())
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.startswith("1 artifacts (note) went to make room for a new one")


def test_what_another_tab_put_in_between_is_kept() -> None:
    class Shared(MemoryBackend):
        """Another tab puts something whenever this one has just read."""

        is_other_quiet = False

        async def index(self, scope: str) -> str | None:
            found = await super().index(scope)
            if not self.is_other_quiet:
                self.is_other_quiet = True
                other = SUITE.Bench(self, "shared").store()
                await other.put("theirs", "text/plain", "x")
            return found

    bench = SUITE.Bench(Shared(), "shared")

    async def scene() -> list[str]:
        await bench.store().put("mine", "text/plain", "x")
        return [meta.kind for meta in (await bench.store().list()).items]

    assert asyncio.run(scene()) == ["mine", "theirs"]
