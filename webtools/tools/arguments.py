"""The parameters of a handler: the schema that an agent reads and the model that judges its input."""

from __future__ import annotations

import functools
import inspect
import json
import warnings
from collections.abc import Callable, Mapping
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError, WithJsonSchema, create_model
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticUndefinedAnnotation
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema, PydanticJsonSchemaWarning
from pydantic_core import ErrorDetails, SchemaError, SchemaValidator

from webtools._exceptions import InvalidArguments, ToolDefinitionError
from webtools.tools import problems
from webtools.tools.core_schemas import CoreNode
from webtools.tools.definition import JsonObject
from webtools.tools.encoding import clean
from webtools.tools.injected import Injected
from webtools.tools.nesting import is_too_deep
from webtools.tools.nullable import with_nulls
from webtools.tools.schema import lower
from webtools.tools.wants import ref_text

Parameters = Mapping[str, inspect.Parameter]

UNREADABLE = ("json_invalid", "string_unicode")
"""Pydantic's error types for an input that its JSON parser refuses."""


class Arguments:
    """What one tool takes.

    The model's fields have neutral names and carry the parameters' names as aliases, so that a parameter may
    be called ``schema`` or ``model_config`` without meeting a name of pydantic's.

    Args:
        tool: Its name, for messages.
        parameters: What an agent fills in, from `parameters_of`.
        texts: What the docstring says of them.
        module: Where the handler was written; annotations in quotes are looked up there.
        wants: Of which kind an artifact is whose ref a parameter takes; any value passes, a step judges it.

    Attributes:
        schema: The lowered JSON Schema, for the definition.
        defaults: Of the parameters that have one.
    """

    def __init__(
        self,
        tool: str,
        parameters: Parameters,
        texts: Mapping[str, str],
        module: str,
        wants: Mapping[str, str] | None = None,
    ) -> None:
        self._tool = tool
        self._wants = wants or {}
        self._fields = {name: f"p{index}" for index, name in enumerate(parameters)}
        self.defaults = {
            name: each.default for name, each in parameters.items() if each.default is not each.empty
        }
        declared = {
            self._fields[name]: (each.annotation, _field(tool, each, texts.get(name)))
            for name, each in parameters.items()
        }
        for name, kind in self._wants.items():
            declared[self._fields[name]] = _ref(declared[self._fields[name]][1], parameters[name], kind)
        core, schema = _built(tool, declared, module)
        self.schema = self._demanding(lower(schema, tool=tool))
        # pydantic's ready validators of the models inside would demand what with_nulls made optional
        self._validator = SchemaValidator(core, _use_prebuilt=False)

    def accept(self, text: str) -> dict[str, Any]:
        """Return the keyword arguments for the handler; what the input leaves out is left to its defaults.

        Args:
            text: The input as JSON text. Texts inside it are never parsed again.

        Raises:
            InvalidArguments: The input does not fit; its message tells the agent where and why.
        """
        try:
            accepted = self._validator.validate_json(text)
        except ValidationError as error:
            accepted = self._again(text, error)
        given = accepted.model_fields_set
        return {
            name: getattr(accepted, field)
            for name, field in self._fields.items()
            if (field in given or name not in self.defaults)
            and (name not in self._wants or self._is_ref(name, field in given, getattr(accepted, field)))
        }

    def _is_ref(self, name: str, is_given: bool, value: object) -> bool:
        return is_given and not (value is None and name in self.defaults)

    def _demanding(self, schema: JsonObject) -> JsonObject:
        """Say of refs, too, that they are required; that one is missing is for their step to tell."""
        demanded = [name for name in self._fields if name in self._wants and name not in self.defaults]
        if not demanded:
            return schema
        required = {*schema.get("required", ()), *demanded}
        return {**schema, "required": [name for name in self._fields if name in required]}

    def _again(self, text: str, error: ValidationError) -> BaseModel:
        """Accept an input that only a lone surrogate spoiled; explain any other."""
        if is_too_deep(text):
            raise self._refusal(problems.too_deep()) from None
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise self._refusal(problems.not_json(text)) from None
        if not isinstance(data, dict):
            raise self._refusal(problems.not_an_object(data)) from None
        if not _is_unreadable(error):
            raise self._refusal(problems.problems(_errors(error), self.schema, data)) from None
        return self._cleaned(clean(json.dumps(data, ensure_ascii=False)))

    def _cleaned(self, text: str) -> BaseModel:
        try:
            accepted: BaseModel = self._validator.validate_json(text)
        except ValidationError as error:
            if _is_unreadable(error):
                raise self._refusal(problems.not_json(text)) from None
            raise self._refusal(problems.problems(_errors(error), self.schema, json.loads(text))) from None
        return accepted

    def _refusal(self, found: list[dict[str, str]]) -> InvalidArguments:
        return InvalidArguments(problems.message(self._tool, found), found[: problems.MAX_LINES])


