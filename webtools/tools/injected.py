"""What a handler is given besides the agent's arguments."""


class Injected:
    """Base of the classes whose objects the dispatcher hands to a handler.

    A parameter that is annotated with one is no part of the input schema.
    """
