"""The scripted Chat Completions server: strict like the real one about roles, tool messages and parameters."""

from __future__ import annotations

import re
from typing import Any

from famulus.testing.model_servers.script import Call, Think, Tokens, cut_text
from famulus.testing.model_servers.wire import (
    Encoder,
    Refusal,
    Served,
    arguments_text,
    fields,
    is_reasoning,
    objects,
    sse,
)

FIELDS = frozenset(
    [
        "model",
        "messages",
        "tools",
        "tool_choice",
        "parallel_tool_calls",
        "temperature",
        "top_p",
        "max_tokens",
        "max_completion_tokens",
        "stream",
        "stream_options",
        "response_format",
        "seed",
        "stop",
        "n",
        "user",
        "presence_penalty",
        "frequency_penalty",
        "logprobs",
        "top_logprobs",
        "logit_bias",
        "reasoning_effort",
        "store",
        "metadata",
        "service_tier",
        "prediction",
        "verbosity",
        "prompt_cache_key",
        "safety_identifier",
    ]
)
TOOL_NAME = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")
INVALID = "invalid_request_error"


def invalid(message: str, param: str | None = None, code: str | None = None) -> Refusal:
    return Refusal(400, message, INVALID, param, code)


class OpenAIWire:
    chat_path = "/v1/chat/completions"
    base_path = "/v1"
    content_type = "text/event-stream; charset=utf-8"

    def check(self, body: dict[str, Any], headers: dict[str, str], served: Served) -> None:
        check_key(headers, served)
        for name in body:
            if name not in FIELDS:
                raise invalid(f"Unknown parameter: '{name}'.", name, "unknown_parameter")
        check_model(body, served)
        check_parameters(body)
        check_tools(body, served)
        check_messages(objects(body.get("messages")))

    def encoder(self, body: dict[str, Any]) -> Encoder:
        with_usage = bool(fields(body.get("stream_options")).get("include_usage"))
        return ChatEncoder(str(body.get("model")), with_usage)

    def refusal(self, refusal: Refusal) -> dict[str, Any]:
        kind = refusal.kind or INVALID
        return {"error": {"message": refusal.message, "type": kind, "param": refusal.param, "code": refusal.code}}

    def model_list(self, served: Served) -> dict[str, Any]:
        data = [{"id": name, "object": "model", "created": 1_700_000_000, "owned_by": "test"} for name in served.models]
        return {"object": "list", "data": data}


def check_key(headers: dict[str, str], served: Served) -> None:
    if served.api_key is not None and headers.get("authorization") != f"Bearer {served.api_key}":
        given = headers.get("authorization", "").removeprefix("Bearer ")
        message = f"Incorrect API key provided: {given}. You can find your API key in your account settings."
        raise Refusal(401, message, INVALID, None, "invalid_api_key")


def check_model(body: dict[str, Any], served: Served) -> None:
    model = body.get("model")
    if not isinstance(model, str):
        raise invalid("you must provide a model parameter")
    if model not in served.models:
        message = f"The model `{model}` does not exist or you do not have access to it."
        raise Refusal(404, message, INVALID, None, "model_not_found")


def check_parameters(body: dict[str, Any]) -> None:
    if is_reasoning(str(body["model"])):
        if "max_tokens" in body:
            text = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
            raise invalid(text, "max_tokens", "unsupported_parameter")
        if body.get("temperature", 1) != 1:
            text = (
                f"Unsupported value: 'temperature' does not support {body['temperature']} with this model. "
                "Only the default (1) value is supported."
            )
            raise invalid(text, "temperature", "unsupported_value")
    if "stream_options" in body and not body.get("stream"):
        raise invalid("The 'stream_options' parameter is only allowed when 'stream' is enabled.", "stream_options")
    response_format = fields(body.get("response_format"))
    if response_format.get("type") == "json_schema" and not fields(response_format.get("json_schema")).get("name"):
        raise invalid(
            "Missing required parameter: 'response_format.json_schema.name'.", "response_format.json_schema.name"
        )


def check_tools(body: dict[str, Any], served: Served) -> None:
    if "tools" not in body:
        if "tool_choice" in body or "parallel_tool_calls" in body:
            raise invalid(
                "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
                "tool_choice",
            )
        return
    tools = objects(body["tools"])
    if not tools:
        raise invalid("[] is too short - 'tools'", "tools")
    if not served.tools:
        raise invalid(f"{body['model']} does not support tools", "tools")
    for i, tool in enumerate(tools):
        function = fields(tool.get("function"))
        if tool.get("type") != "function" or not TOOL_NAME.match(str(function.get("name", ""))):
            message = f"Invalid 'tools[{i}].function.name': string does not match pattern. Expected '^[a-zA-Z0-9_-]+$'."
            raise invalid(message, f"tools[{i}].function.name", "invalid_value")


