"""What is wrong with a value of a request, in words for whoever sent it: what must be there instead, without a validator's terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

Facts = Mapping[str, object]

_ELSE: Final = "is not a value that can be here; the API's page at /docs shows what can"
_WHOLE: Final = "must be a whole number"
_NUMBER: Final = "must be a number"
_OBJECT: Final = "must be an object with fields"
_YES_NO: Final = "must be true or false"
_TEXT: Final = "must be text"
_TIME: Final = "must be a time like 2026-03-31T12:00:00Z"
# The validator's kind of error → our words. A test holds every kind of error that the API's models can raise to this table.
_FIXED: Final[dict[str, str]] = {
    "missing": "is missing; add it",
    "extra_forbidden": "is an unknown field; remove it or correct its name",
    "string_type": _TEXT,
    "string_unicode": "must be text in UTF-8",
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "int_parsing_size": "is too large a number",
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": "must be a finite number",
    "bool_type": _YES_NO,
    "bool_parsing": _YES_NO,
    "list_type": "must be a list",
    "dict_type": _OBJECT,
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "none_required": "must be null or left out",
    "json_invalid": "is not valid JSON; correct the body",
    "datetime_type": _TIME,
    "datetime_parsing": _TIME,
    "datetime_from_date_parsing": _TIME,
}
_WITH_FACTS: Final[dict[str, Callable[[Facts], str]]] = {
    "string_pattern_mismatch": lambda facts: f"must have the form {facts['pattern']}",
    "string_too_short": lambda facts: _at_least(facts, "character"),
    "string_too_long": lambda facts: f"must have at most {_count(facts['max_length'], 'character')}; shorten it",
    "too_short": lambda facts: _at_least(facts, _part(facts)),
    "too_long": lambda facts: (
        f"must have at most {_count(facts['max_length'], _part(facts))}; "
        f"{'send fewer' if _part(facts) == 'item' else 'shorten it'}"
    ),
    "greater_than": lambda facts: f"must be more than {_figure(facts['gt'])}",
    "greater_than_equal": lambda facts: f"must be at least {_figure(facts['ge'])}",
    "less_than": lambda facts: f"must be less than {_figure(facts['lt'])}",
    "less_than_equal": lambda facts: f"must be at most {_figure(facts['le'])}",
    "literal_error": lambda facts: f"must be {facts['expected']}",
    "enum": lambda facts: f"must be {facts['expected']}",
}


def wording(kind: str, message: str, facts: Facts) -> str:
    """What to say of an error of this kind. `message` counts only where it is our own: a check of ours that failed."""
    if kind in ("value_error", "assertion_error"):
        return message.removeprefix("Value error, ").removeprefix("Assertion failed, ")
    made = _WITH_FACTS.get(kind)
    return made(facts) if made else _FIXED.get(kind, _ELSE)


def _part(facts: Facts) -> str:
    """What the length counts: text that one of our checks has cleaned is of the type `Value` for the validator."""
    return "character" if facts.get("field_type") == "Value" else "item"


def _at_least(facts: Facts, what: str) -> str:
    least = facts["min_length"]
    return "must not be empty" if least == 1 else f"must have at least {_count(least, what)}"


def _count(number: object, what: str) -> str:
    return f"{_figure(number)} {what}{'' if number == 1 else 's'}"


def _figure(number: object) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:g}" if isinstance(number, float) else str(number)
