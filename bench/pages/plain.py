"""The same ten tools without webtools: a pydantic model of each one's input, and its function."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel


def make() -> tuple[type[BaseModel], Callable[..., str]]:
    class Arguments(BaseModel):
        text: str

    def echo(text: str) -> str:
        return text

    return Arguments, echo


tools = [make() for _ in range(10)]


def call(number: int, text: str) -> Any:
    model, function = tools[number]
    return function(**dict(model.model_validate_json(text)))