def check_messages(messages: list[dict[str, Any]]) -> None:
    """Tool messages answer the calls of the assistant message just before them, each exactly once."""
    if not messages:
        raise invalid("[] is too short - 'messages'", "messages")
    open_ids: list[str] = []
    for i, message in enumerate(messages):
        role = message.get("role")
        if role == "tool":
            if message.get("tool_call_id") not in open_ids:
                text = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
                raise invalid(f"Invalid parameter: {text}", f"messages.[{i}].role")
            open_ids.remove(str(message["tool_call_id"]))
            if not isinstance(message.get("content"), str | list):
                raise invalid(
                    f"Invalid type for 'messages[{i}].content': expected a string.", f"messages.[{i}].content"
                )
            continue
        check_answered(open_ids, i)
        if role not in ("system", "developer", "user", "assistant"):
            raise invalid(f"Invalid value: '{role}'.", f"messages[{i}].role", "invalid_value")
        open_ids = check_calls(message, i)
        if message.get("content") is None and not open_ids:
            raise invalid("Invalid value for 'content': expected a string, got null.", f"messages.[{i}].content")
    check_answered(open_ids, len(messages))


def check_calls(message: dict[str, Any], i: int) -> list[str]:
    if "tool_calls" not in message:
        return []
    calls = objects(message["tool_calls"])
    if not calls:
        raise invalid(f"Invalid 'messages[{i}].tool_calls': empty array.", f"messages[{i}].tool_calls")
    for call in calls:
        function = fields(call.get("function"))
        if not isinstance(function.get("arguments"), str) or not call.get("id") or call.get("type") != "function":
            raise invalid(f"Invalid type for 'messages[{i}].tool_calls[0].function.arguments': expected a string.")
    return [str(call["id"]) for call in calls]


def check_answered(open_ids: list[str], i: int) -> None:
    if open_ids:
        text = (
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "
            f"The following tool_call_ids did not have response messages: {', '.join(open_ids)}"
        )
        raise invalid(text, f"messages.[{i}].role")


class ChatEncoder:
    def __init__(self, model: str, with_usage: bool) -> None:
        self.model = model
        self.with_usage = with_usage
        self.calls = 0

    def frame(self, delta: dict[str, Any], finish: str | None = None, **extra: Any) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return sse(self.envelope([choice]) | extra)

    def envelope(self, choices: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 1_700_000_000,
            "model": self.model,
            "choices": choices,
        }

    def start(self) -> list[bytes]:
        return [self.frame({"role": "assistant", "content": ""})]

    def say(self, piece: str) -> list[bytes]:
        return [self.frame({"content": piece})]

    def think(self, thought: Think) -> list[bytes]:
        return [self.frame({"reasoning_content": piece}) for piece in cut_text(thought.text, 2)]

    def call(self, call: Call, call_id: str) -> list[bytes]:
        head = {
            "index": self.calls,
            "id": call_id,
            "type": "function",
            "function": {"name": call.tool, "arguments": ""},
        }
        frames = [self.frame({"tool_calls": [head]})]
        for piece in cut_text(arguments_text(call), call.pieces):
            frames.append(self.frame({"tool_calls": [{"index": self.calls, "function": {"arguments": piece}}]}))
        self.calls += 1
        return frames

    def end(self, finish: str, tokens: Tokens) -> list[bytes]:
        frames = [self.frame({}, finish)]
        if self.with_usage:
            frames.append(sse(self.envelope([]) | {"usage": usage(tokens)}))
        return [*frames, b"data: [DONE]\n\n"]

    def error(self, message: str, kind: str) -> list[bytes]:
        return [sse({"error": {"message": message, "type": kind, "param": None, "code": None}})]


def usage(tokens: Tokens) -> dict[str, Any]:
    return {
        "prompt_tokens": tokens.input,
        "completion_tokens": tokens.output,
        "total_tokens": tokens.input + tokens.output,
        "prompt_tokens_details": {"cached_tokens": tokens.cached},
        "completion_tokens_details": {"reasoning_tokens": tokens.reasoning},
    }
