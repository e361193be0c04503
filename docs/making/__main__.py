"""Build the site and check it: `python -m docs.making build/site`. The folder is made anew."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import build_main

from docs.making.checking import faults

DOCS = Path(__file__).parents[1]


def build(site: Path) -> int:
    """Build the site into a folder, a warning being an error; gives the exit code."""
    shutil.rmtree(site, ignore_errors=True)
    parsed = site.with_name(f"{site.name}-doctrees")
    strict = ["--fail-on-warning", "--quiet", "--fresh-env"]
    return build_main([*strict, "--doctree-dir", str(parsed), str(DOCS), str(site)])


def main() -> None:
    """Build, print what leads nowhere, and fail where there is something."""
    site = Path(sys.argv[1]).resolve()
    if code := build(site):
        sys.exit(code)
    found = list(faults(site))
    print("\n".join(found), end="")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
