"""What is known of a scope's artifacts without their payloads: one text, rows by recency of use.

It is the SHA-256 of what follows, in 64 hexadecimal digits, then JSON
``{"next": int, "rows": [{"number", "form", "ref", "kind", …}, …]}``, the row that was used last at the end.
"""

from __future__ import annotations

import hashlib
import json
import logging
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from webtools.stores.artifact_payloads import Form

logger = logging.getLogger("webtools")


_DIGITS = 64
"""Of a digest."""


@dataclass(frozen=True)
class Origin:
    """Which call put an artifact, by that call's own facts."""

    call_id: str
    run_id: str | None = None


@dataclass(frozen=True)
class Meta:
    """What is known of an artifact without its payload.

    Attributes:
        ref: By which it is got.
        kind: The author's word for what it is; ``wants`` compares it.
        bytes: Of the payload.
        created_at: Milliseconds since the Unix epoch, as is `expires_at`.
        digest: ``"sha-256:<64 hexadecimal digits>"`` of the payload.
        parents: Refs of what it was made from.
    """

    ref: str
    kind: str
    media_type: str
    bytes: int
    created_at: int
    digest: str
    origin: Origin
    label: str | None = None
    expires_at: int | None = None
    parents: tuple[str, ...] = ()


_NAMES = {each.name for each in fields(Meta)}


@dataclass(frozen=True, eq=False, slots=True)
class Row:
    """One artifact in the index; what is known of it stays plain until somebody asks."""

    plain: dict[str, Any]

    @property
    def number(self) -> int:
        """It grows with each artifact of the scope."""
        number: int = self.plain["number"]
        return number

    @property
    def ref(self) -> str:
        """The artifact's."""
        ref: str = self.plain["ref"]
        return ref

    @property
    def form(self) -> Form:
        """The payload's."""
        form: Form = self.plain["form"]
        return form

    @property
    def bytes(self) -> int:
        """The payload's."""
        size: int = self.plain["bytes"]
        return size

    @property
    def meta(self) -> Meta:
        """What is known of the artifact."""
        known = {name: self.plain[name] for name in _NAMES & self.plain.keys()}
        known["origin"] = Origin(**known["origin"])
        return Meta(**{**known, "parents": tuple(known.get("parents", ()))})

    def is_live(self, now: int) -> bool:
        """Whether it has not expired."""
        expires_at = self.plain.get("expires_at")
        return expires_at is None or expires_at > now

    @classmethod
    def of(cls, number: int, form: Form, meta: Meta) -> Row:
        """The row of a new artifact."""
        known = {name: value for name, value in asdict(meta).items() if value not in (None, ())}
        return cls({"number": number, "form": form, **known})


@dataclass
class Index:
    """A scope's rows, the one that was used last at the end.

    Attributes:
        text: What was read; None where there was nothing.
        next: The number of the next row.
    """

    text: str | None
    next: int = 1
    rows: list[Row] = field(default_factory=list)

    def row(self, ref: object, now: int) -> Row | None:
        """The live row of a ref."""
        return next((row for row in self.rows if row.ref == ref and row.is_live(now)), None)

    def touch(self, row: Row) -> bool:
        """Make it the last; False where it is that already."""
        if self.rows[-1] is row:
            return False
        self.rows.remove(row)
        self.rows.append(row)
        return True

    def written(self) -> str:
        """The index as text."""
        plain = {"next": self.next, "rows": [row.plain for row in self.rows]}
        body = json.dumps(plain, separators=(",", ":"))
        return _digest(body) + body


def read(text: str | None) -> Index:
    """Read an index; one that somebody else has damaged counts as empty, with a warning."""
    if text is None:
        return Index(None)
    index = intact(text)
    if index is None:
        logger.warning("The index of the page's artifacts has been damaged, and is not used.")
    return index or Index(text)


def intact(text: str) -> Index | None:
    """Read an index; None where somebody else has damaged it."""
    digest, body = text[:_DIGITS], text[_DIGITS:]
    if digest != _digest(body):
        return None
    plain = json.loads(body)
    return Index(text, plain["next"], [Row(each) for each in plain["rows"]])


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode(errors="surrogatepass")).hexdigest()
