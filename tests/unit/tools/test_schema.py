"""Schemas from typed signatures; the snapshot of all built-in tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

import pytest

from famulus.testing.agent import AgentBench
from famulus.testing.scripted import Say, ScriptedModel
from famulus.tools.base import ToolContext, ToolOutput
from famulus.tools.schema import Length, Range, schema_of

SNAPSHOT = Path(__file__).with_name("builtin_tools.json")


class NoWeb:
    async def get(self, url: str, **_: object) -> object:
        raise AssertionError("a request left the machine")


async def sample(
    context: ToolContext,
    text: Annotated[str, Length(1, 10)],
    kind: Literal["a", "b"] = "a",
    size: Annotated[int | None, Range(1, 5)] = None,
    tags: list[str] | None = None,
) -> ToolOutput:
    """Does a thing,
    well.

    Args:
        text: What.
    """
    return ToolOutput(text)


def test_signature_becomes_a_closed_schema() -> None:
    schema = schema_of(sample)
    assert (schema.name, schema.description) == ("sample", "Does a thing, well.")
    assert schema.parameters == {
        "type": "object",
        "properties": {
            "text": {"type": "string", "minLength": 1, "maxLength": 10, "description": "What."},
            "kind": {"type": "string", "enum": ["a", "b"], "default": "a"},
            "size": {"type": "integer", "minimum": 1, "maximum": 5},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "additionalProperties": False,
        "required": ["text"],
    }


def test_parameter_without_a_json_form_is_refused() -> None:
    async def odd(context: ToolContext, when: complex) -> ToolOutput:
        return ToolOutput(str(when))

    with pytest.raises(TypeError, match="when"):
        schema_of(odd)


def test_built_in_tools_are_as_recorded() -> None:
    registry = AgentBench(ScriptedModel(Say("hi")), web=NoWeb()).gate.registry
    found = {
        tool.name: {
            "description": tool.schema.description,
            "parameters": tool.schema.parameters,
            "effect": tool.effect,
            "network": tool.network,
            "toolbox": tool.toolbox,
        }
        for tool in registry
    }
    assert found == json.loads(SNAPSHOT.read_text())
