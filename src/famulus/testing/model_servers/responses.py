"""The scripted OpenAI Responses server: items with their pairs, encrypted reasoning back verbatim, no unknown fields."""

from __future__ import annotations

from typing import Any

from famulus.testing.model_servers.openai import INVALID, TOOL_NAME, check_key, check_model, invalid
from famulus.testing.model_servers.script import Call, Think, Tokens, cut_text
from famulus.testing.model_servers.wire import (
    Encoder,
    Refusal,
    Served,
    arguments_text,
    is_reasoning,
    listed,
    objects,
    sse,
)

FIELDS = frozenset(
    [
        "model",
        "input",
        "instructions",
        "tools",
        "tool_choice",
        "parallel_tool_calls",
        "temperature",
        "top_p",
        "max_output_tokens",
        "stream",
        "stream_options",
        "text",
        "reasoning",
        "include",
        "store",
        "previous_response_id",
        "truncation",
        "metadata",
        "service_tier",
        "max_tool_calls",
        "background",
        "user",
        "prompt_cache_key",
        "safety_identifier",
    ]
)


class ResponsesWire:
    chat_path = "/v1/responses"
    base_path = "/v1"
    content_type = "text/event-stream; charset=utf-8"

    def check(self, body: dict[str, Any], headers: dict[str, str], served: Served) -> None:
        check_key(headers, served)
        for name in body:
            if name not in FIELDS:
                raise invalid(f"Unknown parameter: '{name}'.", name, "unknown_parameter")
        check_model(body, served)
        check_parameters(body)
        for i, tool in enumerate(objects(body.get("tools") or [])):
            if tool.get("type") != "function" or not TOOL_NAME.match(str(tool.get("name"))):
                raise invalid(
                    f"Missing required parameter: 'tools[{i}].name'.", f"tools[{i}].name", "missing_required_parameter"
                )
        check_items(objects(body.get("input")))

    def encoder(self, body: dict[str, Any]) -> Encoder:
        return ResponsesEncoder(str(body["model"]), "reasoning.encrypted_content" in listed(body.get("include")))

    def refusal(self, refusal: Refusal) -> dict[str, Any]:
        kind = refusal.kind or INVALID
        return {"error": {"message": refusal.message, "type": kind, "param": refusal.param, "code": refusal.code}}

    def model_list(self, served: Served) -> dict[str, Any]:
        data = [{"id": name, "object": "model", "created": 1_700_000_000, "owned_by": "test"} for name in served.models]
        return {"object": "list", "data": data}


def check_parameters(body: dict[str, Any]) -> None:
    reasoning = is_reasoning(str(body["model"]))
    if reasoning and "temperature" in body:
        text = "Unsupported parameter: 'temperature' is not supported with this model."
        raise invalid(text, "temperature")
    if str(body["model"]).startswith("gpt-4") and "reasoning.encrypted_content" in listed(body.get("include")):
        raise invalid("Encrypted content is not supported with this model.", "include")
    if "max_output_tokens" in body and int(body["max_output_tokens"]) < 16:
        text = "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16."
        raise invalid(text, "max_output_tokens", "integer_below_min_value")
    if body.get("tool_choice") not in (None, "auto", "none") and not body.get("tools"):
        raise invalid("Tool choice 'required' must be specified with 'tools' parameter.", "tool_choice")


def check_items(items: list[dict[str, Any]]) -> None:
    """Each output has its call before it and each call its output; a reasoning item is followed by what it led to."""
    calls: list[str] = []
    answered: list[str] = []
    for i, item in enumerate(items):
        kind = item.get("type", "message")
        if kind == "function_call":
            calls.append(str(item.get("call_id")))
            if not isinstance(item.get("arguments"), str):
                raise invalid(f"Invalid type for 'input[{i}].arguments': expected a string.", f"input[{i}].arguments")
        elif kind == "function_call_output":
            if item.get("call_id") not in calls:
                raise invalid(
                    f"No tool call found for function call output with call_id {item.get('call_id')}.", "input"
                )
            answered.append(str(item["call_id"]))
        elif kind == "reasoning":
            check_reasoning(item, items[i + 1 :])
        elif kind == "message":
            check_message(item, i)
        else:
            raise invalid(f"Invalid value: '{kind}'.", f"input[{i}]", "invalid_value")
    for call_id in calls:
        if call_id not in answered:
            raise invalid(f"No tool output found for function call {call_id}.", "input")


def check_message(item: dict[str, Any], i: int) -> None:
    kind = "output_text" if item.get("role") == "assistant" else "input_text"
    for part in listed(item.get("content")):
        if part.get("type") != kind:
            raise invalid(
                f"Invalid value: '{part.get('type')}'. Supported values are: '{kind}'.", f"input[{i}].content[0]"
            )


