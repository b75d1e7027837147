"""The scripted Mistral server: a dialect of Chat Completions with its own refusals, ids of nine characters and thinking chunks."""

from __future__ import annotations

import re
from typing import Any

from famulus.testing.model_servers.openai import ChatEncoder, check_key, usage
from famulus.testing.model_servers.script import Call, Think, Tokens, cut_text
from famulus.testing.model_servers.wire import Encoder, Refusal, Served, arguments_text, fields, listed, objects, sse

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
        "stream",
        "stop",
        "random_seed",
        "response_format",
        "presence_penalty",
        "frequency_penalty",
        "n",
        "prediction",
        "prompt_mode",
        "safe_prompt",
        "metadata",
    ]
)
CALL_ID = re.compile(r"^[a-zA-Z0-9]{9}$")
MESSAGE_FIELDS = {
    "system": {"role", "content"},
    "user": {"role", "content"},
    "assistant": {"role", "content", "tool_calls", "prefix"},
    "tool": {"role", "content", "tool_call_id", "name"},
}
AFTER = {
    "user": {"start", "system", "user", "assistant"},
    "assistant": {"system", "user", "tool"},
    "system": {"start", "system"},
    "tool": {"assistant", "tool"},
}


def extra(name: str, *place: str | int) -> Refusal:
    return Refusal(
        422,
        f"Extra inputs are not permitted: {name}",
        "invalid_request_error",
        "/".join(map(str, (*place, name))),
        "extra",
    )


def order(message: str) -> Refusal:
    return Refusal(400, message, "invalid_request_message_order", None, "3230")


class MistralWire:
    chat_path = "/v1/chat/completions"
    base_path = "/v1"
    content_type = "text/event-stream; charset=utf-8"

    def check(self, body: dict[str, Any], headers: dict[str, str], served: Served) -> None:
        if served.api_key is not None:
            check_key(headers, served)
        for name in body:
            if name not in FIELDS:
                raise extra(name, "body")
        if body.get("model") not in served.models:
            raise Refusal(400, f"Invalid model: {body.get('model')}", "invalid_model", None, "1500")
        if "tools" in body and not listed(body["tools"]) and body.get("tool_choice") not in (None, "auto", "none"):
            raise Refusal(400, "tool_choice needs tools", "invalid_request_error", None, "3000")
        check_messages(objects(body.get("messages")))

    def encoder(self, body: dict[str, Any]) -> Encoder:
        return MistralEncoder(str(body.get("model")))

    def refusal(self, refusal: Refusal) -> dict[str, Any]:
        kind = refusal.kind or "invalid_request_error"
        message: Any = refusal.message
        if refusal.code == "extra":
            location = str(refusal.param).split("/")
            message = {
                "detail": [
                    {"type": "extra_forbidden", "loc": location, "msg": "Extra inputs are not permitted", "input": 1}
                ]
            }
        return {"object": "error", "message": message, "type": kind, "param": None, "code": refusal.code}

    def model_list(self, served: Served) -> dict[str, Any]:
        capabilities = {"completion_chat": True, "function_calling": served.tools, "vision": False}
        one = {"object": "model", "max_context_length": served.context_window, "capabilities": capabilities}
        return {"object": "list", "data": [{"id": name} | one for name in served.models]}


def check_messages(messages: list[dict[str, Any]]) -> None:
    """Roles in the order Mistral serves; each call answered; ids of nine letters and digits."""
    last, open_ids = "start", list[str]()
    for i, message in enumerate(messages):
        role = str(message.get("role"))
        for name in message:
            if name not in MESSAGE_FIELDS.get(role, {"role"}):
                raise extra(name, "body", "messages", i, role)
        if last not in AFTER[role]:
            raise order(f"Unexpected role '{role}' after role '{last}'")
        if role == "tool":
            answer(open_ids, message)
        elif open_ids:
            raise order("Not the same number of function calls and responses")
        if role == "assistant":
            open_ids = call_ids(message)
        last = role
    if open_ids:
        raise order("Not the same number of function calls and responses")
    if last not in ("user", "tool"):
        raise order(f"Expected last role User or Tool (or Assistant with prefix True) for serving but got {last}")


def answer(open_ids: list[str], message: dict[str, Any]) -> None:
    if message.get("tool_call_id") not in open_ids:
        raise order("Unexpected tool call id in tool results")
    open_ids.remove(str(message["tool_call_id"]))


def call_ids(message: dict[str, Any]) -> list[str]:
    ids: list[str] = []
    for call in objects(message.get("tool_calls") or []):
        call_id = str(call.get("id"))
        if not CALL_ID.match(call_id):
            text = f"Tool call id was {call_id} but must be a-z, A-Z, 0-9, with a length of 9."
            raise Refusal(400, text, "invalid_function_call", None, "3280")
        if not isinstance(fields(call.get("function")).get("arguments"), str | dict):
            raise Refusal(422, "arguments must be a string or an object", "invalid_request_error")
        ids.append(call_id)
    if not ids and not message.get("content"):
        text = "Assistant message must have either content or tool_calls, but not none."
        raise Refusal(400, text, "invalid_request_assistant_message", None, "3240")
    return ids


class MistralEncoder(ChatEncoder):
    def __init__(self, model: str) -> None:
        super().__init__(model, with_usage=True)

    def think(self, thought: Think) -> list[bytes]:
        def chunk(piece: str) -> list[dict[str, Any]]:
            return [{"type": "thinking", "thinking": [{"type": "text", "text": piece}]}]

        return [self.frame({"content": chunk(piece)}) for piece in cut_text(thought.text, 2)]

    def call(self, call: Call, call_id: str) -> list[bytes]:
        function = {"name": call.tool, "arguments": arguments_text(call)}
        self.calls += 1
        return [
            self.frame({"content": "", "tool_calls": [{"id": call_id, "index": self.calls - 1, "function": function}]})
        ]

    def end(self, finish: str, tokens: Tokens) -> list[bytes]:
        choice = {"index": 0, "delta": {"content": ""}, "finish_reason": finish}
        return [sse(self.envelope([choice]) | {"usage": usage(tokens)}), b"data: [DONE]\n\n"]
