"""What a call does with artifacts: tool-context.md, §9."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from tests.unit.calls.caller import Answer, error_of, text_of, verdict
from tests.unit.calls.page_rig import PageRig, play
from webtools import Need, ToolContext, ToolDefinitionError, ToolError, tool
from webtools.calls.artifacts import scope_of
from webtools.calls.dispatcher import Dispatcher
from webtools.calls.facts import Facts
from webtools.stores.artifact_backends import MemoryBackend, Stored
from webtools.stores.artifact_index import Meta, Origin
from webtools.stores.artifact_refs import mint
from webtools.stores.artifact_shelf import Wish
from webtools.stores.artifacts import Artifacts
from webtools.testing import FakeClock, Identity, MemoryArtifacts, tool_call
from webtools.tools.tool import make_tool


@tool
async def keep(ctx: ToolContext, kind: str = "picture", text: str = "x") -> str:
    """Keep something; gives its ref."""
    return (await ctx.artifacts.put(kind, "text/plain", text)).ref


@tool
async def read(ctx: ToolContext, ref: str) -> object:
    """Read something."""
    found = await ctx.artifacts.get(ref)
    return found and found[1]


def called(
    function: Callable[..., Any], arguments: Mapping[str, Any] | None = None, **options: Any
) -> Answer:
    return asyncio.run(tool_call(function, arguments, **options))


def put(store: MemoryArtifacts, kind: str, data: Any = "x", identity: Identity | None = None) -> Meta:
    return asyncio.run(store.of(identity).put(kind, "x/any", data))


# Whose they are

TEXTS = st.text("ab/%_=5F2tpc", max_size=6) | st.text(max_size=3)
IDENTITIES = st.none() | st.builds(Identity, TEXTS, st.none() | TEXTS, st.none() | TEXTS)


@given(IDENTITIES, IDENTITIES)
def test_callers_share_artifacts_only_where_all_their_facts_are_the_same(
    one: Identity | None, other: Identity | None
) -> None:
    def facts(who: Identity | None) -> list[str | None]:
        return [who.tenant or None, who.principal or None, who.conversation_id or None] if who else [None] * 3

    assert (scope_of(one) == scope_of(other)) is (facts(one) == facts(other))


def test_a_browsers_calls_have_the_pages_own() -> None:
    assert scope_of(None) == "t=_/p=_/c=_"


def test_what_a_call_keeps_a_later_call_of_the_same_caller_reads_and_no_other() -> None:
    store = MemoryArtifacts()
    ada = Identity("talk", "acme", "ada")
    ref = text_of(called(keep, artifacts=store, identity=ada))
    assert text_of(called(read, {"ref": ref}, artifacts=store, identity=ada)) == "x"
    others = [None, Identity("talk"), Identity("talk", "acme"), Identity("talk", "acme", "bob"),
              Identity("chat", "acme", "ada"), Identity("talk/p=ada", "acme")]  # fmt: skip
    for other in others:
        assert text_of(called(read, {"ref": ref}, artifacts=store, identity=other)) == "done"


def test_c15_what_a_call_puts_has_that_calls_own_origin() -> None:
    metas: list[Meta] = []

    @tool
    async def forge(ctx: ToolContext) -> None:
        """Forge."""
        metas.append(
            await ctx.artifacts.put("note", "x/any", 1, origin={"call_id": "forged", "run_id": "forged"})
        )

    called(forge, artifacts=MemoryArtifacts())
    assert (metas[0].origin.call_id, metas[0].origin.run_id) == ("test-1", None)


def test_without_a_store_the_context_says_so_and_each_verb_teaches() -> None:
    seen: list[bool] = []

    @tool
    async def look(ctx: ToolContext) -> None:
        """Look."""
        seen.append(ctx.has_artifacts)
        assert not {"artifacts", "has_artifacts", "wanted"} & ctx.present
        await ctx.artifacts.list()

    error = error_of(called(look))
    assert (error["code"], error["effect"]) == ("ARTIFACT_REFUSED", "unknown")
    assert "ctx.has_artifacts" in error["message"]
    called(look, artifacts=MemoryArtifacts())
    assert seen == [False, True]


def test_an_inner_call_has_no_store() -> None:
    seen: list[bool] = []

    @tool
    def look(ctx: ToolContext) -> None:
        """Look."""
        seen.append(ctx.has_artifacts)

    rig = rig_with(MemoryArtifacts())
    rig.registry.hold(look)
    rig.call("look", facts=Facts(door="inner"))
    rig.call("look")
    assert seen == [False, True]


async def picture_in(artifacts: Artifacts) -> str:
    """Keep one for the page itself; gives its ref."""
    return (await artifacts.shelf(scope_of(None)).put(Wish("picture", "x/any", "x"), Origin("c"))).ref


def rig_with(artifacts: Artifacts) -> PageRig:
    rig = PageRig()
    rig.dispatcher = Dispatcher(rig.clock, rig._settle, artifacts=artifacts)
    return rig


# Secrets

TOKEN = "secret-token-1"
HELD: dict[str, dict[str, Any]] = {
    "kind": {"kind": f"k {TOKEN}"},
    "media_type": {"media_type": f"text/plain; a={TOKEN}"},
    "label": {"label": f"lab {TOKEN}"},
    "data": {"data": f"a text with {TOKEN}"},
    "JSON data": {"data": {"a": [{TOKEN: 1}]}},
    "JSON within JSON": {"data": [json.dumps({"a": TOKEN})]},
}


@pytest.mark.parametrize("where", HELD)
def test_what_has_a_credentials_secret_is_not_kept_and_the_refusal_does_not_tell_it(where: str) -> None:
    said: list[str] = []

    @tool(needs=Need("bank"))
    async def leak(ctx: ToolContext) -> None:
        """Leak."""
        given = {"kind": "k", "media_type": "text/plain", "data": "x", **HELD[where]}
        try:
            await ctx.artifacts.put(**given)
        except ToolError as refusal:
            said.append(refusal.message)
            raise

    store = MemoryArtifacts()
    credentials = {"bank": {"Authorization": f"Bearer {TOKEN}"}}
    error = error_of(called(leak, artifacts=store, credentials=credentials))
    assert error["code"] == "ARTIFACT_REFUSED"
    name = "data" if "data" in HELD[where] else where
    assert f"{name} has the secret of a credential" in said[0]
    assert TOKEN not in said[0]
    assert asyncio.run(store.of().list()).items == ()


# Arguments that are refs


class Shown:
    """Notes what `show` was given."""

    def __init__(self) -> None:
        self.data: list[object] = []
        self.wanted: list[Mapping[str, Meta] | None] = []
        self.present: list[bool] = []

    def tool(self, **options: Any) -> Callable[..., Any]:
        @tool(wants={"image": "picture", "mask": "picture", "table": "rows"}, **options)
        def show(
            ctx: ToolContext,
            image: str | bytes,
            mask: str | None = None,
            table: Annotated[str | list[int], Field(description="What to draw")] = "",
        ) -> str:
            """Show a picture.

            Args:
                image: The picture
            """
            self.data += [image, mask, table]
            self.wanted.append(ctx.wanted)
            self.present.append("wanted" in ctx.present)
            return "shown"

        return show


def test_an_agent_is_told_that_an_argument_is_a_ref_and_of_which_kind() -> None:
    schema = make_tool(Shown().tool(), wants={"image": "picture", "table": "rows"}).definition.input_schema
    assert schema["properties"]["image"] == {
        "type": "string",
        "description": 'The picture (the ref of an artifact of kind "picture", as a tool has returned it: '
        '"art_…")',
    }
    assert schema["properties"]["table"]["description"].startswith("What to draw (the ref of an artifact")
    assert schema["properties"]["table"].keys() == {"type", "description"}
    assert schema["required"] == ["image"]


def test_the_handler_is_given_the_data_and_what_is_known_of_it() -> None:
    store, shown = MemoryArtifacts(), Shown()
    image, table = put(store, "picture", b"png"), put(store, "rows", [1, 2])
    answer = called(shown.tool(), {"image": image.ref, "table": table.ref}, artifacts=store)
    assert text_of(answer) == "shown"
    assert shown.data == [b"png", None, [1, 2]]
    assert shown.wanted == [{"image": image, "table": table}]
    assert shown.present == [True]


def test_what_is_known_of_them_cannot_be_changed() -> None:
    store = MemoryArtifacts()
    meta = put(store, "picture")

    @tool(wants={"image": "picture"})
    def change(ctx: ToolContext, image: str) -> None:
        """Change."""
        assert ctx.wanted
        with pytest.raises(TypeError):
            ctx.wanted["image"] = meta  # type: ignore[index]  # that is what is tried

    assert text_of(called(change, {"image": meta.ref}, artifacts=store)) == "done"


def wrong_arguments(store: MemoryArtifacts) -> dict[str, tuple[dict[str, Any], dict[str, str], str]]:
    """C17: the arguments, the reason for each, and what the text says of one."""
    good, other = put(store, "picture").ref, put(store, "rows", [1]).ref
    theirs = put(store, "picture", identity=Identity("talk")).ref
    return {
        "wrong kind": ({"image": other}, {"image": "other_kind"}, 'is of kind "rows", not "picture"'),
        "unknown": ({"image": mint()}, {"image": "not_found"}, "stands for nothing here"),
        "another caller's": ({"image": theirs}, {"image": "not_found"}, "stands for nothing here"),
        "malformed": ({"image": "z" * 99}, {"image": "not_found"}, f"image: {'z' * 40}… stands for nothing"),
        "blank": ({"image": " "}, {"image": "blank"}, "image: it is blank"),
        "list": ({"image": [good]}, {"image": "not_a_text"}, "a ref is a text, and this is none"),
        "null": ({"image": None}, {"image": "not_a_text"}, "a ref is a text, and this is none"),
        "number": ({"image": 7}, {"image": "not_a_text"}, "a ref is a text, and this is none"),
        "missing required": ({}, {"image": "missing"}, "image: it is missing"),
        "several": (
            {"image": good, "mask": "art_x", "table": good},
            {"mask": "not_found", "table": "other_kind"},
            "mask: art_x stands for nothing",
        ),
    }


@pytest.mark.parametrize("case", list(wrong_arguments(MemoryArtifacts())))
def test_c17_a_wrong_ref_is_refused_with_the_reason_and_the_live_refs(case: str) -> None:
    store, shown = MemoryArtifacts(), Shown()
    arguments, reasons, said = wrong_arguments(store)[case]
    pictures = [meta.ref for meta in asyncio.run(store.of().list()).items if meta.kind == "picture"]
    answer = called(shown.tool(), arguments, artifacts=store)
    error = error_of(answer)
    assert verdict(answer) == ("ARTIFACT_REFUSED", "none", False)
    assert shown.data == []
    assert error["details"]["arguments"] == reasons
    assert error["details"]["live"]["picture"] == pictures
    assert error["message"].startswith("show did not run.\n")
    assert said in error["message"]
    assert f'Of kind "picture" there are 1: {pictures[0]}.' in error["message"]


def test_c17_with_the_optional_ones_left_out_the_tool_runs_and_nothing_is_wanted() -> None:
    seen: list[object] = []

    @tool(wants={"image": "picture"})
    def show(ctx: ToolContext, image: str | None = "nothing") -> None:
        """Show."""
        seen.extend([image, ctx.wanted, "wanted" in ctx.present])

    for arguments in ({}, {"image": None}):
        assert text_of(called(show, arguments, artifacts=MemoryArtifacts())) == "done"
        assert text_of(called(show, arguments)) == "done"
    assert seen == ["nothing", None, False] * 4


def test_a_refusal_names_at_most_ten_live_refs_the_newest_or_says_that_there_are_none() -> None:
    store, shown = MemoryArtifacts(), Shown()
    none = error_of(called(shown.tool(), {"image": "art_x"}, artifacts=store))
    assert none["details"]["live"] == {"picture": []}
    assert 'There is no artifact of kind "picture".' in none["message"]
    made = [put(store, "picture").ref for _ in range(12)]
    many = error_of(called(shown.tool(), {"image": "art_x"}, artifacts=store))
    assert many["details"]["live"] == {"picture": made[:1:-1]}
    assert f"there are 12: the newest are {made[11]}, " in many["message"]
    assert made[1] not in many["message"]


def test_a_damaged_one_is_refused_as_that(caplog: pytest.LogCaptureFixture) -> None:
    backend = MemoryBackend()
    artifacts, scope = Artifacts(FakeClock(), backend), scope_of(None)

    async def spoiled() -> str:
        ref = await picture_in(artifacts)
        index = await backend.index(scope)
        assert index
        await backend.commit(scope, index, index, put=(ref, "something else"))
        return ref

    error = error_of(called(Shown().tool(), {"image": asyncio.run(spoiled())}, artifacts=artifacts))
    assert error["details"]["arguments"] == {"image": "damaged"}
    assert "have it made again" in error["message"]
    assert 'There is no artifact of kind "picture".' in error["message"]
    assert error["details"]["live"] == {"picture": []}
    assert ["has been damaged" in each.getMessage() for each in caplog.records] == [True]


def test_without_a_store_a_tool_that_wants_one_does_not_run_and_the_text_names_the_cure() -> None:
    shown = Shown()
    answer = called(shown.tool(), {"image": "art_x"})
    assert verdict(answer) == ("ARTIFACT_REFUSED", "none", False)
    assert 'data-artifacts="memory"' in text_of(answer)
    assert shown.data == []


def test_other_arguments_are_judged_before_and_a_ref_is_no_fault_of_theirs() -> None:
    @tool(wants={"image": "picture"})
    def show(image: str, size: int) -> None:
        """Show."""

    answer = called(show, {"image": 7, "size": "big"}, artifacts=MemoryArtifacts())
    assert [each["path"] for each in error_of(answer)["details"]["problems"]] == ["size"]


def test_a_tool_that_wants_nothing_is_given_a_ref_as_it_came() -> None:
    store = MemoryArtifacts()
    ref = put(store, "picture").ref

    @tool
    def echo(text: str) -> str:
        """Echo."""
        return text

    assert text_of(called(echo, {"text": ref}, artifacts=store)) == ref


@pytest.mark.parametrize(
    ("wants", "said"),
    [
        ({"picture": "picture"}, "none of its parameters: image, count, items"),
        ({"count": "picture"}, "an agent gives a ref, which is a text. Write count: str"),
        ({"items": "picture"}, "an agent gives a ref, which is a text"),
        ({"image": " "}, "has no kind for 'image'"),
        ({"image": None}, "has no kind for 'image'"),
        ({"image": "p" * 201}, "wants, 'image': the kind has 201 characters, more than 200"),
        ({"image": "\ud83d"}, "wants, 'image': the kind has half of a surrogate pair"),
        ({7: "picture"}, "none of its parameters"),
        ("image", "wants maps arguments to kinds"),
        ([("image", "picture")], "wants maps arguments to kinds"),
    ],
)
def test_a_wrong_declaration_fails_when_the_tool_is_defined(wants: Any, said: str) -> None:
    def show(image: str, count: int, items: list[str]) -> None:
        """Show."""

    with pytest.raises(ToolDefinitionError) as raised:
        make_tool(show, wants=wants)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    "annotation",
    [str, str | None, bytes, str | bytes, str | list[int], Annotated[str, Field(max_length=5)], Any],
)
def test_whatever_can_be_a_text_can_take_a_ref(annotation: Any) -> None:
    def show(image: Any) -> None:
        """Show."""

    show.__annotations__["image"] = annotation
    made = make_tool(show, wants={"image": "picture"})
    assert made.definition.input_schema["properties"]["image"]["type"] == "string"
    assert made.arguments.accept('{"image": "art_longer than five"}') == {"image": "art_longer than five"}


class SlowBackend(MemoryBackend):
    """Lets the store wait until the test lets it go on."""

    def __init__(self) -> None:
        super().__init__()
        self.is_slow = False
        self.goes_on = asyncio.Event()

    async def payload(self, scope: str, ref: str) -> Stored | None:
        if self.is_slow:
            await self.goes_on.wait()
        return await super().payload(scope, ref)


def test_what_changed_while_an_artifact_was_fetched_is_looked_at_again() -> None:
    is_allowed = [True]
    shown = Shown()
    answers: list[Answer] = []

    async def scene(rig: PageRig) -> None:
        backend = SlowBackend()
        artifacts = Artifacts(rig.clock, backend)
        rig.dispatcher = Dispatcher(rig.clock, rig._settle, artifacts=artifacts)
        ref = await picture_in(artifacts)
        backend.is_slow = True
        hold = rig.registry.hold(shown.tool(held=True, permission=lambda _: is_allowed[0] or "Not any more."))
        forbidden = rig.call("show", {"image": ref})
        is_allowed[0] = False
        backend.goes_on.set()
        answers.append(await rig.answered(forbidden))
        is_allowed[0] = True
        backend.goes_on.clear()
        stale = rig.call("show", {"image": ref})
        hold.release()
        rig.turn()
        backend.goes_on.set()
        answers.append(await rig.answered(stale))

    play(scene)
    assert [verdict(answer)[:2] for answer in answers] == [
        ("NOT_ALLOWED", "none"),
        ("STALE_TOOL_CALL", "none"),
    ]
    assert shown.data == []


def test_a_store_that_hangs_is_ended_by_the_deadline_and_the_tool_has_done_nothing() -> None:
    shown = Shown()
    answers: list[Answer] = []

    async def scene(rig: PageRig) -> None:
        backend = SlowBackend()
        artifacts = Artifacts(rig.clock, backend)
        rig.dispatcher = Dispatcher(rig.clock, rig._settle, artifacts=artifacts)
        ref = await picture_in(artifacts)
        backend.is_slow = True
        rig.registry.hold(shown.tool(timeout=5))
        call = rig.call("show", {"image": ref})
        await asyncio.sleep(0)
        rig.clock.advance(5)
        answers.append(await rig.answered(call))

    play(scene)
    assert verdict(answers[0]) == ("TOOL_TIMEOUT", "none", False)
    assert shown.data == []


class Person:
    """Allows everything; keeps what it was asked.

    Attributes:
        told: The arguments of each question.
    """

    def __init__(self) -> None:
        self.told: list[object] = []
        self.answered: Callable[[int, str], None]

    def ask(self, question: int, text: str) -> None:
        self.told.append(json.loads(text)["arguments"])
        self.answered(question, "allowed")

    def withdraw(self, question: int) -> None: ...


def test_the_person_is_told_the_ref_and_not_the_data_also_when_the_handler_asks() -> None:
    person, store = Person(), MemoryArtifacts()
    ref = put(store, "picture", "its data").ref
    answers: list[Answer] = []

    @tool(wants={"image": "picture"}, confirm="Show it?")
    async def show(ctx: ToolContext, image: str) -> str:
        """Show."""
        await ctx.confirm("Really?")
        return image

    async def scene(rig: PageRig) -> None:
        rig.dispatcher = Dispatcher(rig.clock, rig._settle, person=person, artifacts=store)
        person.answered = rig.dispatcher.confirmed
        rig.registry.hold(show)
        answers.append(await rig.answered(rig.call("show", {"image": ref})))

    play(scene)
    assert text_of(answers[0]) == "its data"
    assert person.told == [{"image": ref}] * 2


def test_the_handler_is_told_of_them_although_a_guard_was_given_the_context_before() -> None:
    store, shown, guarded = MemoryArtifacts(), Shown(), []

    def may(ctx: ToolContext) -> bool:
        guarded.append(ctx.wanted)
        return True

    image = put(store, "picture")
    called(shown.tool(permission=may), {"image": image.ref}, artifacts=store)
    assert shown.wanted == [{"image": image}]
    assert guarded[0] is None


# Answers that become artifacts


@tool(max_chars=20, place="rows")
def export(count: int) -> list[int]:
    """Export."""
    return list(range(count))


@tool(max_chars=20, place=True)
async def export_text(size: int) -> str:
    """Export."""
    await asyncio.sleep(0)
    return "ö" * size


@pytest.mark.parametrize(
    ("function", "arguments", "kind", "media_type", "data"),
    [
        (export, {"count": 50}, "rows", "application/json", list(range(50))),
        (export_text, {"size": 21}, "export_text", "text/plain", "ö" * 21),
    ],
)
def test_an_answer_that_is_too_long_is_kept_and_the_agent_is_told_its_ref(
    function: Callable[..., Any], arguments: dict[str, Any], kind: str, media_type: str, data: object
) -> None:
    store = MemoryArtifacts()
    answer = called(function, arguments, artifacts=store)
    assert "isError" not in answer
    shown = answer["structuredContent"]["artifact"]
    found = asyncio.run(store.of().get(shown["ref"]))
    assert found
    meta, kept = found
    assert kept == data
    assert shown == {"ref": meta.ref, "kind": kind, "media_type": media_type, "bytes": meta.bytes}
    assert meta.origin.call_id == "test-1"
    note = answer["structuredContent"]["note"]
    assert "more than the 20 that this tool may return. Narrow it with " in note
    assert f'Give the ref to a tool that takes an artifact of kind "{kind}".' in note


def test_an_answer_that_is_short_enough_is_given_as_it_is() -> None:
    store = MemoryArtifacts()
    assert called(export, {"count": 2}, artifacts=store)["structuredContent"] == {"result": [0, 1]}
    assert text_of(called(export_text, {"size": 20}, artifacts=store)) == "ö" * 20
    assert asyncio.run(store.of().list()).items == ()


@pytest.mark.parametrize(
    ("store", "said"),
    [(None, "no artifact store is attached"), (MemoryArtifacts(max_bytes=10), "more than the 10")],
)
def test_where_the_store_refuses_the_answer_is_too_long_and_says_why(
    store: MemoryArtifacts | None, said: str
) -> None:
    answer = called(export, {"count": 50}, artifacts=store)
    assert verdict(answer) == ("ANSWER_TOO_LONG", "done", False)
    assert "It could not be kept in the page either." in text_of(answer)
    assert said in text_of(answer)


def test_without_place_an_answer_that_is_too_long_is_refused_although_there_is_a_store() -> None:
    @tool(max_chars=20)
    def talk() -> str:
        """Talk."""
        return "x" * 21

    store = MemoryArtifacts()
    assert verdict(called(talk, artifacts=store)) == ("ANSWER_TOO_LONG", "done", False)
    assert asyncio.run(store.of().list()).items == ()


def test_a_secret_is_taken_out_of_an_answer_before_it_is_kept() -> None:
    @tool(max_chars=60, place="rows", needs=Need("bank"))
    def export_statement(ctx: ToolContext) -> dict[str, object]:
        """Export."""
        assert ctx.credential
        return {"rows": list(range(50)), "by": ctx.credential.to_headers()}

    store = MemoryArtifacts()
    given = {"bank": {"Authorization": "Bearer token-9f3a"}}
    answer = called(export_statement, artifacts=store, credentials=given)
    found = asyncio.run(store.of().get(answer["structuredContent"]["artifact"]["ref"]))
    assert found
    assert found[1] == {"rows": list(range(50)), "by": {"Authorization": "[redacted]"}}


def test_a_tool_may_want_an_artifact_and_need_a_credential() -> None:
    @tool(wants={"image": "picture"}, needs=Need("bank"), confirm=lambda ctx, _: f"{sorted(ctx.present)}")
    def publish(ctx: ToolContext, image: str) -> list[object]:
        """Publish."""
        assert ctx.wanted
        assert ctx.credential
        return [image, ctx.wanted["image"].kind, *ctx.credential.to_headers()]

    store = MemoryArtifacts()
    ref = put(store, "picture").ref
    given = {"bank": {"Authorization": "Bearer token-9f3a"}}
    answer = called(publish, {"image": ref}, artifacts=store, credentials=given, confirm=True)
    assert answer["structuredContent"] == {"result": ["x", "picture", "Authorization"]}


def test_a_replay_of_a_call_whose_answer_was_kept_gives_the_same_ref() -> None:
    runs: list[int] = []

    @tool(max_chars=20, place="rows", idempotency="key")
    def export_once(key: str) -> list[int]:
        """Export."""
        runs.append(1)
        return list(range(50))

    async def scene(rig: PageRig) -> None:
        rig.dispatcher = Dispatcher(rig.clock, rig._settle, artifacts=MemoryArtifacts())
        rig.registry.hold(export_once)
        first, again = [await rig.answered(rig.call("export_once", {"key": "k"})) for _ in range(2)]
        assert first["structuredContent"]["artifact"]["ref"] == again["structuredContent"]["artifact"]["ref"]

    play(scene)
    assert runs == [1]


@pytest.mark.parametrize("place", ["", " ", 7, None])
def test_a_place_that_is_no_kind_fails_when_the_tool_is_defined(place: Any) -> None:
    with pytest.raises(ToolDefinitionError, match="must be True, or the kind"):
        make_tool(lambda: None, name="export", description="Export.", place=place)


def test_a_place_that_is_too_long_a_kind_fails_when_the_tool_is_defined() -> None:
    with pytest.raises(ToolDefinitionError, match="place: the kind has 201 characters, more than 200"):
        make_tool(lambda: None, name="export", description="Export.", place="p" * 201)
