"""A tool that the page makes of one of its forms: ``contact = form_tool("#contact", ...)``."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Literal, get_args

from webtools._exceptions import ToolDefinitionError
from webtools.tools import making, rules
from webtools.tools.annotations import annotations_of

Submit = Literal["person", "agent"]
"""Who submits the form when it is filled in."""


@dataclass(frozen=True, eq=False)
class FormTool:
    """A declaration; the page reads the schema off the form whenever there is one, and fills it in.

    Attributes:
        selector: Of the form, as CSS has them.
        name: The name that agents call.
        options: What `webtools.formTool` in JavaScript is given, JSON text.
    """

    selector: str
    name: str
    options: str = field(repr=False)


def form_tool(
    selector: str,
    *,
    name: str,
    description: str,
    title: str | None = None,
    submit: Submit = "person",
    read_only: bool = False,
    untrusted_content: bool = False,
    consequential: bool = False,
    debugging: bool = False,
) -> FormTool:
    """Have the page make a tool of its form, where a global name of the app's module keeps what is returned.

    It is registered while a form that the selector fits is in the document, with the controls that it has
    then. A call fills them in as a person would; what they cannot take is ``INVALID_TOOL_ARGS``.

    Args:
        selector: Such as ``"#contact"``; of several forms it is the first.
        name: 1 to 128 of ``A-Za-z0-9_.-``.
        description: What an agent chooses it by.
        title: A short name for people.
        submit: "person": a call fills the form in, and the person in front of the page submits it; "agent":
            a call submits it, too.
        read_only: Submitting it changes nothing, as of a search.
        untrusted_content: The page's answers hold text that strangers wrote.
        consequential: Submitting it does something that matters outside of the page, such as paying.
        debugging: It is meant for developers.

    Raises:
        ToolDefinitionError: The declaration breaks a rule, which the message names with its cure.
    """
    checked = rules.check_name(name, "form_tool")
    _check_selector(checked, selector)
    if submit not in get_args(Submit):
        raise ToolDefinitionError(f'Tool {checked!r}: submit={submit!r} must be "person" or "agent".')
    options = {
        "name": checked,
        "description": rules.check_text(
            description, "description", checked, "Agents choose by it: write one."
        ),
        "title": None
        if title is None
        else rules.check_text(title, "title", checked, "Drop title= or fill it."),
        "annotations": annotations_of(
            checked,
            read_only=read_only,
            untrusted_content=untrusted_content,
            consequential=consequential,
            debugging=debugging,
        ),
        "submit": submit,
    }
    making.made()
    given = {key: value for key, value in options.items() if value}
    return FormTool(selector, checked, json.dumps(given, ensure_ascii=False))


def _check_selector(name: str, selector: object) -> None:
    """Refuse what cannot be one; the page's browser says the rest."""
    if not isinstance(selector, str) or not selector.strip():
        raise ToolDefinitionError(f'Tool {name!r}: {selector!r} is no selector of a form such as "#contact".')
