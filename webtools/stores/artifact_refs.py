"""Refs of artifacts: random, so none can be guessed, and none says what it stands for."""

from __future__ import annotations

import os
import re
import string

ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
"""Base62. Source: ../shared/spec/tool-context.md, §9."""

LENGTH = 22
"""Letters behind the prefix; 131 bits. Source: as above."""

_FAIR = 256 - 256 % len(ALPHABET)
"""Bytes from here on would make the alphabet's first letters likelier: they are thrown away."""

_REF = re.compile(rf"art_[0-9A-Za-z]{{{LENGTH}}}")


def mint() -> str:
    """A new ref, from the system's entropy at this moment."""
    letters = ""
    while len(letters) < LENGTH:
        letters += "".join(ALPHABET[byte % len(ALPHABET)] for byte in os.urandom(LENGTH) if byte < _FAIR)
    return f"art_{letters[:LENGTH]}"


def is_ref(text: object) -> bool:
    """Whether it has a ref's form."""
    return isinstance(text, str) and _REF.fullmatch(text) is not None
