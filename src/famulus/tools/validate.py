"""Checks and coerces the arguments of a call against the tool's schema: one place for every caller.

The rule, in this order: an argument name that the schema does not have is an error; a `null` for an argument that may be left out counts as
left out; a text is read as a number or boolean only where nothing is lost (`"5"` for an integer, `"0.5"` for a number, `"true"` and
`"false"` for a boolean), a whole float as an integer (`5.0`), and one text as a list of one. Everything else is left as it is and must fit the schema.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Final

from famulus.errors import Invalid, ToolError
from famulus.messages.values import JsonObject, JsonValue
from famulus.policy.limits import DEFAULTS, Limits

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator, ValidationError

_INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,17})?(?:[eE][+-]?[0-9]{1,3})?")
_LARGEST_INTEGER: Final = 2**63
_ERRORS_TOLD: Final = 5
_FEW: Final = 16
_SHORT: Final = 1_000


def check_schema(schema: JsonObject, limits: Limits = DEFAULTS) -> None:
    """Nothing, when a schema is small and refers only to itself. Raises `Invalid` with the reason otherwise.

    The validator would fetch a remote `$ref` and spend long on a huge schema, so neither may reach it.
    """
    _measure(schema, limits.schema_depth, limits.schema_nodes, "The schema")
    if len(json.dumps(schema)) > limits.schema_bytes:
        raise Invalid(f"The schema is larger than {limits.schema_bytes} bytes; shorten it.")
    for key, value in _pairs(schema):
        if key in ("$ref", "$dynamicRef", "$recursiveRef") and not (isinstance(value, str) and value.startswith("#")):
            raise Invalid(f"The schema refers to {str(value)[:80]!r}; only references inside itself (#/…) are allowed.")


def check_size(arguments: JsonObject, limits: Limits = DEFAULTS) -> None:
    """Nothing, when the arguments are small enough to be recorded and are text and finite numbers throughout. Raises `Invalid`."""
    if len(arguments) <= _FEW and all(map(_plain, arguments, arguments.values())):
        return
    _measure(arguments, limits.argument_depth, limits.argument_nodes, "The arguments", limits.argument_bytes)


class ArgumentValidator:
    """The arguments of one tool. The schema is compiled at the first call, so that a start does not pay for unused tools."""

    def __init__(self, tool: str, schema: JsonObject, limits: Limits = DEFAULTS) -> None:
        self._tool = tool
        self._schema = schema
        self._limits = limits
        found = schema.get("properties")
        self._properties: dict[str, JsonObject] = (
            {name: entry for name, entry in found.items() if isinstance(entry, dict)} if isinstance(found, dict) else {}
        )
        required = schema.get("required")
        self._required = [str(name) for name in required] if isinstance(required, list) else []

    def check(self, arguments: JsonObject) -> JsonObject:
        """The coerced arguments. Raises `ToolError` with a text that says what is wrong and what is allowed."""
        self._check_size(arguments)
        self._check_names(arguments)
        coerced: JsonObject = {}
        for name, value in arguments.items():
            if value is None and name not in self._required:
                continue
            coerced[name] = coerce(value, self._properties.get(name, {}))
        if not self._compiled.is_valid(coerced):
            errors = list(self._compiled.iter_errors(coerced))[:_ERRORS_TOLD]
            raise ToolError(f"{self._tool}: {'; '.join(map(_explain, errors))}. {self._usage}")
        return coerced

    @cached_property
    def _compiled(self) -> Draft202012Validator:
        from jsonschema_rs import Draft202012Validator

        check_schema(self._schema, self._limits)
        return Draft202012Validator(self._schema, mask="the value", offline=True)

    @property
    def _usage(self) -> str:
        names = [f"{name} (required)" if name in self._required else name for name in self._properties]
        return f"{self._tool} takes: {', '.join(names) or 'no arguments'}."

    def _check_names(self, arguments: JsonObject) -> None:
        if self._schema.get("additionalProperties") is not False:
            return
        unknown = [name for name in arguments if name not in self._properties]
        if not unknown:
            return
        told = ", ".join(repr(name[:64]) for name in unknown[:_ERRORS_TOLD])
        near = get_close_matches(unknown[0][:64], list(self._properties), n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ToolError(f"Unknown argument {told}; the call was not executed. {self._usage}{hint}")

    def _check_size(self, arguments: JsonObject) -> None:
        try:
            check_size(arguments, self._limits)
        except Invalid as error:
            raise ToolError(f"{error} {self._usage}") from None


def coerce(value: JsonValue, schema: JsonObject) -> JsonValue:
    """The value in the schema's type where that loses nothing, else unchanged."""
    kind = schema.get("type")
    if isinstance(value, str):
        return _coerce_text(value, kind, schema)
    if kind == "integer" and isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if kind == "array" and isinstance(value, list):
        items = schema.get("items")
        return [coerce(item, items) for item in value] if isinstance(items, dict) else value
    return value


def _coerce_text(value: str, kind: JsonValue, schema: JsonObject) -> JsonValue:
    text = value.strip()
    if kind == "integer" and _INTEGER.fullmatch(text):
        return int(text)
    if kind == "number" and _NUMBER.fullmatch(text):
        return int(text) if _INTEGER.fullmatch(text) else float(text)
    if kind == "boolean" and text.lower() in ("true", "false"):
        return text.lower() == "true"
    items = schema.get("items")
    if kind == "array" and isinstance(items, dict) and items.get("type") == "string":
        return [value]
    return value


def _explain(error: ValidationError) -> str:
    path = ".".join(str(part) for part in error.instance_path)[:80]
    return f"{path or 'arguments'}: {error.message[:200]}"


def _measure(value: JsonValue, depth: int, nodes: int, what: str, characters: int | None = None) -> None:
    """Raises `Invalid` for what is too deep, too large, or has no JSON form. Walks without recursion: the input decides the depth."""
    stack: list[tuple[JsonValue, int]] = [(value, 1)]
    seen = size = 0
    while stack:
        item, level = stack.pop()
        seen += 1
        if level > depth or seen > nodes:
            raise Invalid(
                f"{what} are nested too deep or hold too many values (at most {depth} levels, {nodes} values)."
            )
        if isinstance(item, dict):
            stack.extend((child, level + 1) for child in item.values())
            size += sum(map(len, item))
            _check_texts(item, what)
        elif isinstance(item, list):
            stack.extend((child, level + 1) for child in item)
        elif isinstance(item, str):
            size += len(item)
            _check_texts((item,), what)
        else:
            _check_number(item, what)
        if characters is not None and size > characters:
            raise Invalid(f"{what} are longer than {characters} characters.")


def _plain(name: str, value: JsonValue) -> bool:
    """True for what nearly every argument is: a short ASCII text, a small whole number or a boolean. Saves the walk."""
    if isinstance(value, str):
        return len(value) <= _SHORT and value.isascii() and len(name) <= _SHORT and name.isascii()
    return isinstance(value, int) and -_SHORT <= value <= _SHORT and len(name) <= _SHORT and name.isascii()


def _check_texts(texts: Iterable[str], what: str) -> None:
    for text in texts:
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            raise Invalid(f"{what} hold half of a surrogate pair, which is not text.")


def _check_number(value: JsonValue, what: str) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise Invalid(f"{what} hold NaN or Infinity, which are not JSON numbers.")
    if isinstance(value, int) and not -_LARGEST_INTEGER <= value < _LARGEST_INTEGER:
        raise Invalid(f"{what} hold an integer beyond 64 bits.")


def _pairs(value: JsonValue) -> Iterable[tuple[str, JsonValue]]:
    stack: list[JsonValue] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            yield from item.items()
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
