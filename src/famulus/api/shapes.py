"""What all requests and answers share: strict fields, clean text, pages of lists, and how a route gets its caller."""

from __future__ import annotations

import base64
import binascii
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Generic, TypeVar, cast

from fastapi import Depends, Query, Security
from fastapi.security import APIKeyCookie, HTTPBearer
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from starlette.requests import HTTPConnection

from famulus.api.door import COOKIE, PRINCIPAL
from famulus.api.problems import Problem
from famulus.app.famulus import Famulus
from famulus.errors import Invalid, Unauthenticated
from famulus.messages.values import Principal
from famulus.text.query import MAX_QUERY_CHARACTERS

T = TypeVar("T")


def _clean(text: str) -> str:
    """NFC without NUL, which no PostgreSQL text can hold."""
    return unicodedata.normalize("NFC", text.replace("\x00", " "))


def _time(value: object) -> object:
    if isinstance(value, str):
        try:
            parsed = datetime.fromisoformat(value)
        except ValueError:
            raise ValueError("must be a time like 2026-03-31T12:00:00Z") from None
        return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    raise ValueError("must be a time like 2026-03-31T12:00:00Z")


def _asked(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank; write what to look for")
    return text


CleanText = Annotated[str, AfterValidator(_clean)]
QueryText = Annotated[CleanText, Field(min_length=1, max_length=MAX_QUERY_CHARACTERS), AfterValidator(_asked)]
Name = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_clean)]
Id = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_clean)]
Time = Annotated[
    datetime,
    BeforeValidator(_time, json_schema_input_type=Annotated[str, Field(json_schema_extra={"format": "date-time"})]),
]
Ids = Annotated[list[Id], Field(max_length=64)]


class Body(BaseModel):
    """A request body: types are taken literally, unknown fields are refused."""

    model_config = ConfigDict(strict=True, extra="forbid")


class View(BaseModel):
    """An answer, made from the value of a room."""

    # Built at the first answer of its kind: a start makes none of them. Bodies are built at once; FastAPI gives each an alias, which must meet a model.
    model_config = ConfigDict(from_attributes=True, defer_build=True)


class Page(BaseModel, Generic[T]):
    """A part of a list; `next_cursor` is null at its end."""

    items: list[T]
    next_cursor: str | None = None


Limit = Annotated[int, Query(ge=1, le=200, description="Most items of this page.")]
CursorParameter = Annotated[str | None, Query(max_length=500, description="`next_cursor` of the page before.")]


def encode_cursor(position: str) -> str:
    return base64.urlsafe_b64encode(position.encode()).decode().rstrip("=")


def decode_cursor(cursor: str | None) -> str:
    """The position behind which the page begins; "" is the beginning. Raises Invalid."""
    if not cursor:
        return ""
    try:
        position = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, ValueError):
        raise Invalid("The cursor is not one that this server gave; begin again without it.") from None
    if "\x00" in position:
        raise Invalid("The cursor is not one that this server gave; begin again without it.")
    return position


def next_cursor(items: Sequence[Any], limit: int) -> str | None:
    """The cursor behind the last of `items` (which have an `id`), None when the page is not full."""
    return encode_cursor(str(items[-1].id)) if len(items) >= limit else None


_bearer = HTTPBearer(auto_error=False, description="An API token.")
_cookie = APIKeyCookie(name=COOKIE, auto_error=False, description="The session of a browser.")


async def optional_principal(connection: HTTPConnection) -> Principal | None:
    return cast("Principal | None", connection.scope.get(PRINCIPAL))


async def require_principal(
    connection: HTTPConnection,
    _bearer: Annotated[object, Security(_bearer)],
    _cookie: Annotated[object, Security(_cookie)],
) -> Principal:
    principal = cast("Principal | None", connection.scope.get(PRINCIPAL))
    if principal is None:
        raise Unauthenticated("Sign in, or send `Authorization: Bearer TOKEN`.")
    return principal


async def get_famulus(connection: HTTPConnection) -> Famulus:
    return cast("Famulus", connection.app.state.famulus)


Caller = Annotated[Principal, Depends(require_principal)]
MaybeCaller = Annotated["Principal | None", Depends(optional_principal)]
App = Annotated[Famulus, Depends(get_famulus)]


def _describe(*codes: int) -> dict[int | str, dict[str, Any]]:
    texts = {
        400: "The request cannot be read",
        401: "No valid credential",
        403: "Refused",
        404: "Absent, or not visible to the caller",
        408: "The body came too slowly",
        409: "The state forbids it now",
        413: "Too large",
        415: "A form of body that is not taken",
        421: "A host name that this server does not answer under",
        422: "A value is wrong",
        429: "Too many at once",
        500: "A fault of the server",
        502: "A model failed",
        503: "The store is not available",
    }
    return {code: {"description": texts[code], "model": Problem} for code in codes}


# What any private route may answer besides its own success.
COMMON = _describe(400, 401, 403, 404, 413, 421, 422, 500, 503)
CONFLICT = _describe(409)
FAILED = _describe(502)
UPLOAD = _describe(408, 415, 429)
