"""What webtools takes from others, as its locks and requirements say."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]

WHEELS = ROOT / "webtools" / "cli" / "wheels"
REQUIREMENTS = [WHEELS / f"{name}-requirements.txt" for name in ("page", "micropip")]
"""The wheels that pages get."""

_REQUIREMENT = re.compile(r"([\w.-]+)==(\S+) \\\n    --hash=(sha256:[0-9a-f]{64})\n")


def requirements_in(path: Path) -> dict[str, tuple[str, str]]:
    """Read name → version and hash; each exactly once, and nothing else but comments.

    Raises:
        ValueError: The file has something else.
    """
    text = re.sub(r"(?m)^#.*\n", "", path.read_text("utf-8"))
    if rest := _REQUIREMENT.sub("", text).strip():
        raise ValueError(f"{path.name} has what is no pinned requirement with one hash: {rest}")
    return {name: (version, digest) for name, version, digest in _REQUIREMENT.findall(text)}


def npm_packages() -> dict[str, dict[str, Any]]:
    """Read what the lock says of each of npm's packages, by its path."""
    packages: dict[str, dict[str, Any]] = json.loads((ROOT / "package-lock.json").read_text("utf-8"))[
        "packages"
    ]
    return {path.removeprefix("node_modules/"): package for path, package in packages.items() if path}
