"""What to say about a wrong setting: its name, what is wrong, where it came from, and which one was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

Path = tuple[str, ...]


def explain(error: ValidationError, origins: Mapping[Path, str], model: type[BaseModel]) -> str:
    """One line for each wrong setting of `model`. `origins` tells where the value at a path was set."""
    lines: list[str] = []
    for item in error.errors(include_url=False, include_input=False):
        path = tuple(str(part) for part in item["loc"])
        known = [*(path[:n] for n in range(len(path), 0, -1)), *(key for key in origins if key[: len(path)] == path)]
        origin = next((origins[key] for key in known if key in origins), "")
        reason = item["msg"].removeprefix("Value error, ")
        if item["type"] == "extra_forbidden":
            reason = f"is not a setting{meant(path, model)}"
        lines.append(f"{dotted(path)}: {reason}{f' ({origin})' if origin else ''}")
    return "\n".join(lines)


def meant(path: Path, model: type[BaseModel]) -> str:
    """`; did you mean …?` with the nearest name in the same section, else in another one; "" when nothing is near."""
    *section, last = path
    beside = _section(model, tuple(section))
    near = difflib.get_close_matches(last, beside.model_fields, n=1, cutoff=0.7) if beside else []
    if near:
        return f"; did you mean {dotted((*section, near[0]))!r}?"
    names = {dotted(name): name for name in _names(model)}
    elsewhere = [shown for shown, name in names.items() if name[-1] == last and len(name) > 1]
    found = elsewhere or difflib.get_close_matches(dotted(path), names, n=1, cutoff=0.8)
    return f"; did you mean {found[0]!r}?" if found else ""


def dotted(path: Path) -> str:
    """`providers[0].kind`"""
    return "".join(f"[{part}]" if part.isdigit() else f".{part}" for part in path).lstrip(".")


def _section(model: type[BaseModel], path: Path) -> type[BaseModel] | None:
    found: type[BaseModel] | None = model
    for part in path:
        if not part.isdigit() and found is not None:
            field = found.model_fields.get(part)
            found = _inner(field.annotation) if field else None
    return found


def _names(model: type[BaseModel], prefix: Path = ()) -> Iterator[Path]:
    for name, field in model.model_fields.items():
        inner = _inner(field.annotation)
        if inner is None:
            yield (*prefix, name)
        elif get_origin(field.annotation) is not tuple:
            yield from _names(inner, (*prefix, name))


def _inner(annotation: object) -> type[BaseModel] | None:
    """The section that a field holds, alone, optional or as a list."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if get_origin(annotation) in (Union, UnionType, tuple):
        return next((inner for option in get_args(annotation) if (inner := _inner(option))), None)
    return None