def parameters_of(handler: Callable[..., Any], tool: str) -> tuple[dict[str, inspect.Parameter], str | None]:
    """Return the parameters that an agent fills in, annotations resolved, and the one of the `ToolContext`.

    What a ``functools.partial`` has fixed is not offered.

    Raises:
        ToolDefinitionError: A parameter cannot be given by name, or its annotation is missing or unreadable.
    """
    try:
        signature = inspect.signature(handler, eval_str=True)
    except NameError as error:
        raise _undefined(tool, error) from error
    except Exception as error:  # an annotation in quotes is any expression
        raise ToolDefinitionError(f"Tool {tool!r}: its signature cannot be read ({error}).") from error
    fixed = handler.keywords if isinstance(handler, functools.partial) else {}
    offered = {name: each for name, each in signature.parameters.items() if name not in fixed}
    injected = [name for name, each in offered.items() if _is_injected(each.annotation)]
    if len(injected) > 1:
        raise ToolDefinitionError(
            f"Tool {tool!r}: {' and '.join(injected)} ask for the same. Keep one of them."
        )
    for each in offered.values():
        _check_parameter(each, tool)
    context = injected[0] if injected else None
    return {name: each for name, each in offered.items() if name != context}, context


def _is_injected(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, Injected)


def _check_parameter(parameter: inspect.Parameter, tool: str) -> None:
    name = parameter.name
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        stars = "*" if parameter.kind is parameter.VAR_POSITIONAL else "**"
        raise ToolDefinitionError(
            f"Tool {tool!r}: {stars}{name} cannot be described to an agent. "
            f"Name each parameter, or take one list or one dict."
        )
    if parameter.kind is parameter.POSITIONAL_ONLY:
        raise ToolDefinitionError(
            f"Tool {tool!r}: {name} is positional-only, and an agent gives arguments by name. Drop the '/'."
        )
    if parameter.annotation is parameter.empty:
        bound = "Decorate the bound method instead: tool(instance.method)."
        cure = bound if name in ("self", "cls") else f"Write {name}: str, for instance."
        raise ToolDefinitionError(f"Tool {tool!r}: parameter {name} has no annotation. {cure}")
    if isinstance(parameter.default, FieldInfo):
        raise ToolDefinitionError(
            f"Tool {tool!r}: parameter {name} has Field(...) as its default, which a plain call would get. "
            f"Write {name}: Annotated[..., Field(...)], and the default behind it."
        )


def _built(tool: str, declared: dict[str, Any], module: str) -> tuple[CoreNode, dict[str, Any]]:
    """Return the core schema and the JSON Schema of the parameters, or blame the first that has none."""
    try:
        return _schemas(declared, module)
    except PydanticUndefinedAnnotation as error:
        raise _undefined(tool, error) from error
    except Exception as error:  # an annotation's own code may raise anything
        for one, (annotation, field) in declared.items():
            _check_alone(tool, {one: (annotation, field)}, module)
        raise ToolDefinitionError(
            f"Tool {tool!r}: its parameters make no schema. ({_first(error)})"
        ) from error


