"""Routes of signing in and out, and who one is."""

from __future__ import annotations

from typing import Annotated, Literal, cast

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import Field

from famulus.api.door import COOKIE
from famulus.api.shapes import COMMON, App, Body, Caller, View
from famulus.config import Settings
from famulus.errors import Unauthenticated

router = APIRouter(tags=["session"], responses=COMMON)


class NewSession(Body):
    token: Annotated[str, Field(min_length=1, max_length=500, description="An API token.")]


class UserView(View):
    id: str
    name: str


class MeView(View):
    user: UserView
    tenant: str
    role: Literal["admin", "member"]


@router.get("/api/v1/me", operation_id="get_me")
async def me(famulus: App, caller: Caller) -> MeView:
    """Who the caller is."""
    account = await famulus.accounts.account(caller)
    return MeView(user=UserView(id=account.id, name=account.name), tenant=account.tenant, role=account.role)


@router.post("/api/v1/session", status_code=204, operation_id="create_session")
async def sign_in(body: NewSession, request: Request, famulus: App) -> Response:
    """Sign this browser in with an API token."""
    secret = await famulus.accounts.open_session(body.token)
    return _with_cookie(Response(status_code=204), secret, request)


@router.delete("/api/v1/session", status_code=204, operation_id="delete_session")
async def sign_out(request: Request, famulus: App) -> Response:
    """Sign this browser out; its session ends at once."""
    secret = request.cookies.get(COOKIE)
    if secret:
        await famulus.accounts.close_session(secret)
    response = Response(status_code=204)
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    return response


@router.get(
    "/signin",
    status_code=303,
    operation_id="redeem_signin_link",
    response_class=RedirectResponse,
    responses={303: {"description": "Signed in; the page follows"}},
)
async def signin(request: Request, famulus: App, token: Annotated[str, Query(max_length=500)]) -> Response:
    """Open a sign-in link. It works once; a browser that is signed in already is simply led to the page."""
    try:
        secret = await famulus.accounts.redeem_signin(token)
    except Unauthenticated:
        return RedirectResponse("/?signin=expired", status_code=303)
    return _with_cookie(RedirectResponse("/", status_code=303), secret, request)


def _with_cookie(response: Response, secret: str, request: Request) -> Response:
    server = cast("Settings", request.app.state.settings).server
    response.set_cookie(
        COOKIE,
        secret,
        max_age=server.session_days * 86_400,
        path="/",
        httponly=True,
        samesite="strict",
        secure=server.secure_cookies,
    )
    return response