def check_reasoning(item: dict[str, Any], after: list[dict[str, Any]]) -> None:
    if not after or after[0].get("type", "message") not in ("function_call", "message", "reasoning"):
        raise invalid(
            f"Item '{item.get('id')}' of type 'reasoning' was provided without its required following item.", "input"
        )
    if item.get("encrypted_content") != Think("").signature:
        text = f"The encrypted content for item {item.get('id')} could not be verified."
        raise invalid(text, None, "invalid_encrypted_content")


class ResponsesEncoder:
    def __init__(self, model: str, encrypted: bool) -> None:
        self.model = model
        self.encrypted = encrypted
        self.number = -1
        self.items: list[dict[str, Any]] = []
        self.text = ""
        self.in_message = False

    def event(self, kind: str, **data: Any) -> bytes:
        self.number += 1
        return sse({"type": kind, "sequence_number": self.number} | data, kind)

    def response(self, status: str, **data: Any) -> dict[str, Any]:
        return {
            "id": "resp_1",
            "object": "response",
            "model": self.model,
            "status": status,
            "output": self.items,
        } | data

    def start(self) -> list[bytes]:
        return [self.event("response.created", response=self.response("in_progress"))]

    def added(self, item: dict[str, Any]) -> bytes:
        return self.event(
            "response.output_item.added", output_index=len(self.items), item=item | {"status": "in_progress"}
        )

    def done(self, item: dict[str, Any]) -> bytes:
        index = len(self.items)
        self.items.append(item)
        return self.event("response.output_item.done", output_index=index, item=item)

    def message(self, text: str) -> dict[str, Any]:
        content: list[dict[str, Any]] = [{"type": "output_text", "text": text, "annotations": []}] if text else []
        return {"id": "msg_1", "type": "message", "role": "assistant", "content": content, "status": "completed"}

    def say(self, piece: str) -> list[bytes]:
        frames: list[bytes] = []
        if not self.in_message:
            self.in_message = True
            part: dict[str, Any] = {"type": "output_text", "text": "", "annotations": []}
            frames = [
                self.added(self.message("")),
                self.event("response.content_part.added", content_index=0, part=part),
            ]
        self.text += piece
        delta = self.event(
            "response.output_text.delta", item_id="msg_1", output_index=len(self.items), content_index=0, delta=piece
        )
        return [*frames, delta]

    def close(self) -> list[bytes]:
        if not self.in_message:
            return []
        text, self.text, self.in_message = self.text, "", False
        return [self.event("response.output_text.done", content_index=0, text=text), self.done(self.message(text))]

    def think(self, thought: Think) -> list[bytes]:
        item: dict[str, Any] = {"id": f"rs_{len(self.items)}", "type": "reasoning", "summary": []}
        frames = [*self.close(), self.added(item)]
        for piece in cut_text(thought.text, 2):
            frames.append(
                self.event("response.reasoning_summary_text.delta", item_id=item["id"], summary_index=0, delta=piece)
            )
        item["summary"] = [{"type": "summary_text", "text": thought.text}]
        if self.encrypted:
            item["encrypted_content"] = thought.signature
        return [*frames, self.done(item)]

    def call(self, call: Call, call_id: str) -> list[bytes]:
        item = {
            "id": f"fc_{len(self.items)}",
            "type": "function_call",
            "call_id": call_id,
            "name": call.tool,
            "arguments": "",
        }
        frames = [*self.close(), self.added(item)]
        place = {"item_id": item["id"], "output_index": len(self.items)}
        for piece in cut_text(arguments_text(call), call.pieces):
            frames.append(self.event("response.function_call_arguments.delta", delta=piece, **place))
        item["arguments"] = arguments_text(call)
        frames.append(self.event("response.function_call_arguments.done", arguments=item["arguments"], **place))
        return [*frames, self.done(item | {"status": "completed"})]

    def end(self, finish: str, tokens: Tokens) -> list[bytes]:
        frames = self.close()
        usage = {
            "input_tokens": tokens.input,
            "input_tokens_details": {"cached_tokens": tokens.cached},
            "output_tokens": tokens.output,
            "output_tokens_details": {"reasoning_tokens": tokens.reasoning},
            "total_tokens": tokens.input + tokens.output,
        }
        if finish in ("length", "content_filter"):
            reason = {"reason": "max_output_tokens" if finish == "length" else finish}
            response = self.response("incomplete", incomplete_details=reason, usage=usage)
            return [*frames, self.event("response.incomplete", response=response)]
        return [*frames, self.event("response.completed", response=self.response("completed", usage=usage))]

    def error(self, message: str, kind: str) -> list[bytes]:
        failed = self.response("failed", error={"code": kind, "message": message})
        return [self.event("response.failed", response=failed)]
