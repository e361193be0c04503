"""What a restored Python does over."""

import random

from webtools.browser.awakening import awake


def test_two_that_began_alike_go_different_ways() -> None:
    memory = random.getstate()
    rolled = []
    for _ in range(2):
        random.setstate(memory)
        awake()
        rolled.append(random.getrandbits(128))
    random.setstate(memory)
    assert rolled[0] != rolled[1] != random.getrandbits(128)
