"""What every backend of artifacts has to do, as a table; and tools that keep, want and place artifacts.

The table runs on CPython (tests/unit/stores/test_artifacts.py) and in a page, for each backend there is.
"""

import asyncio
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, cast

from webtools import ToolContext, ToolError, tool
from webtools.stores.artifact_backends import MAX_SCOPES, ArtifactBackend
from webtools.stores.artifact_index import Meta, Origin
from webtools.stores.artifact_refs import is_ref, mint
from webtools.stores.artifact_shelf import MAX_COUNT, Limits
from webtools.stores.artifacts import Artifacts, ArtifactStore, ScopedArtifacts
from webtools.testing import FakeClock

TEXT = 'größe 漢字 \U0001f45f \x00 " \\ \n\u2028 b t'
OCTETS = bytes(range(256))


class Bench:
    """A backend, and stores on it whose scopes nothing else uses.

    Attributes:
        warnings: What the log was told.
    """

    def __init__(self, backend: ArtifactBackend, name: str) -> None:
        self.backend = backend
        self.clock = FakeClock()
        self.origin = Origin("c1", name)
        self.evicted: list[Meta] = []
        self.warnings: list[str] = []
        self._name = name

    def scope(self, name: str = "") -> str:
        return f"{self._name}/{name}"

    def store(self, scope: str = "", **limits: Any) -> ArtifactStore:
        artifacts = Artifacts(self.clock, self.backend, Limits(**limits), self._note)
        return ScopedArtifacts(artifacts.shelf(self.scope(scope)), self.origin)

    def _note(self, evicted: list[Meta]) -> None:
        """Note what goes of the bench's own: it shares the backend with others."""
        self.evicted += [meta for meta in evicted if meta.origin == self.origin]


Requirement = Callable[[Bench], Coroutine[Any, Any, None]]
REQUIREMENTS: dict[str, Requirement] = {}


def required(identifier: str) -> Callable[[Requirement], Requirement]:
    def note(requirement: Requirement) -> Requirement:
        assert identifier not in REQUIREMENTS
        REQUIREMENTS[identifier] = requirement
        return requirement

    return note


async def refusal(attempt: Awaitable[object]) -> str:
    """What the store says against it."""
    try:
        await attempt
    except ToolError as error:
        return f"{error.code}: {error}"
    raise AssertionError("it was not refused")


async def refs(store: ArtifactStore) -> list[str]:
    return [meta.ref for meta in (await store.list(limit=MAX_COUNT)).items]


# The port


@required("P1")
async def what_was_never_committed_is_not_there(bench: Bench) -> None:
    assert await bench.backend.index(bench.scope()) is None
    assert await bench.backend.payload(bench.scope(), "a") is None


@required("P2")
async def index_and_payload_are_committed_together(bench: Bench) -> None:
    backend, scope = bench.backend, bench.scope()
    assert await backend.commit(scope, None, "one", put=("a", "text"))
    assert (await backend.index(scope), await backend.payload(scope, "a")) == ("one", "text")


@required("P3")
async def who_has_read_an_older_index_changes_nothing(bench: Bench) -> None:
    backend, scope = bench.backend, bench.scope()
    assert await backend.commit(scope, None, "one", put=("a", "text"))
    for before in (None, "", "two"):
        assert not await backend.commit(scope, before, "three", put=("b", "text"), drop=["a"])
    assert await backend.index(scope) == "one"
    assert [await backend.payload(scope, ref) for ref in "ab"] == ["text", None]


@required("P4")
async def what_is_dropped_goes_with_the_commit_and_need_not_be_there(bench: Bench) -> None:
    backend, scope = bench.backend, bench.scope()
    assert await backend.commit(scope, None, "one", put=("a", "text"))
    assert await backend.commit(scope, "one", "two", put=("b", b"bytes"), drop=["a", "x"])
    assert [await backend.payload(scope, ref) for ref in "ab"] == [None, b"bytes"]


