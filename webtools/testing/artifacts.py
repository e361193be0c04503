"""Artifacts for tests of tools on CPython."""

from __future__ import annotations

from webtools.calls.artifacts import scope_of
from webtools.calls.facts import Identity
from webtools.stores.artifact_backends import MemoryBackend
from webtools.stores.artifact_index import Meta, Origin
from webtools.stores.artifact_shelf import MAX_BYTES, MAX_COUNT, Limits
from webtools.stores.artifacts import Artifacts, ArtifactStore, ScopedArtifacts
from webtools.testing.clock import FakeClock


class MemoryArtifacts(Artifacts):
    """A store in memory, for `tool_call`; it lives as long as it is referred to.

    Args:
        max_bytes: Of all artifacts of one caller.
        max_count: Of one caller.
        ttl: Seconds after which each expires; default: never.

    Attributes:
        clock: Its time; move it to let artifacts expire.
        evicted: What had to go to make room.
    """

    def __init__(
        self, *, max_bytes: int = MAX_BYTES, max_count: int = MAX_COUNT, ttl: float | None = None
    ) -> None:
        self.clock = FakeClock()
        self.evicted: list[Meta] = []
        limits = Limits(max_bytes, max_count, ttl)
        super().__init__(self.clock, MemoryBackend(), limits, self.evicted.extend)

    def of(self, identity: Identity | None = None) -> ArtifactStore:
        """The store as a call of this identity has it; None: as one of which nobody stated any."""
        return ScopedArtifacts(self.shelf(scope_of(identity)), Origin("the test"))
