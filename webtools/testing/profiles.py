"""The model contexts of Chromium's versions, for the polyfill to stand for."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypedDict


class Profile(TypedDict):
    """Options of the polyfill's `apply`, in their JavaScript names; JSON can hold them.

    Attributes:
        cancelsCalls: `onUnregister`: a call in flight is lost when its tool is unregistered.
        postbackMs: How long an answer is on its way to its caller, in milliseconds, and can still be lost.
        signalArgument: Whether a handler is told of its caller's abort.
        schemaAsText: Whether a listed `inputSchema` is JSON text.
        inputAsText: Whether `executeTool` takes its input as JSON text.
    """

    cancelsCalls: Literal["never", "onUnregister"]
    postbackMs: int
    signalArgument: bool
    schemaAsText: bool
    inputAsText: bool


_DRAFT: Final = Profile(
    cancelsCalls="never", postbackMs=0, signalArgument=True, schemaAsText=False, inputAsText=False
)
_LISTING_OBJECTS: Final = Profile({**_DRAFT, "inputAsText": True})
_KEEPING_CALLS: Final = Profile({**_LISTING_OBJECTS, "schemaAsText": True})
_LOSING_CALLS: Final = Profile(
    {**_KEEPING_CALLS, "cancelsCalls": "onUnregister", "postbackMs": 50, "signalArgument": False}
)

PROFILES: Final[Mapping[str, Profile]] = MappingProxyType(
    {
        "chrome-150": _LOSING_CALLS,
        "chrome-151": _LOSING_CALLS,
        "chrome-152": _LOSING_CALLS,
        "chrome-153": _KEEPING_CALLS,
        "chrome-154": _LISTING_OBJECTS,
        "chrome-155": _DRAFT,
        "chrome-156": _DRAFT,
    }
)
"""By browser: `apply(document, {force: true, ...profile})` makes a page's model context like that one's.

`FakeModelContext(profile=…)` is one without a page. Chrome 146 to 149 have none on `document`, so there the
polyfill stands as the draft demands.
"""