@required("P5")
async def every_text_and_all_bytes_come_back_as_they_went(bench: Bench) -> None:
    backend, scope = bench.backend, bench.scope()
    before = None
    cases: list[str | bytes] = [TEXT, OCTETS, "", b"", "7", b"7", "null", "x" * 1_000_000, OCTETS * 4096]
    for number, stored in enumerate(cases):
        after = f"{number}{TEXT}"
        assert await backend.commit(scope, before, after, put=("a", stored))
        found = await backend.payload(scope, "a")
        assert (type(found), found) == (type(stored), stored)
        before = await backend.index(scope)
        assert before == after


@required("P6")
async def scopes_do_not_meet(bench: Bench) -> None:
    names = ["a", "A", "a/b", "a%2Fb", TEXT, "a,b"]
    for name in names:
        assert await bench.backend.commit(bench.scope(name), None, name, put=("r", name))
    for name in names:
        found = (
            await bench.backend.index(bench.scope(name)),
            await bench.backend.payload(bench.scope(name), "r"),
        )
        assert found == (name, name)


# What is put


@required("R1")
async def what_is_known_of_an_artifact_is_what_was_said_and_measured(bench: Bench) -> None:
    store = bench.store()
    parent = await store.put("page", "text/html", "<p>")
    later = bench.clock.epoch_ms() + 1000
    meta = await store.put(
        "note", "text/plain", "größe", label="The größe", expires_at=later, parents=[parent.ref]
    )
    assert is_ref(meta.ref)
    assert meta.ref != parent.ref
    assert meta.digest == f"sha-256:{hashlib.sha256('größe'.encode()).hexdigest()}"
    assert meta == Meta(
        ref=meta.ref,
        kind="note",
        media_type="text/plain",
        bytes=7,
        created_at=bench.clock.epoch_ms(),
        digest=meta.digest,
        origin=bench.origin,
        label="The größe",
        expires_at=later,
        parents=(parent.ref,),
    )
    assert await store.head(meta.ref) == meta
    assert await store.get(meta.ref) == (meta, "größe")


@required("R2")
async def c15_a_forged_origin_is_not_used(bench: Bench) -> None:
    meta = await bench.store().put("note", "text/plain", "x", origin=Origin("forged", "too"))
    assert meta.origin == bench.origin


@required("R3")
async def c15_a_foreign_expired_unknown_or_malformed_ref_is_the_same_none(bench: Bench) -> None:
    store = bench.store()
    foreign = await bench.store("another").put("note", "text/plain", "theirs")
    expired = await store.put("note", "text/plain", "x", expires_at=bench.clock.epoch_ms() + 1)
    deleted = await store.put("note", "text/plain", "x")
    await store.delete(deleted.ref)
    bench.clock.advance(0.001)
    asked: list[Any] = [
        foreign.ref,
        expired.ref,
        deleted.ref,
        mint(),
        "art_x",
        "",
        TEXT,
        None,
        7,
        b"art",
        ["a"],
    ]
    for ref in asked:
        assert await store.head(ref) is None
        assert await store.get(ref) is None
    assert await store.list() == await bench.store("empty").list()
    assert (await bench.store("another").get(foreign.ref)) == (foreign, "theirs")


@required("R4")
async def text_bytes_and_json_are_kept_apart(bench: Bench) -> None:
    store = bench.store()
    same = ["7", 7, 7.0, b"7", TEXT, OCTETS, "", b"", None, True, [], {}, "null", [1, ["a"], {"größe": None}]]
    for data in same:
        _, found = await store.get((await store.put("any", "x/any", data)).ref) or (None, "?")
        assert (type(found), found) == (type(data), data)
    others = [(bytearray(b"7"), b"7"), (memoryview(b"7"), b"7"), ((1, 2), [1, 2])]
    for data, wanted in others:
        _, found = await store.get((await store.put("any", "x/any", data)).ref) or (None, "?")
        assert found == wanted


