"""The scripted Anthropic Messages server: tool results right after their calls, signed thinking back verbatim, no unknown fields."""

from __future__ import annotations

import re
from typing import Any

from famulus.testing.model_servers.script import Call, Think, Tokens, cut_text
from famulus.testing.model_servers.wire import Encoder, Refusal, Served, arguments_text, fields, objects, sse

FIELDS = frozenset(
    [
        "model",
        "messages",
        "max_tokens",
        "system",
        "tools",
        "tool_choice",
        "temperature",
        "top_p",
        "top_k",
        "stop_sequences",
        "stream",
        "thinking",
        "metadata",
        "service_tier",
        "output_config",
        "cache_control",
        "container",
        "context_management",
        "inference_geo",
    ]
)
TOOL_NAME = re.compile(r"^[a-zA-Z0-9_-]{1,128}$")
FINISH = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens", "content_filter": "refusal"}
INVALID = "invalid_request_error"
KINDS = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}


def invalid(message: str) -> Refusal:
    return Refusal(400, message, INVALID)


class AnthropicWire:
    chat_path = "/v1/messages"
    base_path = ""
    content_type = "text/event-stream; charset=utf-8"

    def check(self, body: dict[str, Any], headers: dict[str, str], served: Served) -> None:
        if served.api_key is not None and headers.get("x-api-key") != served.api_key:
            raise Refusal(401, "invalid x-api-key", "authentication_error")
        if "anthropic-version" not in headers:
            raise invalid("anthropic-version: header is required")
        for name in body:
            if name not in FIELDS:
                raise invalid(f"{name}: Extra inputs are not permitted")
        if body.get("model") not in served.models:
            raise Refusal(404, f"model: {body.get('model')}", "not_found_error")
        if not isinstance(body.get("max_tokens"), int):
            raise invalid("max_tokens: Field required")
        check_tools(body)
        check_messages(objects(body.get("messages")), body)

    def encoder(self, body: dict[str, Any]) -> Encoder:
        return MessagesEncoder(str(body["model"]))

    def refusal(self, refusal: Refusal) -> dict[str, Any]:
        kind = refusal.kind or KINDS.get(refusal.status, "api_error" if refusal.status >= 500 else INVALID)
        return {"type": "error", "error": {"type": kind, "message": refusal.message}, "request_id": "req_1"}

    def model_list(self, served: Served) -> dict[str, Any]:
        def one(name: str) -> dict[str, Any]:
            return {"type": "model", "id": name, "display_name": name, "created_at": "2026-01-01T00:00:00Z"}

        ids = served.models
        return {"data": [one(name) for name in ids], "has_more": False, "first_id": ids[0], "last_id": ids[-1]}


def check_tools(body: dict[str, Any]) -> None:
    for i, tool in enumerate(objects(body.get("tools") or [])):
        for name in tool:
            if name not in ("name", "description", "input_schema", "cache_control", "type", "strict"):
                raise invalid(f"tools.{i}.custom.{name}: Extra inputs are not permitted")
        if not TOOL_NAME.match(str(tool.get("name"))):
            raise invalid(f"tools.{i}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'")
        if fields(tool.get("input_schema")).get("type") != "object":
            raise invalid(f"tools.{i}.custom.input_schema.type: Field required")
    if body.get("tool_choice") and not body.get("tools"):
        raise invalid("tool_choice: tool_choice may only be specified while providing tools.")


def check_messages(messages: list[dict[str, Any]], body: dict[str, Any]) -> None:
    if not messages:
        raise invalid("messages: at least one message is required")
    open_ids: list[str] = []
    for i, message in enumerate(messages):
        if message.get("role") not in ("user", "assistant"):
            raise invalid(
                f'messages.{i}.role: Unexpected role "{message.get("role")}". Allowed roles: "user", "assistant"'
            )
        blocks = blocks_of(message, i)
        open_ids = check_blocks(blocks, open_ids, i, body)
    if open_ids:
        raise unanswered(len(messages) - 1, open_ids)
    if messages[-1].get("role") == "assistant" and body.get("thinking"):
        raise invalid("messages: final assistant content cannot be used as a prefill with thinking")


def blocks_of(message: dict[str, Any], i: int) -> list[dict[str, Any]]:
    content = message.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else objects(content)
    for block in blocks:
        if block.get("type") == "text" and not str(block.get("text", "")).strip():
            raise invalid("messages: text content blocks must contain non-whitespace text")
    if not blocks:
        raise invalid(
            f"messages.{i}: all messages must have non-empty content except for the optional final assistant message"
        )
    return blocks


