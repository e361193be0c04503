"""What one call does with artifacts: whose they are, those that it wants, an answer that becomes one.

Source: ../shared/spec/tool-context.md, §9.
"""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from webtools._exceptions import ToolError
from webtools.calls.call import Call
from webtools.calls.context import ToolContext
from webtools.calls.facts import Identity
from webtools.calls.isolation import encoded
from webtools.stores.artifact_index import Meta, Origin
from webtools.stores.artifact_shelf import REFUSED, Damaged, Shelf
from webtools.stores.artifacts import Artifacts, ArtifactStore, NoArtifacts, ScopedArtifacts, detached
from webtools.stores.secrets import Secrets
from webtools.tools.answers import answer, failure
from webtools.tools.tool import Tool

MAX_REFS = 10
"""Named to an agent that gave a wrong one. Source: as above."""


def scope_of(identity: Identity | None) -> str:
    """Whose artifacts a call's are; nobody's in particular are the page's own.

    Two callers share a scope only where tenant, principal and conversation are the same.
    """
    if identity is None:
        return scope_of(Identity(""))
    who = (identity.tenant, identity.principal, identity.conversation_id)
    return "/".join(f"{letter}={encoded(fact)}" for letter, fact in zip("tpc", who, strict=True))


def store_of(call: Call, artifacts: Artifacts | None, secrets: Secrets) -> ArtifactStore | None:
    """What the handler is given, which keeps no secrets; None where none is attached, and for inner calls."""
    if artifacts is None or call.facts.door == "inner":
        return None
    shelf = artifacts.shelf(scope_of(call.facts.identity))
    return ScopedArtifacts(shelf, Origin(call.call_id, call.facts.run_id), secrets)


def resolve(call: Call, artifacts: Artifacts | None) -> Awaitable[None] | None:
    """Put artifacts in place of the refs that a tool wants; None where the call gives none and needs none.

    Raises:
        ToolError: ``ARTIFACT_REFUSED``, what is wrong with any of the arguments.
    """
    tool = call.tool
    asked = {
        name: kind
        for name, kind in tool.wants.items()
        if name in call.arguments or name not in tool.arguments.defaults
    }
    if not asked:
        return None
    shelf = None if artifacts is None else artifacts.shelf(scope_of(call.facts.identity))
    return _resolve(call, asked, shelf)


async def placed(tool: Tool, content: Any, too_long: ToolError, store: ArtifactStore | None) -> str:
    """Answer with the ref of what is too long to be the answer itself, or with why it could not be kept."""
    assert tool.place is not None
    media_type = "text/plain" if isinstance(content, str) else "application/json"
    try:
        meta = await (store or NoArtifacts()).put(tool.place, media_type, content)
    except ToolError as refusal:
        too_long.message += f" It could not be kept in the page either. {refusal.message}"
        return failure(too_long)
    note = (
        f"{too_long.message} The page keeps it under this ref. Give the ref to a tool that takes an "
        f'artifact of kind "{meta.kind}".'
    )
    shown = {"ref": meta.ref, "kind": meta.kind, "media_type": meta.media_type, "bytes": meta.bytes}
    said = {"artifact": shown, "note": note}
    return answer(said, max_chars=tool.max_chars + len(str(said)) * 2, report=lambda _: None)


@dataclass(frozen=True)
class _Fault:
    kind: str
    reason: str
    said: str


async def _resolve(call: Call, asked: dict[str, str], shelf: Shelf | None) -> None:
    if shelf is None:
        raise detached("get")
    found: dict[str, tuple[Meta, Any]] = {}
    faults: dict[str, _Fault] = {}
    for name, kind in asked.items():
        one = await _judged(call.arguments, name, kind, shelf)
        if isinstance(one, _Fault):
            faults[name] = one
        else:
            found[name] = one
    if faults:
        raise await _refusal(call, faults, shelf)
    call.resolved = {name: data for name, (_, data) in found.items()}
    call.wanted = MappingProxyType({name: meta for name, (meta, _) in found.items()})
    if isinstance(call.context, ToolContext):  # made before, it knows nothing of them
        call.context = replace(call.context, wanted=call.wanted)


async def _judged(arguments: dict[str, Any], name: str, kind: str, shelf: Shelf) -> tuple[Meta, Any] | _Fault:
    if name not in arguments:
        return _Fault(kind, "missing", "it is missing")
    ref = arguments[name]
    if not isinstance(ref, str):
        return _Fault(kind, "not_a_text", "a ref is a text, and this is none")
    if not ref.strip():
        return _Fault(kind, "blank", "it is blank")
    try:
        meta = await shelf.head(ref)
        if meta is not None and meta.kind != kind:
            return _Fault(kind, "other_kind", f'{ref} is of kind "{meta.kind}", not "{kind}"')
        found = meta and await shelf.intact(ref)
    except Damaged:
        return _Fault(kind, "damaged", f"{ref} has been damaged; have it made again")
    return found or _Fault(kind, "not_found", f"{_clipped(ref)} stands for nothing here, or not any more")


async def _refusal(call: Call, faults: dict[str, _Fault], shelf: Shelf) -> ToolError:
    damaged = [call.arguments[name] for name, fault in faults.items() if fault.reason == "damaged"]
    metas = [row.meta for row in await shelf.rows() if row.ref not in damaged]
    kinds = dict.fromkeys(fault.kind for fault in faults.values())
    live = {kind: [meta.ref for meta in metas if meta.kind == kind] for kind in kinds}
    lines = [f"{call.tool.name} did not run."]
    lines += [f"{name}: {fault.said}." for name, fault in faults.items()]
    lines += [_told(kind, refs) for kind, refs in live.items()]
    return ToolError(
        "\n".join(lines),
        code=REFUSED,
        details={
            "arguments": {name: fault.reason for name, fault in faults.items()},
            "live": {kind: refs[:MAX_REFS] for kind, refs in live.items()},
        },
        effect="none",
    )


def _told(kind: str, refs: list[str]) -> str:
    if not refs:
        return f'There is no artifact of kind "{kind}".'
    newest = "the newest are " if len(refs) > MAX_REFS else ""
    return f'Of kind "{kind}" there are {len(refs)}: {newest}{", ".join(refs[:MAX_REFS])}.'


def _clipped(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"