@required("R5")
async def a_copy_is_kept_and_a_new_one_given_each_time(bench: Bench) -> None:
    store = bench.store()
    rows, octets = [{"a": 1}], bytearray(b"one")
    kept = asyncio.ensure_future(store.put("rows", "application/json", rows))
    await asyncio.sleep(0)
    rows.append({"a": 2})
    ref = (await kept).ref
    meta = await store.put("octets", "x/any", octets)
    octets[:] = b"two"
    for _ in range(2):
        found = await store.get(ref)
        assert found
        assert found[1] == [{"a": 1}]
        found[1].append("mine")
    assert await store.get(meta.ref) == (meta, b"one")


@required("R6")
async def of_several_faults_the_first_in_the_order_is_told(bench: Bench) -> None:
    store = bench.store(max_bytes=64)
    # each line's fault, then what mends it
    wrong: dict[str, Any] = {"kind": " ", "media_type": "", "data": {"a": float("nan")}, "label": "l" * 201}
    more: dict[str, Any] = {"expires_at": 1.5, "digest": "md5:0", "parents": "abc"}
    mended: list[tuple[str, dict[str, Any]]] = [
        ("kind is missing", {"kind": "k" * 201}),
        ("kind has 201 characters", {"kind": "note"}),
        ("media_type is missing", {"media_type": "any"}),
        ("media_type must be of the form", {"media_type": "text/plain"}),
        ("expires_at must be a whole number", {"expires_at": bench.clock.epoch_ms()}),
        ("must be in the future", {"expires_at": bench.clock.epoch_ms() + 1}),
        ("digest must be", {"digest": "sha-256:" + "0" * 64}),
        ("label has 201 characters", {"label": "l" * 200}),
        ("parents must be a list", {"parents": [mint()]}),
        ("1 of 1 refs that stand for nothing", {"parents": []}),
        ("JSON has no nan", {"data": "x" * 500}),
        ("500 bytes, more than the 64", {"data": "x"}),
        ("another digest", {"digest": None}),
    ]
    given = {**wrong, **more}
    for said, change in mended:
        told = await refusal(store.put(**given))
        assert told.startswith("ARTIFACT_REFUSED: ")
        assert said in told, told
        given |= change
    await store.put(**given)


@required("R7")
async def what_json_cannot_hold_is_refused_and_nothing_is_kept(bench: Bench) -> None:
    store = bench.store()
    circle: list[Any] = []
    circle.append(circle)
    deep: Any = 0
    for _ in range(201):
        deep = [deep]
    for data in (float("nan"), [float("inf")], {1: "a"}, {None: 1}, {"a": {True: 1}}, circle, deep, object(),
                 {"a"}, "\ud800", ["\udfff"], {"\ud800": 1}, Meta):  # fmt: skip
        assert "data cannot be kept" in await refusal(store.put("any", "x/any", data))
    assert await bench.backend.index(bench.scope()) is None


@required("R8")
async def a_digest_that_is_given_must_be_the_datas(bench: Bench) -> None:
    store = bench.store()
    first = await store.put("note", "text/plain", "größe")
    again = await store.put("note", "text/plain", "größe".encode(), digest=first.digest)
    assert again.digest == first.digest
    assert again.ref != first.ref
    assert "another digest" in await refusal(store.put("note", "text/plain", "x", digest=first.digest))
    assert len(await refs(store)) == 2


@required("R9")
async def what_is_said_of_an_artifact_has_bounds_and_what_is_beyond_is_refused(bench: Bench) -> None:
    store = bench.store()
    given: dict[str, Any] = {"kind": "k" * 200, "media_type": "text/plain; charset=utf-8", "data": "x"}
    kept = await store.put(**given, label="l" * 200, expires_at=2**53 - 1)
    beyond: list[dict[str, Any]] = [
        *({name: "a/" + "b" * 199} for name in ("kind", "label", "media_type")),
        *({name: "a/\ud800"} for name in ("kind", "label", "media_type")),
        *({"media_type": text} for text in ("\n<script>", "any", "a/b/c", "a/b\n", "a/b;\n", "a b/c", "/b")),
        *({"expires_at": at} for at in (2**53, 10**5000, 4e12, 4e12 + 0.5, True, "4000000000000")),
        *({"parents": each} for each in ("abc", kept.ref, b"abc", 5, None, [5], [kept.ref] * 257)),
        {"label": 5},
    ]  # fmt: skip
    for change in beyond:
        told = await refusal(store.put(**(given | change)))
        assert told.startswith("ARTIFACT_REFUSED: ")
        assert next(iter(change)) in told, told
        assert len(told) < 200
    assert await refs(store) == [kept.ref]


