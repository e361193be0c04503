"""The reference of the command line, as Markdown: from the commands' own signatures and docstrings."""

from __future__ import annotations

import re

from webtools.cli.app import app

__all__ = ["reference"]

_STARTED_AS = re.compile(r"^(webtools \S+) -m \S+", re.MULTILINE)
"""What cyclopts leaves in a usage of `python -m docs.making`, which it takes for the command's name."""
_COMMAND = re.compile(r"^## webtools (\S+)\n", re.MULTILINE)


def reference() -> str:
    """What `webtools --help`, and that of each command, says."""
    text = app.generate_docs("markdown", usage_name="webtools").partition("\n")[2]  # the page has a title
    text = re.sub(r"\n## Table of Contents\n.*?(?=\n\*\*)", "", text, flags=re.DOTALL)
    before, *commands = _COMMAND.split(_STARTED_AS.sub(r"\1", text))
    return "".join([before, *map(_with_examples, commands[::2], commands[1::2])])


def _with_examples(name: str, words: str) -> str:
    """A command's part, with the examples that `--help` ends with and cyclopts leaves out."""
    lines = "\n".join(re.findall("`(.+)`", f"{app[name].help_epilogue}"))
    return f"## webtools {name}\n{words.rstrip()}\n\n**Examples**:\n\n```console\n{lines}\n```\n\n"
