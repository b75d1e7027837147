"""What the model says in the pictures of the page: the questions, and for each the steps and the answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from famulus.testing.model_servers import Call, Round, Say, Stall

HOTEL = "What may a hotel night in London cost, and what is left of a budget of GBP 1,000 after four nights?"
RECALL = "Which lots of the KT-22 harness lanyards are recalled?"
UNKNOWN = "Who won the chess championship of 1972?"
SLOW = "Compare the hotel ceilings of London, Vienna and Zürich, and say what changes during trade fairs."


def hits(messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The passages that the tools of this conversation have found."""
    for message in messages:
        if message["role"] != "tool":
            continue
        try:
            found = json.loads(message["content"])
        except (TypeError, ValueError):
            continue
        yield from found.get("hits", []) if isinstance(found, dict) else []


def number(messages: list[dict[str, Any]], words: str) -> int:
    return next((int(hit["n"]) for hit in hits(messages) if words in hit["excerpt"]), 1)


def say(body: dict[str, Any], _: int) -> Round:
    messages = body["messages"]
    last = max(index for index, message in enumerate(messages) if message["role"] == "user")
    question, turn = str(messages[last]["content"]), messages[last:]
    asked = sum(1 for message in turn if message["role"] == "assistant")
    if "KT-22" in question:
        if asked == 0:
            return Call("search_documents", {"query": "KT-22 harness lanyards recalled lots", "k": 3})
        lots = number(turn, "40817")
        return Say(
            f"The **lots 40817 to 41263** are affected [{lots}]. Take these lanyards out of use and send them back."
        )
    if "chess" in question:
        return (
            Call("search_documents", {"query": question, "k": 3})
            if asked == 0
            else Say("The documents say nothing about chess.")
        )
    if "Compare" in question:
        return slow(asked)
    if asked == 0:
        return [
            Say("I look at the travel policy first."),
            Call("search_documents", {"query": "hotel ceiling per night London", "k": 4}),
            Call("search_documents", {"query": "prices during trade fairs", "k": 3}),
        ]
    if asked == 1:
        return Call("calculate", {"expression": "1000 - 4 * 185"})
    ceiling = number(turn, "London and its airports")
    fair = number(turn, "trade fairs")
    return Say(
        f"A night in London may cost **GBP 185** at most, breakfast and local taxes included [{ceiling}].\n\n"
        "| | GBP |\n|---|---|\n| Budget | 1,000 |\n| Four nights | 740 |\n| **Left** | **260** |\n\n"
        f"During trade fairs the price may be up to 25 per cent higher, if the agency confirms in writing that nothing cheaper is free [{fair}].",
        delay_s=0.01,
    )


def slow(asked: int) -> Round:
    """Looks up, computes wrongly, thinks for a while, then writes slowly: something to look at while it works."""
    if asked == 0:
        return [
            Say("I look at each city's ceiling."),
            Call("search_documents", {"query": "hotel ceiling per night London", "k": 4}),
            Call("search_documents", {"query": "prices during trade fairs", "k": 3}),
            Call("calculate", {"expression": "185 * (1 + a quarter)"}),
        ]
    if asked == 1:
        return [Call("calculate", {"expression": "185 * 1.25"})]
    text = "In **London** a night may cost GBP 185 at most [1], breakfast and local taxes included. During trade fairs the price may be higher [2]:\n\n"
    rows = "| City | Ceiling | During fairs |\n|---|---:|---:|\n| London | GBP 185 | GBP 231.25 |\n| Vienna | EUR 150 | EUR 187.50 |\n\n"
    return [
        Stall(1.6),
        Say(text + rows + "The agency confirms in writing that nothing cheaper is free. " * 12, delay_s=0.06),
    ]
