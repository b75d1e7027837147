"""Routes about the installation: health, counters, models, tools."""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

from fastapi import APIRouter, Request, Response
from pydantic import Field

from famulus.api import metrics
from famulus.api.shapes import COMMON, App, Body, Caller, CleanText, MaybeCaller, View
from famulus.config import FILE_NAME, Settings

router = APIRouter(responses=COMMON)


class CheckView(View):
    status: Literal["ok", "failed", "off"]
    detail: str = ""


class HealthView(View):
    """`checks` is empty and `settings_file` null unless an administrator asks."""

    status: Literal["ok", "degraded"]
    version: str
    checks: dict[str, CheckView]
    settings_file: str | None = None


class PriceView(View):
    input: float
    output: float
    currency: str
    per_tokens: int


class ModelView(View):
    """`tools` null: the provider does not say. `price` null: unknown, which is not zero."""

    name: str
    provider: str
    kind: str
    local: bool
    tools: bool | Literal["json_schema"] | None
    context_window: int | None
    max_output_tokens: int | None
    price: PriceView | None
    status: Literal["ok", "unavailable"]
    detail: str | None = None


class ModelsAnswer(View):
    items: list[ModelView]
    default: str


class ModelTestBody(Body):
    model: Annotated[CleanText, Field(min_length=1, max_length=300)]


class ModelTestAnswer(View):
    ok: bool
    latency_ms: float
    detail: str | None = None


class ToolView(View):
    name: str
    description: str
    parameters: dict[str, Any]
    toolbox: str
    effect: Literal["read", "write"]
    network: bool


class ToolsAnswer(View):
    items: list[ToolView]


@router.get("/api/v1/health", tags=["status"], operation_id="get_health")
async def health(request: Request, famulus: App, caller: MaybeCaller) -> HealthView:
    """Whether the server works; details only for administrators."""
    found = await famulus.health()
    if caller is None or caller.role != "admin":
        return HealthView(status=found.status, version=found.version, checks={})
    checks = {name: CheckView.model_validate(check) for name, check in found.checks.items()}
    folder = cast("Settings", request.app.state.settings).data
    return HealthView(
        status=found.status, version=found.version, checks=checks, settings_file=str(folder.absolute() / FILE_NAME)
    )


@router.get(
    "/metrics",
    tags=["status"],
    operation_id="get_metrics",
    response_class=Response,
    responses={
        200: {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "Prometheus text format"}
    },
)
async def counters(request: Request, famulus: App, caller: Caller) -> Response:
    """Counters of this process in the Prometheus text format."""
    found = cast("metrics.Metrics", request.app.state.metrics)
    return Response(found.text(await famulus.gauges(caller)), media_type=metrics.MEDIA_TYPE)


@router.get("/api/v1/models", tags=["models"], operation_id="list_models")
async def models(famulus: App, caller: Caller) -> ModelsAnswer:
    """The models that can be used, as their providers describe them."""
    listing = await famulus.models.list(caller)
    return ModelsAnswer(items=[ModelView.model_validate(item) for item in listing.items], default=listing.default)


@router.post("/api/v1/models/test", tags=["models"], operation_id="test_model")
async def test_model(body: ModelTestBody, famulus: App, caller: Caller) -> ModelTestAnswer:
    """Ask a model for one word, to see that it answers."""
    return ModelTestAnswer.model_validate(await famulus.models.test(caller, body.model))


@router.get("/api/v1/tools", tags=["tools"], operation_id="list_tools")
async def tools(famulus: App, caller: Caller) -> ToolsAnswer:
    """The tools that the caller may use."""
    return ToolsAnswer(items=[ToolView.model_validate(item) for item in famulus.tools(caller)])
