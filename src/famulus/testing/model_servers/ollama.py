"""The scripted Ollama server: native `/api/chat`, with its window that drops the oldest messages unless told not to."""

from __future__ import annotations

from typing import Any

from famulus.testing.model_servers.script import Call, Think, Tokens, cut_text
from famulus.testing.model_servers.wire import Encoder, Refusal, Served, dump, estimated_tokens, fields, objects

DEFAULT_WINDOW = 4096


class OllamaWire:
    chat_path = "/api/chat"
    base_path = ""
    content_type = "application/x-ndjson"

    def check(self, body: dict[str, Any], headers: dict[str, str], served: Served) -> None:
        if served.api_key is not None and headers.get("authorization") != f"Bearer {served.api_key}":
            raise Refusal(401, "unauthorized")
        model = str(body.get("model"))
        if model not in served.models:
            raise Refusal(404, f"model '{model}' not found")
        messages = objects(body.get("messages"))
        check_messages(messages)
        if body.get("tools") and not served.tools:
            raise Refusal(400, f"registry.ollama.ai/library/{model} does not support tools")
        if body.get("think") and not served.thinking:
            raise Refusal(400, f'"{model}" does not support thinking')
        self.fit(body, messages)

    def fit(self, body: dict[str, Any], messages: list[dict[str, Any]]) -> None:
        """Applies the window: a 400 with `truncate: false`, else the oldest messages vanish from what the model sees."""
        window = int(fields(body.get("options")).get("num_ctx") or DEFAULT_WINDOW)
        while prompt_tokens(messages, body) > window:
            if body.get("truncate") is False:
                raise Refusal(400, "the prompt is too long: input length exceeds the context length")
            droppable = next((i for i, m in enumerate(messages[:-1]) if m.get("role") != "system"), None)
            if droppable is None:
                break
            del messages[droppable]
        body["messages"] = messages

    def encoder(self, body: dict[str, Any]) -> Encoder:
        return OllamaEncoder(str(body["model"]))

    def refusal(self, refusal: Refusal) -> dict[str, Any]:
        return {"error": refusal.message}

    def model_list(self, served: Served) -> dict[str, Any]:
        return {"models": [{"name": name, "model": name, "size": 1, "digest": "0" * 64} for name in served.models]}

    def show(self, served: Served, body: dict[str, Any]) -> dict[str, Any]:
        name = body.get("model")
        if name not in served.models:
            raise Refusal(404, f"model '{name}' not found")
        capabilities = ["completion"] + ["tools"] * served.tools + ["thinking"] * served.thinking
        info = {"general.architecture": "testarch", "testarch.context_length": served.context_window}
        return {"capabilities": capabilities, "model_info": info, "details": {"family": "testarch"}}


def prompt_tokens(messages: list[dict[str, Any]], body: dict[str, Any]) -> int:
    return estimated_tokens([messages, body.get("tools") or []])


def check_messages(messages: list[dict[str, Any]]) -> None:
    for message in messages:
        if message.get("role") not in ("system", "user", "assistant", "tool"):
            raise Refusal(400, f"invalid role: {message.get('role')}")
        if not isinstance(message.get("content", ""), str):
            raise Refusal(
                400, "json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string"
            )
        for call in objects(message.get("tool_calls") or []):
            if not isinstance(fields(call.get("function")).get("arguments"), dict):
                field = "ChatRequest.messages.tool_calls.function.arguments"
                raise Refusal(
                    400,
                    f"json: cannot unmarshal string into Go struct field {field} of type api.ToolCallFunctionArguments",
                )


class OllamaEncoder:
    def __init__(self, model: str) -> None:
        self.model = model

    def frame(self, message: dict[str, Any], **extra: Any) -> bytes:
        body = {"model": self.model, "created_at": "2026-01-01T00:00:00Z", "message": {"role": "assistant"} | message}
        return dump(body | {"done": False} | extra) + b"\n"

    def start(self) -> list[bytes]:
        return []

    def say(self, piece: str) -> list[bytes]:
        return [self.frame({"content": piece})]

    def think(self, thought: Think) -> list[bytes]:
        return [self.frame({"content": "", "thinking": piece}) for piece in cut_text(thought.text, 2)]

    def call(self, call: Call, call_id: str) -> list[bytes]:
        arguments = dict(call.arguments) if call.raw is None else call.raw
        return [
            self.frame(
                {
                    "content": "",
                    "tool_calls": [{"id": call_id, "function": {"name": call.tool, "arguments": arguments}}],
                }
            )
        ]

    def end(self, finish: str, tokens: Tokens) -> list[bytes]:
        reason = "length" if finish == "length" else "stop"
        counts = {
            "prompt_eval_count": tokens.input,
            "eval_count": tokens.output,
            "total_duration": 1,
            "load_duration": 1,
        }
        return [self.frame({"content": ""}, done=True, done_reason=reason, **counts)]

    def error(self, message: str, kind: str) -> list[bytes]:
        return [dump({"error": message}) + b"\n"]