# What is kept, and for how long


@required("K1")
async def c16_above_the_count_the_first_goes_and_that_is_told(bench: Bench) -> None:
    store = bench.store(max_count=1)
    first = await store.put("note", "text/plain", "1")
    second = await store.put("note", "text/plain", "2")
    assert bench.evicted == [first]
    assert await store.get(first.ref) is None
    assert await bench.backend.payload(bench.scope(), first.ref) is None
    assert await store.get(second.ref) == (second, "2")


@required("K2")
async def c16_what_is_above_the_whole_budget_is_refused_and_nothing_goes(bench: Bench) -> None:
    store = bench.store(max_bytes=64)
    earlier = await store.put("note", "text/plain", "x" * 64)
    assert "500 bytes" in await refusal(store.put("note", "text/plain", "x" * 500))
    assert bench.evicted == []
    assert await store.get(earlier.ref) == (earlier, "x" * 64)


@required("K3")
async def the_least_recently_used_goes_first_and_listing_is_no_use(bench: Bench) -> None:
    store = bench.store(max_count=3)
    one, two, three = [await store.put("note", "text/plain", str(each)) for each in range(3)]
    await store.get(one.ref)
    await store.head(two.ref)
    await store.list()
    four = await store.put("note", "text/plain", "4")
    five = await store.put("note", "text/plain", "5")
    assert bench.evicted == [three, one]
    assert await refs(store) == [five.ref, four.ref, two.ref]


@required("K4")
async def as_many_go_as_the_bytes_of_a_new_one_need(bench: Bench) -> None:
    store = bench.store(max_bytes=10)
    made = [await store.put("note", "text/plain", "x" * size) for size in (4, 3, 3)]
    big = await store.put("note", "text/plain", "x" * 7)
    assert bench.evicted == made[:2]
    assert await refs(store) == [big.ref, made[2].ref]


@required("K5")
async def a_time_to_live_can_only_be_tightened(bench: Bench) -> None:
    store = bench.store(ttl=10)
    now = bench.clock.epoch_ms()
    given = [None, now + 5_000, now + 99_000]
    made = [await store.put("note", "text/plain", "x", expires_at=at) for at in given]
    assert [meta.expires_at for meta in made] == [now + 10_000, now + 5_000, now + 10_000]
    bench.clock.advance(5)
    assert [await store.head(meta.ref) for meta in made] == [made[0], None, made[2]]
    bench.clock.advance(5)
    assert await refs(store) == []


@required("K6")
async def what_has_expired_makes_room_before_anything_else_goes(bench: Bench) -> None:
    store = bench.store(max_count=2)
    kept = await store.put("note", "text/plain", "kept")
    brief = await store.put("note", "text/plain", "brief", expires_at=bench.clock.epoch_ms() + 1)
    bench.clock.advance(1)
    new = await store.put("note", "text/plain", "new")
    assert bench.evicted == []
    assert await refs(store) == [new.ref, kept.ref]
    assert await bench.backend.payload(bench.scope(), brief.ref) is None


@required("K7")
async def what_is_deleted_is_gone_and_what_is_not_there_goes_quietly(bench: Bench) -> None:
    store = bench.store()
    meta = await store.put("note", "text/plain", "x")
    theirs = await bench.store("another").put("note", "text/plain", "x")
    for ref in (meta.ref, meta.ref, theirs.ref, "art_x", "", cast("str", None)):
        await store.delete(ref)
    assert await store.get(meta.ref) is None
    assert await bench.backend.payload(bench.scope(), meta.ref) is None
    assert await bench.store("another").head(theirs.ref) == theirs


