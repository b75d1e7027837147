"""Earlier messages as every wire takes them."""

from __future__ import annotations

from famulus.agent.history import UNANSWERED, instructions_of, usable_history
from famulus.messages.values import Message, Role, Text


def said(*turns: tuple[Role, str]) -> list[Message]:
    return [Message(role, (Text(text),)) for role, text in turns]


def texts(messages: tuple[Message, ...]) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in messages]


def test_turns_alternate_and_begin_with_the_user() -> None:
    history = said(("assistant", "Welcome"), ("user", "a"), ("assistant", "b"), ("assistant", "c"))
    assert texts(usable_history(history, 10)) == [("user", "a"), ("assistant", "b\n\nc")]


def test_question_without_an_answer_is_noted() -> None:
    history = said(("user", "a"), ("assistant", " "), ("user", "b"))
    unanswered = ("assistant", UNANSWERED)
    assert texts(usable_history(history, 10)) == [("user", "a"), unanswered, ("user", "b"), unanswered]


def test_only_the_newest_are_kept() -> None:
    history = said(*[("user", "a"), ("assistant", "b")] * 50)
    assert len(usable_history(history, 10)) == 10


def test_instructions_leave_the_history_for_the_prompt() -> None:
    history = said(("system", "Be brief"), ("user", "a"), ("assistant", "b"))
    assert instructions_of(history) == ("Be brief",)
    assert texts(usable_history(history, 10)) == [("user", "a"), ("assistant", "b")]
