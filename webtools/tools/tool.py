"""A tool, and the decorator that makes one of a function."""

from __future__ import annotations

import functools
import inspect
import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import CodeType, MethodType
from typing import Any, TypedDict, TypeVar, Unpack, overload

from webtools._exceptions import ToolDefinitionError
from webtools.tools import making, rules
from webtools.tools.annotations import annotations_of
from webtools.tools.arguments import Arguments, parameters_of
from webtools.tools.definition import Definition
from webtools.tools.docstrings import documentation
from webtools.tools.guards import Guards, make_guards
from webtools.tools.known import check_options
from webtools.tools.need import Need
from webtools.tools.owner import Owner
from webtools.tools.returns import Returns
from webtools.tools.showing import Showing, make_showing
from webtools.tools.wants import check_place, check_wants

Handler = TypeVar("Handler", bound=Callable[..., Any])

DEFAULT_TIMEOUT = 60.0
"""Seconds that a call may take. Source: ../shared/spec/lifecycle.md, "The rule"."""

DEFAULT_MAX_CHARS = 100_000
"""Characters of an answer's text. Source: ../shared/spec/tool-context.md, §3."""

_MARK = "__webtool__"
_methods: weakref.WeakKeyDictionary[MethodType, Tool] = weakref.WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Tool:
    """An immutable definition plus a handler.

    Attributes:
        definition: What an agent can see.
        handler: The author's function, called with keyword arguments.
        arguments: Judges the input of a call.
        returns: Judges what the handler returned, where its return type is declared.
        guards: When it may run.
        context_parameter: The parameter that is given the `ToolContext`, where there is one.
        timeout: Seconds after which a call is answered ``TOOL_TIMEOUT``.
        idle_timeout: The same, counted anew from each report of progress.
        max_chars: Characters above which an answer is refused with ``ANSWER_TOO_LONG``.
        is_held_by_others: Whether loading the app leaves it alone.
        match: Patterns of the paths on which the app holds it; none: on every path.
        wants: Of which kind an artifact is whose ref an argument is.
        place: The kind of the artifact that an answer above `max_chars` becomes; None: it is refused.
        showing: Where it is in the page, for the person who watches.
    """

    definition: Definition
    handler: Callable[..., Any]
    arguments: Arguments
    returns: Returns
    guards: Guards
    context_parameter: str | None = None
    timeout: float = DEFAULT_TIMEOUT
    idle_timeout: float | None = None
    max_chars: int = DEFAULT_MAX_CHARS
    is_held_by_others: bool = False
    match: tuple[str, ...] = ()
    wants: Mapping[str, str] = field(default_factory=dict)
    place: str | None = None
    showing: Showing = field(default_factory=Showing)

    @property
    def name(self) -> str:
        """The name that agents call."""
        return self.definition.name

    @property
    def code(self) -> CodeType | None:
        """That of the author's function, where it is one of Python's."""
        core = _core(self.handler)
        function = inspect.unwrap(core) if inspect.isroutine(core) else type(core).__call__
        return getattr(function, "__code__", None)

    def __repr__(self) -> str:
        return f"<Tool {self.name!r} calls {_label(_core(self.handler))}>"


class Options(TypedDict, total=False):
    """The keyword options of `tool`, which says what they mean; `make_tool` has their defaults."""

    name: str | None
    title: str | None
    description: str | None
    read_only: bool
    untrusted_content: bool
    consequential: bool
    debugging: bool
    exposed_to: Iterable[str]
    timeout: float
    idle_timeout: float | None
    serial: bool
    permission: Callable[[Any], object] | None
    version: Callable[[], object] | None
    expected_version: str | None
    active: Callable[[], str | None] | None
    errors: Mapping[str, str] | None
    idempotency: str | bool
    confirm: str | Callable[[Any, dict[str, Any]], str] | None
    owner: Owner | None
    wants: Mapping[str, str] | None
    place: str | bool
    needs: Need | None
    max_chars: int
    target: str | Callable[[dict[str, Any]], str | None] | None
    fields: Mapping[str, str] | None
    fill: Callable[[dict[str, Any]], Mapping[str, Any]] | None
    match: str | Iterable[str] | None
    held: bool


