"""The calculator as a tool."""

from __future__ import annotations

from typing import Annotated

from famulus.tools.base import Tool, ToolContext, ToolOutput
from famulus.tools.builtin.arithmetic import LONGEST, calculate_exactly
from famulus.tools.schema import Length, tool


def calculate_tool() -> Tool:
    return tool(calculate, toolbox="calculate", timeout_s=5, trusted=True)


async def calculate(context: ToolContext, expression: Annotated[str, Length(1, 64 * 1024)]) -> ToolOutput:
    """Computes one arithmetic expression exactly. Numbers, + - * / // % ** and parentheses; nothing else. Use it for every calculation.

    Args:
        expression: For example (1250.50 - 3*99.90) / 12
    """
    result = calculate_exactly(expression)
    shown = expression if len(expression) <= LONGEST else expression[:LONGEST]
    return ToolOutput({"expression": shown, "result": result})
