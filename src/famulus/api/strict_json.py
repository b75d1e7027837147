"""JSON as this server takes it: bounded depth, no key twice, no NaN, no lone surrogates. What it refuses, other parsers read differently."""

from __future__ import annotations

import json
from typing import NoReturn

from pydantic_core import from_json

from famulus.errors import Invalid


class BadJson(Invalid):
    """The body is not JSON that has one meaning."""

    code = "bad_json"


def check_json(body: bytes) -> None:
    """Raises BadJson unless `body` is one unambiguous JSON value, at most about 200 levels deep."""
    try:
        # The native parser goes first: it bounds the depth and refuses lone surrogates, at little cost.
        from_json(body, allow_inf_nan=False, cache_strings="none")
        json.loads(body, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except BadJson:
        raise
    except (ValueError, RecursionError) as error:
        raise BadJson(f"The body is not valid JSON: {str(error)[:200]}.") from None


def _unique(pairs: list[tuple[str, object]]) -> None:
    if len({key for key, _ in pairs}) == len(pairs):
        return
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise BadJson(f"The body has the key {key[:100]!r} twice in one object; send it once.")
        seen.add(key)


def _refuse_constant(name: str) -> NoReturn:
    raise BadJson(f"The body has {name}, which is not JSON.")
