"""The tools on plain Python, without a browser."""

import asyncio

from tasks import add_task, list_tasks

from webtools.testing import fake_page, tool_call


class FakeTasks:
    """Stands for what tasks.js exposes."""

    def __init__(self) -> None:
        self.texts = ["Buy milk"]

    def all(self) -> list[str]:
        return self.texts

    def add(self, text: str) -> list[str]:
        self.texts.append(text)
        return self.texts


def test_tasks_are_listed() -> None:
    with fake_page(tasks=FakeTasks()):
        answer = asyncio.run(tool_call(list_tasks))
    assert answer["structuredContent"] == {"result": ["Buy milk"]}


def test_a_task_is_added_at_the_end() -> None:
    with fake_page(tasks=FakeTasks()):
        answer = asyncio.run(tool_call(add_task, {"text": "Call Ada"}))
    assert answer["structuredContent"] == {"result": ["Buy milk", "Call Ada"]}


def test_an_empty_task_is_refused() -> None:
    answer = asyncio.run(tool_call(add_task, {"text": ""}))
    assert answer["structuredContent"]["error"]["code"] == "INVALID_TOOL_ARGS"