@required("K8")
async def a_list_comes_in_pages_newest_first(bench: Bench) -> None:
    store = bench.store()
    made = [(await store.put("note", "text/plain", str(each))).ref for each in range(5)]
    await store.get(made[0])
    first = await store.list(limit=2)
    newest = await store.put("note", "text/plain", "5")
    await store.delete(made[2])
    second = await store.list(first.cursor, limit=2)
    assert [[each.ref for each in page.items] for page in (first, second)] == [made[:2:-1], made[1::-1]]
    assert second.cursor is None
    assert (await refs(store))[0] == newest.ref
    for wrong in ("x", "-1", "", "9" * 5000, cast("str", 7)):
        assert "no such cursor" in await refusal(store.list(wrong))
    for limit in (0, -1, MAX_COUNT + 1, 10**5000, True, cast("int", "7"), cast("int", 1.5)):
        assert "whole number" in await refusal(store.list(limit=limit))


@required("K9")
async def puts_at_the_same_time_are_all_kept(bench: Bench) -> None:
    store, other = bench.store(), bench.store()
    puts = [each.put("note", "text/plain", str(number)) for number in range(10) for each in (store, other)]
    made = await asyncio.gather(*puts)
    assert set(await refs(store)) == {meta.ref for meta in made}
    assert len(await refs(store)) == 20


@required("K10")
async def of_more_small_ones_than_are_kept_the_newest_stay(bench: Bench) -> None:
    store = bench.store()
    many = MAX_COUNT + 20
    made = [(await store.put("note", "text/plain", str(each))).ref for each in range(many)]
    assert await refs(store) == made[: -MAX_COUNT - 1 : -1]
    assert [meta.ref for meta in bench.evicted] == made[:-MAX_COUNT]
    assert [await store.get(ref) for ref in made[:3]] == [None] * 3
    last = await store.get(made[-1])
    assert last
    assert last[1] == str(many - 1)


@required("K11")
async def of_too_many_scopes_the_one_goes_whose_last_commit_is_the_oldest_and_that_is_told(
    bench: Bench,
) -> None:
    names = [str(number) for number in range(MAX_SCOPES)]
    made = {name: await bench.store(name).put("note", "text/plain", name) for name in names}
    two = await bench.store("0").put("note", "text/plain", "two")
    assert bench.evicted == []
    for name in ("new", "newer"):
        await bench.store(name).put("note", "text/plain", name)
    assert bench.evicted == [made["1"], made["2"]]
    for name in ("1", "2"):
        assert await bench.backend.payload(bench.scope(name), made[name].ref) is None
        assert await refs(bench.store(name)) == []
    assert await refs(bench.store("0")) == [two.ref, made["0"].ref]
    assert await refs(bench.store("3")) == [made["3"].ref]


# What somebody else has spoiled


@required("D1")
async def a_payload_that_is_another_one_is_none_and_the_log_says_so(bench: Bench) -> None:
    store = bench.store()
    for data, spoiled in (("text", "other"), ("text", b"text"), (b"bytes", "bytes"), ([1], "[1"), ("", b"")):
        meta = await store.put("note", "text/plain", data)
        index = await bench.backend.index(bench.scope())
        assert index
        assert await bench.backend.commit(bench.scope(), index, index, put=(meta.ref, spoiled))
        bench.warnings.clear()
        assert await store.get(meta.ref) is None
        assert ["damaged" in each for each in bench.warnings] == [True]
    index = await bench.backend.index(bench.scope())
    assert await bench.backend.commit(bench.scope(), index, cast("str", index), drop=[meta.ref])
    assert await store.get(meta.ref) is None