def check_blocks(blocks: list[dict[str, Any]], open_ids: list[str], i: int, body: dict[str, Any]) -> list[str]:
    """The ids of the calls in this message; the results of the message before must stand at its beginning."""
    results = [str(block.get("tool_use_id")) for block in blocks if block.get("type") == "tool_result"]
    for result in results:
        if result not in open_ids:
            text = "Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
            raise invalid(
                f"messages.{i}.content.0: unexpected `tool_use_id` found in `tool_result` blocks: {result}. {text}"
            )
    missing = [call_id for call_id in open_ids if call_id not in results]
    if missing or any(block.get("type") != "tool_result" for block in blocks[: len(results)]):
        raise unanswered(i - 1, missing or open_ids)
    calls = [str(block.get("id")) for block in blocks if block.get("type") == "tool_use"]
    for block in blocks:
        if block.get("type") == "tool_use" and not isinstance(block.get("input"), dict):
            raise invalid(f"messages.{i}.content.0.tool_use.input: Input should be a valid dictionary")
        if block.get("type") == "thinking" and block.get("signature") != Think("").signature:
            raise invalid(f"messages.{i}.content.0: Invalid `signature` in `thinking` block")
    if (calls or results) and not body.get("tools"):
        raise invalid("Requests which include `tool_use` or `tool_result` blocks must define tools")
    if calls and body.get("thinking") and blocks[0].get("type") not in ("thinking", "redacted_thinking"):
        text = "When `thinking` is enabled, a final `assistant` message must start with a thinking block"
        raise invalid(f"messages.{i}.content.0.type: Expected `thinking`, but found `{blocks[0].get('type')}`. {text}")
    return calls


def unanswered(i: int, ids: list[str]) -> Refusal:
    text = "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
    return invalid(
        f"messages.{i}: `tool_use` ids were found without `tool_result` blocks immediately after: {', '.join(ids)}. {text}"
    )


class MessagesEncoder:
    def __init__(self, model: str) -> None:
        self.model = model
        self.index = -1
        self.open = ""

    def event(self, kind: str, **data: Any) -> bytes:
        return sse({"type": kind} | data, kind)

    def block(self, kind: str, content: dict[str, Any]) -> list[bytes]:
        frames = self.close()
        self.index += 1
        self.open = kind
        return [*frames, self.event("content_block_start", index=self.index, content_block={"type": kind} | content)]

    def close(self) -> list[bytes]:
        if not self.open:
            return []
        self.open = ""
        return [self.event("content_block_stop", index=self.index)]

    def delta(self, kind: str, **data: Any) -> bytes:
        return self.event("content_block_delta", index=self.index, delta={"type": kind} | data)

    def start(self) -> list[bytes]:
        message: dict[str, Any] = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": [],
            "stop_reason": None,
        }
        usage = {"input_tokens": 1, "output_tokens": 1}
        return [self.event("message_start", message=message | {"usage": usage}), self.event("ping")]

    def say(self, piece: str) -> list[bytes]:
        head = [] if self.open == "text" else self.block("text", {"text": ""})
        return [*head, self.delta("text_delta", text=piece)]

    def think(self, thought: Think) -> list[bytes]:
        frames = self.block("thinking", {"thinking": "", "signature": ""})
        frames += [self.delta("thinking_delta", thinking=piece) for piece in cut_text(thought.text, 2)]
        return [*frames, self.delta("signature_delta", signature=thought.signature)]

    def call(self, call: Call, call_id: str) -> list[bytes]:
        frames = self.block("tool_use", {"id": call_id, "name": call.tool, "input": {}})
        return frames + [
            self.delta("input_json_delta", partial_json=p) for p in cut_text(arguments_text(call), call.pieces)
        ]

    def end(self, finish: str, tokens: Tokens) -> list[bytes]:
        usage = {
            "input_tokens": tokens.input - tokens.cached,
            "cache_read_input_tokens": tokens.cached,
            "cache_creation_input_tokens": 0,
            "output_tokens": tokens.output,
        }
        delta = {"stop_reason": FINISH.get(finish, finish), "stop_sequence": None}
        return [*self.close(), self.event("message_delta", delta=delta, usage=usage), self.event("message_stop")]

    def error(self, message: str, kind: str) -> list[bytes]:
        return [self.event("error", error={"type": kind, "message": message})]
