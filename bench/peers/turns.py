"""One agent turn in each peer: the same two tools, the same question, the model server of `fake_model.py`.

`python turns.py NAME BASE_URL` prints one JSON line: CPU milliseconds a turn alone and with 100 in flight. Runs in the peers' own environment.
With `--blocks` it measures when it is told to; see `blocks.py`.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

import uvloop
from blocks import measure_when_told

os.environ.update(
    OPENAI_API_KEY="none",
    OPENAI_AGENTS_DISABLE_TRACING="1",
    HAYSTACK_TELEMETRY_ENABLED="False",
    DO_NOT_TRACK="1",
    LANGSMITH_TRACING="false",
)
Turn = Callable[[], Awaitable[str]]
SYSTEM = "You are a knowledge assistant. Use the tools, then answer with citations."
QUESTION = "Which service handles the most connections, and how is it tuned?"
RESULT = "chunk 12: connection limits are set by max_conn; default 100. " * 10


async def search_documents(query: str, k: int = 5) -> str:
    """Search the knowledge base.

    Args:
        query: what to look for
        k: number of passages
    """
    return RESULT


async def list_documents(knowledge_base: str, offset: int = 0) -> str:
    """List the documents of a knowledge base.

    Args:
        knowledge_base: its name
        offset: where to begin
    """
    return RESULT


TOOLS = {"search_documents": search_documents, "list_documents": list_documents}
SCHEMAS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": (function.__doc__ or "").splitlines()[0],
            "parameters": {
                "type": "object",
                "properties": {first: {"type": "string"}, second: {"type": "integer"}},
                "required": [first],
            },
        },
    }
    for name, function, first, second in (
        ("search_documents", search_documents, "query", "k"),
        ("list_documents", list_documents, "knowledge_base", "offset"),
    )
]


def bare_aiohttp(base: str) -> Turn:
    """The floor: no log, no validation, no limits."""
    import aiohttp

    session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=1000))

    async def turn() -> str:
        messages: list[dict[str, object]] = [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": QUESTION},
        ]
        while True:
            body = {"model": "fake", "messages": messages, "tools": SCHEMAS}
            async with session.post(f"{base}/chat/completions", json=body) as response:
                message = (await response.json())["choices"][0]["message"]
            messages.append(message)
            calls = message.get("tool_calls")
            if not calls:
                return message["content"]
            jobs = (TOOLS[call["function"]["name"]](**json.loads(call["function"]["arguments"])) for call in calls)
            results = await asyncio.gather(*jobs)
            for call, result in zip(calls, results, strict=True):
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})

    return turn


def bare_streaming(base: str) -> Turn:
    """The floor of a client that streams, as users see it: each event read when it comes, pieces put together. Nothing else."""
    import aiohttp

    session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=1000))

    async def ask(body: dict[str, object]) -> dict[str, object]:
        text: list[str] = []
        calls: list[dict[str, object]] = []
        async with session.post(f"{base}/chat/completions", json=body) as response:
            async for line in response.content:
                if not line.startswith(b"data: {"):
                    continue
                for choice in json.loads(line[6:])["choices"]:
                    text.append(choice["delta"].get("content") or "")
                    calls += choice["delta"].get("tool_calls") or []
        return {"role": "assistant", "content": "".join(text)} | ({"tool_calls": calls} if calls else {})

    async def turn() -> str:
        messages: list[dict[str, object]] = [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": QUESTION},
        ]
        while True:
            message = await ask({"model": "fake", "messages": messages, "tools": SCHEMAS, "stream": True})
            messages.append(message)
            calls = message.get("tool_calls")
            if not calls:
                return str(message["content"])
            for call in calls:
                function = call["function"]
                result = await TOOLS[function["name"]](**json.loads(function["arguments"]))
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})

    return turn


def haystack(base: str) -> Turn:
    from haystack.components.agents import Agent
    from haystack.components.generators.chat import OpenAIChatGenerator
    from haystack.dataclasses import ChatMessage
    from haystack.tools import Tool
    from haystack.utils import Secret

    def answer(**_: object) -> str:
        return RESULT

    tools = [
        Tool(s["function"]["name"], s["function"]["description"], s["function"]["parameters"], answer) for s in SCHEMAS
    ]
    generator = OpenAIChatGenerator(model="fake", api_base_url=base, api_key=Secret.from_token("none"))
    agent = Agent(chat_generator=generator, tools=tools, system_prompt=SYSTEM)
    agent.warm_up()

    async def turn() -> str:
        result = await agent.run_async(messages=[ChatMessage.from_user(QUESTION)])
        return result["messages"][-1].text

    return turn


def smolagents(base: str) -> Turn:
    from smolagents import OpenAIModel, ToolCallingAgent, tool
    from smolagents.monitoring import LogLevel

    @tool
    def search_documents(query: str, k: int = 5) -> str:
        """Search the knowledge base.

        Args:
            query: what to look for
            k: number of passages
        """
        return RESULT

    @tool
    def list_documents(knowledge_base: str, offset: int = 0) -> str:
        """List the documents of a knowledge base.

        Args:
            knowledge_base: its name
            offset: where to begin
        """
        return RESULT

    model = OpenAIModel("fake", api_base=base, api_key="none")
    threads = ThreadPoolExecutor(1000)

    def run() -> str:
        agent = ToolCallingAgent([search_documents, list_documents], model, verbosity_level=LogLevel.OFF, max_steps=5)
        return str(agent.run(QUESTION))

    async def turn() -> str:
        return await asyncio.get_running_loop().run_in_executor(threads, run)

    return turn


def openai_agents(base: str) -> Turn:
    from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
    from openai import AsyncOpenAI

    set_tracing_disabled(True)
    model = OpenAIChatCompletionsModel("fake", AsyncOpenAI(base_url=base, api_key="none"))
    agent = Agent("bench", instructions=SYSTEM, tools=[function_tool(t) for t in TOOLS.values()], model=model)

    async def turn() -> str:
        return (await Runner.run(agent, QUESTION)).final_output

    return turn


def langgraph(base: str) -> Turn:
    from langchain.agents import create_agent
    from langchain_core.tools import tool
    from langchain_openai import ChatOpenAI

    model = ChatOpenAI(model="fake", base_url=base, api_key="none", use_responses_api=False)
    agent = create_agent(model, [tool(t) for t in TOOLS.values()], system_prompt=SYSTEM)

    async def turn() -> str:
        result = await agent.ainvoke({"messages": [{"role": "user", "content": QUESTION}]})
        return result["messages"][-1].text

    return turn


def pydantic_ai(base: str) -> Turn:
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    model = OpenAIChatModel("fake", provider=OpenAIProvider(base_url=base, api_key="none"))
    agent = Agent(model, system_prompt=SYSTEM, tools=list(TOOLS.values()))

    async def turn() -> str:
        return (await agent.run(QUESTION)).output

    return turn


PEERS = {
    f.__name__: f for f in (bare_aiohttp, bare_streaming, haystack, smolagents, openai_agents, langgraph, pydantic_ai)
}


async def measure(turn: Turn, turns: int, in_flight: int) -> float:
    """CPU milliseconds a turn; each answer is checked."""
    gate = asyncio.Semaphore(in_flight)

    async def one() -> None:
        async with gate:
            assert "document 7" in await turn()

    before = time.process_time()
    await asyncio.gather(*(one() for _ in range(turns)))
    return (time.process_time() - before) / turns * 1000


async def main(name: str, base: str, in_blocks: bool) -> None:
    before = time.process_time()
    turn = PEERS[name](base)
    ready = time.process_time() - before
    for _ in range(5):
        assert "document 7" in await turn()
    record: dict[str, object] = {"name": name, "ready_cpu_s": ready}
    if in_blocks:
        await measure_when_told(lambda turns, in_flight: measure(turn, turns, in_flight))
    else:
        record["alone_cpu_ms"] = await measure(turn, 30, 1)
        await measure(turn, 100, 100)
        record["crowd_cpu_ms"] = statistics.median([await measure(turn, 200, 100) for _ in range(3)])
    print(json.dumps(record), flush=True)
    os._exit(0)


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], sys.argv[2], "--blocks" in sys.argv))
