"""The list of models of an OpenAI-compatible server, with what some of them tell about each. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from famulus.models.base import ToolSupport
from famulus.models.providers.wire import Listed, as_count, as_list, as_object, as_text, parse

# Names under which servers tell the window: vLLM, OpenRouter and Together, Groq, LM Studio, Mistral.
WINDOWS = ("max_model_len", "context_length", "context_window", "max_context_length", "loaded_context_length")
NOT_CHAT = ("embed", "whisper", "tts-", "dall-e", "moderation", "rerank", "text-embedding", "gpt-image", "sora")


def listed(body: bytes) -> list[Listed]:
    found: list[Listed] = []
    value = parse(body)
    for entry in as_list(as_object(value).get("data")) or as_list(value):
        one = as_object(entry)
        name = as_text(one.get("id")) or as_text(one.get("name"))
        if name and not any(part in name.lower() for part in NOT_CHAT):
            found.append(Listed(name, tools_of(one), window_of(one), as_count(one.get("max_completion_tokens"))))
    return found


def window_of(one: Mapping[str, object]) -> int | None:
    meta = as_object(one.get("meta"))  # llama.cpp: the size it runs with, else the one it was trained with
    told = [one.get(name) for name in WINDOWS] + [meta.get("n_ctx"), meta.get("n_ctx_train")]
    return next((count for count in map(as_count, told) if count), None)


def tools_of(one: Mapping[str, object]) -> ToolSupport:
    capabilities = as_object(one.get("capabilities"))
    if "function_calling" in capabilities:
        return bool(capabilities["function_calling"])
    if "supported_parameters" in one:
        return "tools" in as_list(one["supported_parameters"])
    return None
