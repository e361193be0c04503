"""What an agent can do with the page's tasks."""

from typing import Annotated

from pydantic import Field

from webtools import page, tool

tasks = page("tasks")  # what tasks.js exposes


@tool(read_only=True)
async def list_tasks() -> list[str]:
    """List the tasks, the oldest first."""
    found: list[str] = await tasks.all()
    return found


@tool
async def add_task(
    text: Annotated[str, Field(description="What is to be done", min_length=1, max_length=200)],
) -> list[str]:
    """Add a task, and list them all, the oldest first."""
    found: list[str] = await tasks.add(text)
    return found
