"""Rules of annotations: what a tool does, as far as its words tell, against what it says that it does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from webtools.cli.checking.subjects import CheckedTool, parameters
from webtools.cli.checking.words import singular, words_of_name, words_of_text

__all__ = ["read_only_writes", "unmarked_effect", "unmarked_untrusted"]

_EFFECTS = frozenset(
    {"buy", "cancel", "clear", "deactivate", "delete", "destroy", "discard", "erase", "overwrite", "pay"}
    | {"publish", "purge", "remove", "reset", "revoke", "send", "submit", "terminate", "unsubscribe", "wipe"}
)
"""Verbs of what cannot be taken back, or matters to others."""

_EFFECTS_OR_THINGS = frozenset(
    {"book", "charge", "checkout", "donate", "drop", "email", "empty", "mail", "order", "post", "purchase"}
    | {"refund", "sell", "transfer", "withdraw"}
)
"""The same, but a name may mean the thing, as `order_status`: they count where a description starts so."""

_EFFECT_PHRASES = frozenset({("place", "order"), ("make", "payment"), ("make", "purchase"), ("check", "out")})

_WRITES = _EFFECTS | frozenset(
    {"add", "append", "apply", "assign", "change", "create", "edit", "insert", "modify", "move", "rename"}
    | {"replace", "save", "set", "update", "upload", "write"}
)

_OF_THE_VIEW = frozenset(
    {"filter", "highlight", "query", "search", "selection", "sort", "sorting", "view", "zoom"}
)
"""What is only looked through: to clear it harms nobody."""

_MEASURES = frozenset(
    {"count", "date", "history", "id", "log", "number", "reason", "state", "status", "total"}
)
"""A name that ends with one asks for it: `update_history`."""

_READS = frozenset(
    {"browse", "export", "fetch", "find", "get", "list", "load", "look", "lookup", "query", "read", "search"}
    | {"summarise", "summarize", "translate"}
)

_STRANGERS_WORDS = frozenset(
    {"chat", "comment", "complaint", "emails", "feedback", "forum", "inbox", "mails", "message", "review"}
    | {"testimonial", "transcript", "tweet"}
)
"""Things that strangers write; `email` alone is most often somebody's address."""

_STRANGERS_TEXTS = re.compile(
    r"(?<!error )(?<!status )\b(?:reviews|comments|messages|e-?mails|inbox|testimonials|tweets|transcripts?"
    r"|user[- ]generated|web ?pages?|search the web|web search|page text"
    r"|(?:customers?|users?|visitors?|people|others) (?:have )?(?:wrote|written|said|posted)"
    r"|(?:written|posted) by (?:customers?|users?|visitors?|people|others))\b",
    re.IGNORECASE,
)
_ADDRESSES = frozenset({"href", "link", "uri", "url"})


def unmarked_effect(tool: CheckedTool) -> Iterator[tuple[None, str]]:
    """Find what looks as if it could not be taken back, and neither says so nor asks."""
    is_marked = tool.is_read_only or tool.annotations.get("consequentialHint") is True or tool.asks_person
    word = None if is_marked else _effect(tool)
    if word:
        cure = 'let the person decide, confirm="…?", or mark it, consequential=True'
        yield None, f'"{word}" sounds as if it could not be taken back: {cure}'


def read_only_writes(tool: CheckedTool) -> Iterator[tuple[None, str]]:
    """Find what says that it changes nothing, and is called as if it did."""
    words = words_of_name(tool.name)
    if tool.is_read_only and words and words[0] in _WRITES and _is_about_things(words):
        yield None, f'read_only=True, but it is called "{words[0]}": drop one of the two'


def unmarked_untrusted(tool: CheckedTool) -> Iterator[tuple[None, str]]:
    """Find what gives an agent words of strangers, which may hold instructions, without saying so."""
    words = words_of_name(tool.name)
    reads = tool.is_read_only or not _READS.isdisjoint(words[:1])
    if not reads or tool.annotations.get("untrustedContentHint") is True or not _is_about_things(words):
        return
    if word := _strangers_word(tool, words):
        cure = "mark it, untrusted_content=True"
        yield None, f'"{word}" sounds like words of strangers, which may hold instructions: {cure}'


def _effect(tool: CheckedTool) -> str | None:
    words = words_of_name(tool.name)
    if not _is_about_things(words):
        return None
    if words and words[0] in _EFFECTS:
        return words[0]
    phrase = next((pair for pair in pairwise(words) if pair in _EFFECT_PHRASES), None)
    return " ".join(phrase) if phrase else _effect_in(words_of_text(tool.description))


def _effect_in(text: list[str]) -> str | None:
    """Find it in a description that begins with the verb, as it should."""
    first, second = [*text, "", ""][:2]
    if singular(first) in _EFFECTS:
        return first
    return first if first in _EFFECTS_OR_THINGS and second not in _MEASURES | {"of"} else None


def _is_about_things(words: list[str]) -> bool:
    about = {singular(word) for word in words[1:]}
    return not about & _OF_THE_VIEW and (not words or words[-1] not in _MEASURES)


def _strangers_word(tool: CheckedTool, words: list[str]) -> str | None:
    named = next((word for word in words if {word, singular(word)} & _STRANGERS_WORDS), None)
    said = _STRANGERS_TEXTS.search(tool.description)
    address = next((node.path for node in parameters(tool) if node.path.lower() in _ADDRESSES), None)
    return named or (said[0] if said else None) or address
