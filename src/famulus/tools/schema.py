"""Turns a typed coroutine into a `Tool`: its JSON Schema comes from the signature, its texts from the docstring.

    async def get_chunk(context: ToolContext, chunk_id: Annotated[str, Length(1, 200)]) -> ToolOutput:
        \"\"\"The whole text of one passage.

        Args:
            chunk_id: Id of the passage, from a search hit.
        \"\"\"

The first parameter is the `ToolContext`; the model never sees it. `X | None = None` is an argument that may be left out.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, cast, get_args, get_origin, get_type_hints

from famulus.errors import ToolError
from famulus.messages.values import JsonObject, JsonValue
from famulus.models.base import ToolSchema
from famulus.tools.base import Effect, Tool, ToolContext, ToolOutput

_SCALARS: Final[dict[object, str]] = {str: "string", int: "integer", float: "number", bool: "boolean"}
_ARGUMENT_LINE: Final = re.compile(r"^\s{4,}(\w+): (.+)$")


@dataclass(frozen=True, slots=True)
class Range:
    """Inclusive bounds of a number."""

    lowest: float
    highest: float | None = None


@dataclass(frozen=True, slots=True)
class Length:
    """Inclusive bounds of a text's characters or a list's items."""

    shortest: int
    longest: int


def tool(
    function: Callable[..., Awaitable[ToolOutput]],
    *,
    effect: Effect = "read",
    network: bool = False,
    toolbox: str = "knowledge",
    timeout_s: float = 30.0,
    trusted: bool = False,
) -> Tool:
    """The tool of this coroutine, under the coroutine's name. Raises `TypeError` for a signature that has no JSON form."""

    async def handler(context: ToolContext, arguments: JsonObject) -> ToolOutput:
        return await function(context, **arguments)

    return Tool(
        schema=schema_of(function),
        handler=handler,
        effect=effect,
        network=network,
        toolbox=toolbox,
        timeout_s=timeout_s,
        trusted=trusted,
    )


def schema_of(function: Callable[..., object]) -> ToolSchema:
    """Name, description and parameters of a coroutine. Raises `TypeError` where a parameter has no type with a JSON form."""
    description, texts = _split_docstring(inspect.getdoc(function) or "")
    hints = get_type_hints(function, include_extras=True)
    properties: JsonObject = {}
    required: list[JsonValue] = []
    for name, parameter in list(inspect.signature(function).parameters.items())[1:]:
        if name not in hints:
            raise TypeError(f"Parameter {name!r} of tool {function.__name__!r} has no type; annotate it.")
        entry = _type_schema(hints[name], f"{function.__name__}.{name}")
        if name in texts:
            entry["description"] = texts[name]
        if parameter.default is inspect.Parameter.empty:
            required.append(name)
        elif parameter.default is not None:
            entry["default"] = cast(JsonValue, parameter.default)
        properties[name] = entry
    parameters: JsonObject = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        parameters["required"] = required
    return ToolSchema(name=function.__name__, description=description, parameters=parameters)


def _type_schema(annotation: Any, where: str) -> JsonObject:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation in _SCALARS:
        return {"type": _SCALARS[annotation]}
    if origin is Annotated:
        schema = _type_schema(arguments[0], where)
        for bound in arguments[1:]:
            _bind(schema, bound)
        return schema
    if origin is Literal:
        return {"type": "string", "enum": list(arguments)}
    if origin is list:
        return {"type": "array", "items": _type_schema(arguments[0], where)}
    if origin in (Union, UnionType):
        present = [item for item in arguments if item is not NoneType]
        if len(present) == 1:
            return _type_schema(present[0], where)
    raise TypeError(
        f"The type of {where} ({annotation!r}) has no JSON form; use str, int, float, bool, Literal or a list of these."
    )


def _bind(schema: JsonObject, bound: object) -> None:
    if isinstance(bound, Range):
        schema["minimum"] = bound.lowest
        if bound.highest is not None:
            schema["maximum"] = bound.highest
    elif isinstance(bound, Length):
        low, high = ("minItems", "maxItems") if schema["type"] == "array" else ("minLength", "maxLength")
        if bound.shortest:
            schema[low] = bound.shortest
        schema[high] = bound.longest


def _split_docstring(text: str) -> tuple[str, dict[str, str]]:
    head, _, tail = text.partition("\nArgs:\n")
    found = (_ARGUMENT_LINE.match(line) for line in tail.splitlines())
    return " ".join(head.split()), {match.group(1): match.group(2).strip() for match in found if match}


def not_both_missing(what: str, *values: object) -> None:
    """Raises `ToolError` when every value is absent: a rule that a signature cannot say."""
    if all(value is None for value in values):
        raise ToolError(f"Give {what}.")