def _check_alone(tool: str, declared: dict[str, Any], module: str) -> None:
    ((annotation, field),) = declared.values()
    try:
        _schemas(declared, module)
    except Exception as error:  # as in _built
        raise ToolDefinitionError(
            f"Tool {tool!r}: parameter {field.alias} is annotated {_name(annotation)}, which an agent cannot "
            f"send as JSON. Use plain types, dataclasses or pydantic models. ({_first(error)})"
        ) from error


def _schemas(declared: dict[str, Any], module: str) -> tuple[CoreNode, dict[str, Any]]:
    model: type[BaseModel] = create_model(
        "Arguments", __config__=ConfigDict(extra="forbid"), __module__=module, **declared
    )
    model.model_rebuild()  # raises where a name is not defined
    if model.model_fields.keys() != declared.keys():
        raise TypeError("ClassVar and Final say something of a class, not of a parameter")
    core = with_nulls(model.__pydantic_core_schema__)  # type: ignore[arg-type]  # TypedDicts of pydantic's
    with warnings.catch_warnings():
        # a default that JSON cannot hold is left out of the schema; Python's own default stands
        warnings.simplefilter("ignore", PydanticJsonSchemaWarning)
        return core, _JsonSchema().generate(core)


class _JsonSchema(GenerateJsonSchema):
    """Refuses what pydantic describes although no JSON fits it, or although it would be judged too late."""

    def generator_schema(self, schema: Any) -> Any:  # noqa: ARG002  # pydantic's signature
        raise PydanticInvalidForJsonSchema("an iterable is judged while the handler runs; take a list")

    def is_subclass_schema(self, schema: Any) -> Any:  # noqa: ARG002  # pydantic's signature
        raise PydanticInvalidForJsonSchema("a class is no data")


def _undefined(tool: str, error: NameError) -> ToolDefinitionError:
    return ToolDefinitionError(
        f"Tool {tool!r}: an annotation uses the name {error.name!r}, which is not defined in its module. "
        f"Define or import it at the top of the module, outside of functions and of `if TYPE_CHECKING`."
    )


def _field(tool: str, parameter: inspect.Parameter, text: str | None) -> Any:
    known = _declared(parameter.annotation)
    if any(each.alias or each.validation_alias for each in known):
        raise ToolDefinitionError(
            f"Tool {tool!r}: parameter {parameter.name} has an alias, so agent and handler would use two "
            f"names. Rename the parameter instead."
        )
    options: dict[str, Any] = {"alias": parameter.name}
    if parameter.default is not parameter.empty:
        options["default"] = parameter.default
    if text and not any(each.description for each in known):
        options["description"] = text
    return Field(**options)


def _ref(field: FieldInfo, parameter: inspect.Parameter, kind: str) -> tuple[Any, Any]:
    """The field of a parameter that takes an artifact's ref."""
    texts = [each.description for each in (*_declared(parameter.annotation), field) if each.description]
    schema = {"type": "string", "description": ref_text(kind, texts[0] if texts else None)}
    return Annotated[Any, WithJsonSchema(schema)], Field(alias=field.alias, default=None)


def _declared(annotation: Any) -> list[FieldInfo]:
    """The Field(…)'s of an Annotated[…]."""
    if get_origin(annotation) is not Annotated:
        return []
    return [each for each in get_args(annotation)[1:] if isinstance(each, FieldInfo)]


def _errors(error: ValidationError) -> list[ErrorDetails]:
    return error.errors(include_url=False, include_input=False)


def _is_unreadable(error: ValidationError) -> bool:
    first = _errors(error)[0]
    return first["type"] in UNREADABLE and not first["loc"]


def _name(annotation: Any) -> str:
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def _first(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    # the reason stands last where pydantic-core nests it
    return lines[-1 if isinstance(error, SchemaError) else 0].strip() if lines else type(error).__name__
