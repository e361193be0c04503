"""Load an app's module and find its tools."""

from __future__ import annotations

import linecache
import re
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urlsplit

from webtools.calls.ownership import Ownership
from webtools.tools.form_tool import FormTool
from webtools.tools.tool import Tool, tool_of

PACKAGES_CURE = (
    "A page has Python's standard library, pydantic and webtools; name another package in data-packages, "
    "or in dependencies"
)
"""The beginning of what to do about a module that is not there."""


class AppProblem(Exception):
    """An app cannot be loaded; the text names file and line, and the cure where one is known."""


def load(url: str, source: str) -> ModuleType:
    """Run an app's source as a module of its own.

    Raises:
        AppProblem: It has a syntax error, or raised when it was run; ``__cause__`` has the traceback.
    """
    name = _module_name(url)
    module = ModuleType(name)
    module.__file__ = url
    linecache.cache[url] = (len(source), None, source.splitlines(keepends=True), url)
    sys.modules[name] = module
    try:
        exec(compile(source, url, "exec", dont_inherit=True), module.__dict__)
    except BaseException as error:  # also SystemExit: an app must not end the interpreter
        sys.modules.pop(name, None)
        file = urlsplit(url).path
        said = explained(
            file,
            error,
            lambda name: file if name == url else None,
            f"{PACKAGES_CURE}. An app of several modules is an archive.",
        )
        raise AppProblem(said) from error
    return module


def explained(file: str, error: BaseException, place: Callable[[str], str | None], cure: str) -> str:
    """Say in one line what an app raised, and where.

    Args:
        file: The app's, for what was raised nowhere in it.
        error: What was raised.
        place: Gives for the name of a source file what an author calls it; None where it is not the app's.
        cure: What to do about a module that is not there.
    """
    said = _said(error)
    if isinstance(error, SyntaxError) and (own := place(error.filename or "")):
        return f"{own}, line {error.lineno}: {said}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f"{own}, line {frame.lineno}" for frame in frames if (own := place(frame.filename))]
    where = lines[-1] if lines else file
    return f"{where}: {said}. {cure}" if isinstance(error, ModuleNotFoundError) else f"{where}: {said}"


@dataclass(frozen=True)
class Declared:
    """What a module's global names hold for the page, each once, in the order of their definition.

    Attributes:
        ownerships: Those of the tools, too.
    """

    tools: list[Tool]
    forms: list[FormTool]
    ownerships: list[Ownership]

    @property
    def is_some(self) -> bool:
        """Whether there is anything."""
        return bool(self.tools or self.forms or self.ownerships)


def declared_in(names: dict[str, Any]) -> Declared:
    """Find what these global names hold."""
    tools = list(dict.fromkeys(made for value in names.values() if (made := tool_of(value))))
    forms = [each for each in names.values() if isinstance(each, FormTool)]
    declared = (each.guards.owner for each in tools)
    ownerships = [each for each in (*names.values(), *declared) if isinstance(each, Ownership)]
    return Declared(tools, list(dict.fromkeys(forms)), list(dict.fromkeys(ownerships)))


def _module_name(url: str) -> str:
    """The file's name made an identifier that no other module has."""
    stem = unquote(urlsplit(url).path).rpartition("/")[2].removesuffix(".py")
    name = base = re.sub(r"\W|^(?=\d)", "_", stem) or "app"
    number = 1
    while name in sys.modules or name in sys.stdlib_module_names:
        number += 1
        name = f"{base}_{number}"
    return name


def _said(error: BaseException) -> str:
    """The error's type and the first line of its text; the rest is in the traceback."""
    kind = type(error)
    if isinstance(error, SyntaxError):
        return f"{kind.__name__}: {error.msg}"
    text = traceback.format_exception_only(error)[0].removeprefix(f"{kind.__module__}.")
    return text.partition("\n")[0]
