"""docs/bridge.md says what is so."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path

from webtools.cli.bridge.backoff import DELAYS_S
from webtools.cli.bridge.command import bridge
from webtools.cli.bridge.names import named
from webtools.cli.bridge.sites import SETTLE_S
from webtools.cli.bridge.watch import STUCK_S

TEXT = (Path(__file__).parents[4] / "docs" / "bridge.md").read_text("utf-8")


def test_the_numbers_are_those_of_the_code() -> None:
    *most, last = (f"{delay:g}" for delay in DELAYS_S)
    assert f"after {', '.join(most)} and {last} seconds" in TEXT
    assert f"at least every {last} seconds" in TEXT
    assert f"does nothing else for {STUCK_S:g} s" in TEXT
    assert f"with its Python, at most {SETTLE_S:g} s" in TEXT


def test_the_configuration_is_one_that_the_command_takes() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
    (server,) = json.loads(block)["mcpServers"].values()
    assert server["command"] == "webtools"
    assert server["args"][0] == "bridge"
    assert named(server["args"][1:])


def test_every_option_is_there() -> None:
    table = TEXT.partition("## Options")[2].partition("## ")[0]
    told = set(re.findall(r"`--(\w+)", table)) - {"remote", "user", "enable", "no"}
    options = {
        name for name, each in inspect.signature(bridge).parameters.items() if each.kind is each.KEYWORD_ONLY
    }
    assert told == options
