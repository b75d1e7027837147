"""A Chat Completions server that answers at once: three rounds of two tool calls, then a text. It reads the round off the request.

The model `clock` says when its request arrived, `text-COUNT-PAUSE` streams that many pieces so many microseconds apart.

Run as its own process (`python bench/fake_model.py PORT`), so that its CPU is not counted with the product's or a peer's.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

from aiohttp import web

ROUNDS = 3
CALLS = (("search_documents", {"query": "connection limits", "k": 4}), ("list_documents", {"knowledge_base": "docs"}))
TEXT = "The two services handle the load; see document 7 on page 3. " * 4
PIECE = 6
USAGE = {"prompt_tokens": 900, "completion_tokens": 40, "total_tokens": 940}


def tool_calls(number: int) -> list[dict[str, object]]:
    return [
        {
            "index": at,
            "id": f"call_{number}_{at}",
            "type": "function",
            # each round asks for something else, so that no client answers it from its record
            "function": {
                "name": name,
                "arguments": json.dumps(
                    {**arguments, **({"k": 3 + number} if "k" in arguments else {"offset": number})}
                ),
            },
        }
        for at, (name, arguments) in enumerate(CALLS)
    ]


def whole(number: int) -> bytes:
    last = number >= ROUNDS
    message = (
        {"role": "assistant", "content": TEXT}
        if last
        else {"role": "assistant", "content": None, "tool_calls": tool_calls(number)}
    )
    choice = {"index": 0, "message": message, "finish_reason": "stop" if last else "tool_calls"}
    return json.dumps(
        {"id": "c", "object": "chat.completion", "created": 1, "model": "fake", "choices": [choice], "usage": USAGE}
    ).encode()


def event(delta: dict[str, object] | None, finish: str | None = None, **more: object) -> bytes:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "fake", "choices": choices, **more}
    return b"data: " + json.dumps(chunk).encode() + b"\n\n"


def streamed(number: int) -> bytes:
    parts = [event({"role": "assistant", "content": ""})]
    if number < ROUNDS:
        parts += [event({"tool_calls": [call]}) for call in tool_calls(number)]
        parts.append(event({}, "tool_calls"))
    else:
        parts += [event({"content": TEXT[at : at + PIECE]}) for at in range(0, len(TEXT), PIECE)]
        parts.append(event({}, "stop"))
    return b"".join(parts) + event(None, usage=USAGE) + b"data: [DONE]\n\n"


def final_answer() -> bytes:
    """One peer ends a turn by a tool call only."""
    call = {
        "id": "call_f",
        "type": "function",
        "function": {"name": "final_answer", "arguments": json.dumps({"answer": TEXT})},
    }
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    return json.dumps(
        {"id": "c", "object": "chat.completion", "created": 1, "model": "fake", "choices": [choice], "usage": USAGE}
    ).encode()


WHOLE = [whole(number) for number in range(ROUNDS + 1)]
STREAMED = [streamed(number) for number in range(ROUNDS + 1)]
FINAL = final_answer()


def said(text: str) -> bytes:
    return (
        event({"role": "assistant", "content": text})
        + event({}, "stop")
        + event(None, usage=USAGE)
        + b"data: [DONE]\n\n"
    )


async def pieces(request: web.Request, count: int, pause_us: int) -> web.StreamResponse:
    """`text-COUNT-PAUSE`: that many pieces, each in a write of its own."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    due = time.perf_counter()
    piece = event({"content": "piece "})
    for _ in range(count):
        await response.write(piece)
        due += pause_us / 1e6
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
    await response.write(said(""))
    return response


async def complete(request: web.Request) -> web.StreamResponse:
    arrived = time.monotonic()
    raw = await request.read()
    body = json.loads(raw)
    messages = body["messages"]
    if body["model"] == "clock":
        return web.Response(body=said(str(arrived)), content_type="text/event-stream")
    if body["model"].startswith("text-"):
        return await pieces(request, *map(int, body["model"].split("-")[1:]))
    ends_by_tool = b'"final_answer"' in raw
    rounds = sum(m["role"] == "assistant" and (ends_by_tool or bool(m.get("tool_calls"))) for m in messages)
    if body.get("stream"):
        return web.Response(body=STREAMED[min(rounds, ROUNDS)], content_type="text/event-stream")
    answer = FINAL if ends_by_tool and rounds >= ROUNDS else WHOLE[min(rounds, ROUNDS)]
    return web.Response(body=answer, content_type="application/json")


async def models(_: web.Request) -> web.Response:
    return web.json_response(
        {"object": "list", "data": [{"id": "fake", "object": "model", "created": 1, "owned_by": "bench"}]}
    )


def main() -> None:
    app = web.Application(client_max_size=64 * 2**20)
    app.router.add_post("/v1/chat/completions", complete)
    app.router.add_get("/v1/models", models)
    web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), print=None, access_log=None)


if __name__ == "__main__":
    main()
