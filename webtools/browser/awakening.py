"""What a Python restored from a snapshot has to do over, since all pages begin with the same memory."""

import random


def awake() -> None:
    """Make this interpreter one of its own; called once, before anything else runs in it."""
    random.seed()
