"""What Ollama tells about its models: `/api/tags` and `/api/show`. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from famulus.models.providers.wire import Listed, as_count, as_list, as_object, as_text, parse

# A window this large fits beside a small model on an ordinary machine; a larger one is the administrator's choice.
DEFAULT_CAP = 32_768


@dataclass(frozen=True, slots=True)
class Shown:
    """`context_length` is what the model was trained with, not what the server runs it with."""

    tools: bool | None
    context_length: int | None
    embeds: bool


def listed(body: bytes) -> list[Listed]:
    entries = [as_object(entry) for entry in as_list(as_object(parse(body)).get("models"))]
    names = [as_text(one.get("model")) or as_text(one.get("name")) for one in entries]
    return [Listed(name) for name in names if name]


def shown(body: bytes) -> Shown:
    value = as_object(parse(body))
    capabilities = as_list(value.get("capabilities"))
    info = as_object(value.get("model_info"))
    length = as_count(info.get(f"{as_text(info.get('general.architecture'))}.context_length"))
    tools = "tools" in capabilities if capabilities else None
    return Shown(tools, length, embeds="embedding" in capabilities and "completion" not in capabilities)
