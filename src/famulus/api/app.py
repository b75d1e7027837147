"""The HTTP application: all routes behind the one door."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, FastAPI
from starlette.types import ASGIApp

from famulus import __version__
from famulus.api import (
    conversations,
    documents,
    facts,
    knowledge_bases,
    problems,
    runs,
    search,
    session,
    socket,
    sources,
    status,
    web,
)
from famulus.api.door import Door
from famulus.api.metrics import Metrics
from famulus.api.runs import EventView
from famulus.api.shapes import Page
from famulus.api.uploads import Uploads
from famulus.app.famulus import Famulus
from famulus.app.upkeep import UPLOADS
from famulus.config import Settings

ROUTERS: tuple[APIRouter, ...] = (
    status.router,
    session.router,
    knowledge_bases.router,
    documents.router,
    facts.router,
    search.router,
    conversations.router,
    runs.router,
    sources.router,
    socket.router,
    web.router,
)


def create_app(famulus: Famulus, settings: Settings) -> ASGIApp:
    """The application that a server runs. Opening and closing `famulus` is the caller's."""
    metrics = Metrics()
    app = create_routes()
    app.state.famulus = famulus
    app.state.settings = settings
    app.state.metrics = metrics
    app.state.uploads = Uploads(settings.data / UPLOADS, settings.limits)
    app.router.default = web.Page()
    return Door(app, famulus.accounts, settings.server.allowed_hosts, settings.limits, metrics)


def create_routes() -> FastAPI:
    """The routes and their OpenAPI document, without anything behind them."""
    app = _Api(
        title="Famulus",
        version=__version__,
        summary="A self-hosted knowledge agent.",
        description=socket.DESCRIPTION,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        # An address has one form; a redirect would lose the body of a POST.
        redirect_slashes=False,
    )
    problems.install(app)
    for router in ROUTERS:
        app.include_router(router)
    return app


class _Api(FastAPI):
    """Adds to the OpenAPI document what the framework cannot know: the media type of errors, the shape of stream events."""

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            document = super().openapi()
            schemas = document["components"]["schemas"]
            page = Page[EventView].model_json_schema(ref_template="#/components/schemas/{model}")
            schemas.update(page.pop("$defs"))
            schemas["Page_EventView_"] = page
            for unused in ("HTTPValidationError", "ValidationError"):
                schemas.pop(unused, None)
            for operations in document["paths"].values():
                for operation in operations.values():
                    operation["summary"] = operation["operationId"].replace("_", " ").capitalize()
                    _mark_problems(operation["responses"])
        return super().openapi()


def _mark_problems(responses: dict[str, Any]) -> None:
    schema = {"$ref": "#/components/schemas/Problem"}
    for code, response in responses.items():
        if code.startswith(("4", "5")):
            response["content"] = {"application/problem+json": {"schema": schema}}
