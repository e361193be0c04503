"""Knows the secrets that are about, and takes them out of what leaves the page's tools."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

REDACTED = "[redacted]"
"""What stands in a secret's place."""

MIN_LENGTH = 8
"""Characters; a shorter text is in too many harmless ones to be taken out."""

MAX_SECRETS = 256
"""Above it the oldest is forgotten."""

NESTING = 3
"""How often a secret may have been written as JSON text within JSON text."""


class Secrets:
    """Lives as long as the page; a secret is known from its issue on, also when it has expired."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, ...]] = {}

    def add(self, values: Iterable[str]) -> None:
        """Know the values of headers, and of each the part behind its scheme, as in ``Bearer <token>``."""
        for value in values:
            for secret in (value, value.rpartition(" ")[2]):
                if len(secret) >= MIN_LENGTH:
                    self._known.pop(secret, None)
                    self._known[secret] = _forms(secret)
        while len(self._known) > MAX_SECRETS:
            del self._known[next(iter(self._known))]

    def redacted(self, text: str) -> str:
        """A text without the secrets."""
        for forms in self._known.values():
            for form in forms:
                text = text.replace(form, REDACTED)
        return text

    def redacted_json(self, text: str) -> str:
        """JSON text without them; it stays JSON, whatever a secret looks like."""
        if not self._known or not self.are_in(text):
            return text
        plain = self.redacted_data(json.loads(text))
        return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))

    def redacted_data(self, plain: Any) -> Any:
        """JSON data without them."""
        if not self._known:
            return plain
        if isinstance(plain, dict):
            return {self.redacted(key): self.redacted_data(value) for key, value in plain.items()}
        if isinstance(plain, list):
            return [self.redacted_data(each) for each in plain]
        if isinstance(plain, str):
            return self.redacted(plain)
        is_number = isinstance(plain, int | float) and not isinstance(plain, bool)
        return REDACTED if is_number and self.are_in(str(plain)) else plain

    def are_in(self, text: str) -> bool:
        """Whether a text has any of them."""
        return any(form in text for forms in self._known.values() for form in forms)

    def __bool__(self) -> bool:
        return bool(self._known)

    def __repr__(self) -> str:
        return f"<Secrets, {len(self._known)} known>"


def _forms(secret: str) -> tuple[str, ...]:
    """The secret as it is, and as JSON has it; the longest first, since each may be part of the next."""
    forms = [secret]
    for _ in range(NESTING):
        forms.append(json.dumps(forms[-1])[1:-1])
    return tuple(dict.fromkeys(reversed(forms)))
