"""Errors as RFC 9457 problem documents: the one table from error to HTTP status, and what is logged with the `error_id`.

A problem never holds a stack trace, an input value or a secret; the log has the `error_id` and, for faults of ours, the trace.
"""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Final, cast

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError, ResponseValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from famulus import errors
from famulus.api.bodies import SlowBody, UnsupportedBody
from famulus.api.strict_json import BadJson
from famulus.api.wording import Facts, wording
from famulus.messages.ids import new_id
from famulus.store.errors import StoreUnavailable

logger = logging.getLogger("famulus.api")

MEDIA_TYPE: Final = "application/problem+json"
STATUS: Final[dict[type[errors.FamulusError], int]] = {
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.Invalid: 422,
    errors.TooLarge: 413,
    errors.Unauthenticated: 401,
    errors.Forbidden: 403,
    BadJson: 400,
    SlowBody: 408,
    UnsupportedBody: 415,
    errors.UsageError: 400,
    errors.ToolError: 422,
    errors.ExtractionFailed: 422,
    errors.EgressRefused: 403,
    errors.ModelError: 502,
    StoreUnavailable: 503,
}
_EXTRA: Final = {
    401: {"WWW-Authenticate": "Bearer"},
    408: {"Connection": "close"},
    413: {"Connection": "close"},
    503: {"Retry-After": "2"},
}
# These two fields grant access to the network; a caller that does not send a JSON boolean gets 400, as the contract says.
_STRICT_BOOLEANS: Final = frozenset({"allow_web", "allowWeb"})


class FieldError(BaseModel):
    """One wrong place of a request."""

    location: list[str] = Field(description="Path to the value, beginning with `body`, `query`, `path` or `header`.")
    message: str


class Problem(BaseModel):
    """A problem document (RFC 9457)."""

    model_config = ConfigDict(extra="forbid")

    type: str = Field(description="`urn:famulus:problem:CODE`.")
    title: str
    status: int
    detail: str
    code: str = Field(description="Stable and machine-readable.")
    error_id: str = Field(description="Found in the server's log.")
    errors: list[FieldError] | None = None


def problem(
    status: int,
    detail: str,
    *,
    code: str,
    error_id: str | None = None,
    fields: list[FieldError] | None = None,
    headers: dict[str, str] | None = None,
) -> Response:
    """The response that tells of an error."""
    body: dict[str, object] = {
        "type": f"urn:famulus:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        "error_id": error_id or new_id(),
    }
    if fields is not None:
        body["errors"] = [field.model_dump() for field in fields]
    return Response(msgspec.json.encode(body), status, headers, MEDIA_TYPE)


def status_of(error: errors.FamulusError) -> int:
    """The HTTP status of an error: that of its nearest listed ancestor, else 500."""
    return next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 500)


def from_error(error: errors.FamulusError) -> Response:
    status, error_id = status_of(error), new_id()
    if status >= 500:
        logger.error("request failed", exc_info=error, extra={"error_id": error_id, "code": error.code})
    else:
        logger.info("request refused", extra={"error_id": error_id, "code": error.code, "status": status})
    headers = _EXTRA.get(status)
    detail = (
        errors.told(error)
        if status != 500
        else f"An internal error happened; the server's log has it under {error_id}."
    )
    return problem(status, _printable(detail), code=error.code, error_id=error_id, headers=headers)


def from_fault(error: Exception) -> Response:
    """An error that nobody foresaw: the trace goes to the log, its id to the caller."""
    error_id = new_id()
    logger.error("request failed", exc_info=error, extra={"error_id": error_id, "code": "internal"})
    detail = f"An internal error happened; the server's log has it under {error_id}."
    return problem(500, detail, code="internal", error_id=error_id)


def install(app: FastAPI) -> None:
    """Every error of the app becomes a problem document."""
    app.add_exception_handler(errors.FamulusError, _on_error)
    app.add_exception_handler(RequestValidationError, _on_validation)
    app.add_exception_handler(ResponseValidationError, _on_fault)
    app.add_exception_handler(HTTPException, _on_http)
    # The framework raises it again after this answer; the door knows and stays quiet.
    app.add_exception_handler(Exception, _on_fault)


async def _on_error(_: Request, error: Exception) -> Response:
    return from_error(cast("errors.FamulusError", error))


async def _on_fault(_: Request, error: Exception) -> Response:
    return from_fault(error)


async def _on_http(_: Request, error: Exception) -> Response:
    error = cast("HTTPException", error)
    code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "http_error")
    detail = {404: "There is nothing at this address.", 405: "This address does not take that method."}
    headers = dict(error.headers) if error.headers else None
    return problem(error.status_code, detail.get(error.status_code, str(error.detail)), code=code, headers=headers)


async def _on_validation(_: Request, error: Exception) -> Response:
    found = cast("list[dict[str, object]]", cast("RequestValidationError", error).errors())
    fields = [_field(item) for item in found]
    strict = any(field.location[-1] in _STRICT_BOOLEANS for field in fields)
    detail = "; ".join(f"{'.'.join(field.location)}: {field.message}" for field in fields[:5])
    return problem(400 if strict else 422, _printable(detail), code="invalid", fields=fields[:50])


def _field(item: dict[str, object]) -> FieldError:
    location = cast("tuple[str | int, ...]", item["loc"])
    message = wording(str(item["type"]), str(item["msg"]), cast("Facts", item.get("ctx") or {}))
    return FieldError(location=[_printable(str(part))[:200] for part in location], message=_printable(message)[:500])


def _printable(text: str) -> str:
    """Without lone surrogates, which no JSON document may hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