@overload
def tool(handler: None = None, /, **options: Unpack[Options]) -> Callable[[Handler], Handler]: ...
@overload
def tool(handler: Handler, /, **options: Unpack[Options]) -> Handler: ...
def tool(handler: Any = None, /, **options: Any) -> Any:  # noqa: D417  # Args lists the options one by one
    """Make a tool of a function, a bound method, a ``functools.partial`` or a callable object.

    What is decorated is returned as it was, still callable. Its signature becomes the input schema, its
    docstring the description; parameter texts come from ``Annotated[…, Field(description=…)]`` or from the
    docstring's Args. A tool that a global name of the app's module holds is registered for the page's life.

    Args:
        handler: What a call runs, sync or async; the decorator may also be used with options only.
        name: 1 to 128 of ``A-Za-z0-9_.-``; default: the function's name.
        title: A short name for people.
        description: Default: the docstring without its sections.
        read_only: The tool changes nothing.
        untrusted_content: Its answers hold text that strangers wrote.
        consequential: It does something that matters outside of the page, such as paying.
        debugging: It is meant for developers.
        exposed_to: Other origins that may see the tool, each exact; never ``*``.
        timeout: Seconds from the call's arrival to ``TOOL_TIMEOUT``.
        idle_timeout: Seconds without a report of progress to ``TOOL_TIMEOUT``; default: `timeout` alone.
        serial: Calls of the tool run one after another.
        permission: Called with the call's `ToolContext` before the input is judged and, where something was
            waited for, again right before the handler. Unless it returns True, the agent reads
            ``NOT_ALLOWED``, and a text that it returns.
        version: Gives the version of what the tool changes.
        expected_version: The argument that says which version the agent has read; another one than `version`
            gives is a ``VERSION_CONFLICT``.
        active: Gives the id of what is open now, None where it is gone: another one than the hold's
            ``resource_id`` is ``RESOURCE_CHANGED``, none ``RESOURCE_DISPOSED``.
        errors: Names of the author's for codes, such as ``{"RESOURCE_CHANGED": "DOCUMENT_CHANGED"}``.
        idempotency: The argument that has a call's key, or True for a key of the call's place in an agent's
            run: a call that is made again with its key is answered as before, and the handler does not run.
        confirm: What the person in front of the page is asked before the handler runs, such as "Pay for the
            order?"; or a function of the `ToolContext` and the accepted arguments, a dict, that gives it.
        owner: An `Ownership`: the tool runs only in the tab that owns it, another one answers ``NOT_OWNER``.
        wants: Arguments that take an artifact's ref, and its kind, such as ``{"image": "picture"}``. The
            handler is given the artifact's data in place of the ref.
        place: An answer above `max_chars` is kept as an artifact, and the agent gets its ref. A text is the
            artifact's kind; True: the kind is the tool's name.
        needs: The credential without which it does not run; the handler finds it in `ToolContext.credential`.
        max_chars: Ceiling of the answer's text, in characters.
        target: The CSS selector of the element that the page's cursor points at while a call runs, or a
            function of the accepted arguments, a dict, that gives one, or None where there is none.
        fields: Arguments, and the CSS selectors of the controls that show their values, such as
            ``{"query": "#search"}``: they are filled visibly before the handler runs.
        fill: A function of the accepted arguments that gives what else is filled in, or in another form, by
            the controls' selectors: ``lambda given: {"#price": f"{given['cents'] / 100:.2f}"}``.
        match: The app holds it only while the page's path fits this pattern, or one of these. ``*`` stands
            for any text, all else for itself, percent-encoded as in ``location.pathname``; a pattern that
            starts with ``#`` is for the hash.
        held: The app does not hold it for the page's life; whoever calls `ToolRegistry.hold` decides.

    Raises:
        ToolDefinitionError: The declaration breaks a rule, which the message names with its cure, or an
            option is unknown.
    """
    if handler is None:
        return functools.partial(_decorate, options=options)
    return _decorate(handler, options)


def tool_of(value: Any) -> Tool | None:
    """The tool that was made of this very object, or None."""
    if isinstance(value, MethodType):
        return _methods.get(value)
    try:
        mark = inspect.getattr_static(value, _MARK, None)
    except TypeError:  # an object with a broken __dict__
        return None
    return mark if isinstance(mark, Tool) and mark.handler is value else None


def _decorate(handler: Handler, options: Mapping[str, Any]) -> Handler:
    check_options(_label(_core(handler)), options, Options.__annotations__)
    made = make_tool(handler, **options)
    making.made()
    if isinstance(handler, MethodType):
        _methods[handler] = made
        return handler
    try:
        object.__setattr__(handler, _MARK, made)
    except (AttributeError, TypeError):
        raise ToolDefinitionError(
            f"Tool {made.name!r}: {type(handler).__name__} objects cannot carry a tool. "
            f"Wrap it in a function."
        ) from None
    return handler


