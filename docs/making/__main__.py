"""Build the site and check it: `python -m docs.making build/site`. The folder is made anew."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import build_main

from docs.making.checking import faults

DOCS = Path(__file__).parents[1]


def main() -> None:
    """Build, print what leads nowhere, and fail where there is something."""
    site = Path(sys.argv[1]).resolve()
    shutil.rmtree(site, ignore_errors=True)
    warnings_fail = ["--fail-on-warning", "--quiet"]
    parsed = ["--doctree-dir", str(site.with_name(f"{site.name}-doctrees")), "--fresh-env"]
    if code := build_main([*warnings_fail, *parsed, str(DOCS), str(site)]):
        sys.exit(code)
    found = list(faults(site))
    print("\n".join(found))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
