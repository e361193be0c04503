"""Every pair of declarations, with a replay, an abort, a change of generation and a deadline at each step.

`pair_model` says what has to come of it, `pair_rig` plays it.
"""

from __future__ import annotations

import asyncio

import pytest

from tests.unit.calls.pair_model import ORDER, PAIRS, Names, cells_of, expected, with_company
from tests.unit.calls.pair_rig import Play, Tools
from webtools.calls import steps


def test_the_order_is_this_one() -> None:
    assert steps.ORDER == ORDER


@pytest.mark.parametrize("pair", PAIRS, ids=" + ".join)
def test_whatever_arrives_a_call_ends_as_the_order_says(pair: Names) -> None:
    problems: list[str] = []
    tools = {names: Tools(names) for names in with_company(pair)}

    async def scene() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, at: problems.append(str(at)))
        for cell in cells_of(pair):
            play = Play(tools[cell.names], cell)
            await play.run(expected(cell))
            play.at.dispatcher.close()
            problems.extend(play.problems)

    asyncio.run(scene())
    assert problems == []
