"""The reference of the command line, as Markdown: from the commands' own signatures and docstrings."""

from __future__ import annotations

import re

from webtools.cli.app import app

__all__ = ["reference"]


def reference() -> str:
    """What `webtools --help`, and that of each command, says."""
    text = app.generate_docs("markdown", usage_name="webtools").partition("\n")[2]  # the page has a title
    return re.sub(r"\n## Table of Contents\n.*?(?=\n\*\*)", "", text, flags=re.DOTALL)