@required("D2")
async def an_index_that_is_none_counts_as_empty_and_the_log_says_so(bench: Bench) -> None:
    for number, text in enumerate(
        ["", "null", "7", "{}", '{"next": 1}', '{"next": 1, "rows": [{}]}', "[" * 99]
    ):
        store = bench.store(str(number))
        assert await bench.backend.commit(bench.scope(str(number)), None, text)
        assert await refs(store) == []
        meta = await store.put("note", "text/plain", "x")
        assert await refs(store) == [meta.ref]
    assert all("damaged" in each for each in bench.warnings)
    assert bench.warnings


class _Ear(logging.Handler):
    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self._bench = bench

    def emit(self, record: logging.LogRecord) -> None:
        self._bench.warnings.append(record.getMessage())


async def check(identifier: str, backend: ArtifactBackend, name: str) -> None:
    """Raise where a backend does not do what is required."""
    bench = Bench(backend, name)
    ear = _Ear(bench)
    logger = logging.getLogger("webtools")
    logger.addHandler(ear)
    try:
        await REQUIREMENTS[identifier](bench)
    finally:
        logger.removeHandler(ear)


# Tools


def backend_of(ctx: ToolContext) -> ArtifactBackend:
    """The page's own."""
    backend: ArtifactBackend = cast("Any", ctx.artifacts)._shelf._backend  # no tool has business with it
    return backend


@tool(timeout=300)
async def require(ctx: ToolContext, identifier: str) -> str:
    """Check what is required of the page's backend."""
    await check(identifier, backend_of(ctx), f"{identifier} {ctx.call_id}")
    return REQUIREMENTS[identifier].__name__


@tool
async def keep(ctx: ToolContext, kind: str, text: str, label: str | None = None) -> str:
    """Keep a text; gives its ref."""
    return (await ctx.artifacts.put(kind, "text/plain", text, label=label)).ref


@tool
async def keep_many(ctx: ToolContext, kind: str, count: int) -> list[str]:
    """Keep many texts at the same time; gives their refs."""
    puts = [ctx.artifacts.put(kind, "text/plain", f"{kind} {number}") for number in range(count)]
    return [meta.ref for meta in await asyncio.gather(*puts)]


@tool
async def keep_picture(ctx: ToolContext, octets: list[int], media_type: str = "image/png") -> str:
    """Keep a picture; gives its ref."""
    return (await ctx.artifacts.put("picture", media_type, bytes(octets), label="a dot")).ref


@tool
async def keep_big(ctx: ToolContext, size: int) -> dict[str, object]:
    """Keep so many bytes, get them again, and tell how long each took."""
    data = OCTETS * (size // 256)
    began = time.monotonic()
    meta = await ctx.artifacts.put("big", "x/any", data)
    put = time.monotonic()
    found = await ctx.artifacts.get(meta.ref)
    got = time.monotonic()
    assert found
    assert found[1] == data
    return {"ref": meta.ref, "put_ms": round((put - began) * 1000), "get_ms": round((got - put) * 1000)}


@tool
async def read(ctx: ToolContext, ref: str) -> object:
    """Read an artifact."""
    found = await ctx.artifacts.get(ref)
    return found and found[1]


@tool
async def read_all(ctx: ToolContext) -> list[str]:
    """List the refs, newest first."""
    return [meta.ref for meta in (await ctx.artifacts.list(limit=MAX_COUNT)).items]


@tool
async def forget(ctx: ToolContext, ref: str) -> None:
    """Let an artifact go."""
    await ctx.artifacts.delete(ref)


@tool
def has(ctx: ToolContext) -> bool:
    """Tell whether anything is kept."""
    return ctx.has_artifacts


@tool(wants={"note": "note"})
def count_words(ctx: ToolContext, note: str) -> dict[str, object]:
    """Count the words of a note."""
    assert ctx.wanted
    return {"words": len(note.split()), "label": ctx.wanted["note"].label}


@tool(max_chars=100, place="rows")
def export_rows(count: int) -> list[int]:
    """Export rows."""
    return list(range(count))


@tool(wants={"rows": "rows"})
def add_up(rows: str | list[int]) -> int:
    """Add rows up."""
    return sum(cast("list[int]", rows))