def make_tool(
    handler: Callable[..., Any],
    *,
    name: str | None = None,
    title: str | None = None,
    description: str | None = None,
    read_only: bool = False,
    untrusted_content: bool = False,
    consequential: bool = False,
    debugging: bool = False,
    exposed_to: Iterable[str] = (),
    timeout: float = DEFAULT_TIMEOUT,
    idle_timeout: float | None = None,
    serial: bool = False,
    permission: Callable[[Any], object] | None = None,
    version: Callable[[], object] | None = None,
    expected_version: str | None = None,
    active: Callable[[], str | None] | None = None,
    errors: Mapping[str, str] | None = None,
    idempotency: str | bool = False,
    confirm: str | Callable[[Any, dict[str, Any]], str] | None = None,
    owner: Owner | None = None,
    wants: Mapping[str, str] | None = None,
    place: str | bool = False,
    needs: Need | None = None,
    max_chars: int = DEFAULT_MAX_CHARS,
    target: str | Callable[[dict[str, Any]], str | None] | None = None,
    fields: Mapping[str, str] | None = None,
    fill: Callable[[dict[str, Any]], Mapping[str, Any]] | None = None,
    match: str | Iterable[str] | None = None,
    held: bool = False,
) -> Tool:
    """Build the tool without marking the handler; the options are those of `tool`."""
    core = _core(handler)
    label = _label(core)
    _check_handler(handler, core, label)
    name = rules.check_name(getattr(core, "__name__", None) if name is None else name, label)
    docs = documentation(_docstring(core))
    module = getattr(inspect.unwrap(core), "__module__", None) or __name__
    parameters, context_parameter = parameters_of(handler, name)
    wanted = check_wants(name, wants, parameters)
    arguments = Arguments(name, parameters, docs.parameters, module, wanted)
    showing = make_showing(name, parameters, target=target, fields=fields, fill=fill)
    definition = Definition(
        name=name,
        title=None if title is None else rules.check_text(title, "title", name, "Drop title= or fill it."),
        description=rules.check_text(
            docs.description if description is None else description,
            "description",
            name,
            'Agents choose by it: write a docstring, or @tool(description="...").',
        ),
        input_schema=arguments.schema,
        annotations=annotations_of(
            name,
            read_only=read_only,
            untrusted_content=untrusted_content,
            consequential=consequential,
            debugging=debugging,
        ),
        exposed_to=rules.check_origins(name, exposed_to),
        confirm=True if callable(confirm) else confirm,
        target=showing.defined,
    )
    return Tool(
        definition=definition,
        handler=handler,
        arguments=arguments,
        returns=Returns(handler),
        guards=make_guards(
            name,
            parameters,
            serial=serial,
            permission=permission,
            expected_version=expected_version,
            version=version,
            active=active,
            errors=errors,
            idempotency=idempotency,
            confirm=confirm,
            owner=owner,
            read_only=read_only,
            needs=needs,
        ),
        context_parameter=context_parameter,
        timeout=rules.check_timeout(name, "timeout", timeout),
        idle_timeout=rules.check_idle_timeout(name, idle_timeout, timeout),
        max_chars=rules.check_max_chars(name, max_chars),
        is_held_by_others=rules.check_flag(name, "held", held),
        match=rules.check_match(name, match, is_held=held),
        wants=wanted,
        place=check_place(name, place),
        showing=showing,
    )


def _core(handler: Any) -> Any:
    """What carries the name and the docstring: the function inside partials."""
    while isinstance(handler, functools.partial):
        handler = handler.func
    return handler


def _label(core: Any) -> str:
    return str(getattr(core, "__qualname__", type(core).__name__))


def _check_handler(handler: Any, core: Any, label: str) -> None:
    if not callable(handler) or isinstance(handler, type):
        raise ToolDefinitionError(
            f"{label}: a tool is made of a function or a callable object, and this is none."
        )
    body = core if inspect.isroutine(core) else type(core).__call__
    if inspect.isgeneratorfunction(body) or inspect.isasyncgenfunction(body):
        raise ToolDefinitionError(
            f"{label} yields, and a call has one answer. Collect the items and return a list."
        )


def _docstring(core: Any) -> str | None:
    if inspect.isroutine(core):
        return inspect.getdoc(core)
    call = type(core).__call__
    # getdoc() alone would find what `type` says of calling a class
    return inspect.getdoc(call) if call.__doc__ else inspect.getdoc(type(core))
