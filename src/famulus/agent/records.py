"""The events of a run as JSON, written and read in one place, so that what the loop appends is what a restart understands."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Literal, cast

from famulus.messages.values import Cost, JsonObject, JsonValue, Passage, Replay, ToolCall, Usage

StepStatus = Literal["awaiting_approval", "running", "succeeded", "failed", "denied", "cancelled"]


def usage_json(usage: Usage) -> JsonObject:
    data: JsonObject = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
    if usage.cached_tokens:
        data["cached_tokens"] = usage.cached_tokens
    if usage.reasoning_tokens:
        data["reasoning_tokens"] = usage.reasoning_tokens
    if usage.estimated:
        data["estimated"] = True
    data["cost"] = {
        "amount": float(usage.cost.amount),
        "currency": usage.cost.currency,
        "complete": usage.cost.complete,
    }
    return data


def read_usage(data: JsonValue) -> Usage:
    """The usage of an event; nothing where the event has none."""
    if not isinstance(data, dict):
        return Usage()
    cost = data.get("cost")
    cost = cost if isinstance(cost, dict) else {}
    try:
        amount = Decimal(str(cost.get("amount", 0)))
    except InvalidOperation:
        amount = Decimal(0)
    return Usage(
        input_tokens=_count(data, "input_tokens"),
        output_tokens=_count(data, "output_tokens"),
        cached_tokens=_count(data, "cached_tokens"),
        reasoning_tokens=_count(data, "reasoning_tokens"),
        estimated=data.get("estimated") is True,
        cost=Cost(amount, str(cost.get("currency", "CHF")), cost.get("complete") is not False),
    )


def add_usage(first: Usage, second: Usage) -> Usage:
    """Both together. A cost in another currency than the first one's cannot be added: the sum is then incomplete."""
    one, two = first.cost, second.cost
    if not one.amount:
        cost = Cost(two.amount, two.currency, one.complete and two.complete)
    elif one.currency == two.currency or not two.amount:
        cost = Cost(one.amount + two.amount, one.currency, one.complete and two.complete)
    else:
        cost = Cost(one.amount, one.currency, complete=False)
    return Usage(
        first.input_tokens + second.input_tokens,
        first.output_tokens + second.output_tokens,
        first.cached_tokens + second.cached_tokens,
        first.reasoning_tokens + second.reasoning_tokens,
        first.estimated or second.estimated,
        cost,
    )


def call_json(call: ToolCall, recorded: JsonObject) -> JsonObject:
    data: JsonObject = {"call_id": call.call_id, "tool": call.tool[:64], "arguments": recorded}
    if call.problem is not None:
        data["problem"] = call.problem[:300]
    return data


def private_call_json(call: ToolCall, limit: int) -> JsonObject:
    """The call as the loop needs it again: the model's own arguments, raw text only where they are not an object."""
    data: JsonObject = {"call_id": call.call_id, "tool": call.tool[:256]}
    if call.arguments is not None:
        data["arguments"] = call.arguments
    else:
        data["raw"] = call.raw[:limit]
        data["problem"] = (call.problem or "not JSON")[:300]
    return data


def read_call(data: JsonValue) -> ToolCall:
    found = data if isinstance(data, dict) else {}
    arguments = found.get("arguments")
    problem = found.get("problem")
    return ToolCall(
        call_id=str(found.get("call_id", "")),
        tool=str(found.get("tool", "")),
        arguments=arguments if isinstance(arguments, dict) else None,
        raw=str(found.get("raw", "")),
        problem=problem if isinstance(problem, str) else None,
    )


def replay_json(replay: Replay) -> JsonObject:
    return {"kind": replay.kind, "data": replay.data}


def read_replay(data: JsonValue) -> Replay | None:
    return Replay(str(data["kind"]), data.get("data")) if isinstance(data, dict) and "kind" in data else None


def passage_json(n: int, passage: Passage) -> JsonObject:
    section: list[JsonValue] = list(passage.section)
    return {
        "n": n,
        "chunk_id": passage.chunk_id,
        "kind": passage.kind,
        "document_id": passage.document_id,
        "fact_id": passage.fact_id,
        "document_name": passage.document_name,
        "knowledge_base_id": passage.knowledge_base_id,
        "text": passage.text,
        "score": passage.score,
        "page": passage.page,
        "section": section,
        "start": passage.start,
        "end": passage.end,
        "category": passage.category,
    }


def read_passage(data: JsonObject) -> tuple[int, Passage]:
    section = data.get("section")
    passage = Passage(
        chunk_id=str(data["chunk_id"]),
        kind="fact" if data.get("kind") == "fact" else "document",
        document_id=_optional(data, "document_id"),
        fact_id=_optional(data, "fact_id"),
        document_name=str(data.get("document_name", "")),
        knowledge_base_id=str(data.get("knowledge_base_id", "")),
        text=str(data.get("text", "")),
        score=float(cast(float, data.get("score") or 0.0)),
        page=cast("int | None", data.get("page")),
        section=tuple(str(part) for part in section) if isinstance(section, list) else (),
        start=_count(data, "start"),
        end=_count(data, "end"),
        category=_optional(data, "category"),
    )
    return _count(data, "n"), passage


def _count(data: JsonObject, name: str) -> int:
    value = data.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _optional(data: JsonObject, name: str) -> str | None:
    value = data.get(name)
    return value if isinstance(value, str) else None
