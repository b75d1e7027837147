"""Exact arithmetic on one expression: numbers, + - * / // % **, parentheses, nothing else.

Whole numbers stay whole; everything else is decimal with 34 digits, so that 0.1+0.2 is 0.3 as a person expects. A result that had to be rounded
shows 15 significant digits. Size is checked before each operation, so no expression can take long or much memory.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from decimal import (
    ROUND_FLOOR,
    Clamped,
    Context,
    Decimal,
    DecimalException,
    DivisionByZero,
    Inexact,
    InvalidOperation,
    Overflow,
)
from typing import Final, TypeAlias

from famulus.errors import ToolError

Number: TypeAlias = int | Decimal

LONGEST: Final = 1_000
_NODES: Final = 500
# A long sum nests to the left, one level a term; parentheses are counted apart.
_DEPTH: Final = 200
_PARENTHESES: Final = 50
_BITS: Final = 10_000
_SHOWN_DIGITS: Final = 15
_ALLOWED: Final = frozenset("0123456789.eE+-*/%() \t\n")
_WRITTEN_OTHERWISE: Final = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-"})
_HINTS: Final = {
    ",": "write 1000.5 for one thousand and a half: no thousands separators, a point for decimals",
    "^": "write ** for powers",
    "_": "write digits without separators",
    "x": "write * for times; hexadecimal numbers are not supported",
    "=": "give one expression, not an equation",
}


def calculate_exactly(expression: str) -> int | float | str:
    """The value: a number where JSON holds it without loss, else its digits as text. Raises `ToolError` for anything that is not arithmetic."""
    if len(expression) > LONGEST:
        raise ToolError(f"The expression is too long ({len(expression)} characters, at most {LONGEST}).")
    text = expression.translate(_WRITTEN_OTHERWISE).strip()
    tree = _parse(text)
    context = Context(prec=34, Emax=6_144, Emin=-6_143, traps=[DivisionByZero, InvalidOperation, Overflow])
    try:
        return _present(_Evaluator(text, context).value(tree.body), context)
    except (DivisionByZero, ZeroDivisionError):
        raise ToolError("Division by zero has no value.") from None
    except Overflow:
        raise ToolError("The result is too large.") from None
    except DecimalException:
        raise ToolError(
            "The expression has no real value (a root of a negative number, 0/0 or 0**0 with decimals)."
        ) from None


def _parse(text: str) -> ast.Expression:
    if not text:
        raise ToolError("The expression is empty.")
    for character in text:
        if character not in _ALLOWED:
            hint = _HINTS.get(character, "only numbers, + - * / // % ** and parentheses are")
            raise ToolError(f"{character!r} is not supported: {hint}.")
    if _nesting(text) > _PARENTHESES:
        raise ToolError(f"The parentheses are nested too deep (at most {_PARENTHESES}).")
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        hint = (
            " % is the remainder and needs a number on both sides; for a percentage divide by 100."
            if "%" in text
            else ""
        )
        raise ToolError(f"This is not a complete arithmetic expression.{hint}") from None
    if sum(1 for _ in ast.walk(tree)) > _NODES * 2:
        raise ToolError(f"The expression has too many parts (at most {_NODES}).")
    return tree


def _nesting(text: str) -> int:
    level = deepest = 0
    for character in text:
        level += (character == "(") - (character == ")")
        deepest = max(deepest, level)
    return deepest


class _Evaluator:
    def __init__(self, text: str, context: Context) -> None:
        self._text = text
        self._context = context
        self._binary: dict[type[ast.operator], Callable[[Number, Number], Number]] = {
            ast.Add: self._add,
            ast.Sub: lambda a, b: self._add(a, -b if isinstance(b, int) else self._context.minus(b)),
            ast.Mult: self._multiply,
            ast.Div: self._divide,
            ast.FloorDiv: self._floor_divide,
            ast.Mod: self._remainder,
            ast.Pow: self._power,
        }

    def value(self, node: ast.expr, depth: int = 0) -> Number:
        if depth > _DEPTH:
            raise ToolError(f"The expression is nested too deep (at most {_DEPTH} levels).")
        if isinstance(node, ast.Constant):
            return self._literal(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
            value = self.value(node.operand, depth + 1)
            if isinstance(node.op, ast.UAdd):
                return value
            return -value if isinstance(value, int) else self._context.minus(value)
        if isinstance(node, ast.BinOp) and (operate := self._binary.get(type(node.op))) is not None:
            return operate(self.value(node.left, depth + 1), self.value(node.right, depth + 1))
        raise ToolError("Only numbers, + - * / // % ** and parentheses are supported.")

    def _literal(self, node: ast.Constant) -> Number:
        written = (
            self._text[node.col_offset : node.end_col_offset]
            if node.lineno == node.end_lineno == 1
            else str(node.value)
        )
        if type(node.value) is int:
            return _sized(node.value)
        if type(node.value) is float:
            return self._context.create_decimal(written)
        raise ToolError("Only plain numbers are supported.")

    def _decimal(self, value: Number) -> Decimal:
        return value if isinstance(value, Decimal) else self._context.create_decimal(value)

    def _add(self, left: Number, right: Number) -> Number:
        if isinstance(left, int) and isinstance(right, int):
            return _sized(left + right)
        return self._context.add(self._decimal(left), self._decimal(right))

    def _multiply(self, left: Number, right: Number) -> Number:
        if isinstance(left, int) and isinstance(right, int):
            _check_bits(left.bit_length() + right.bit_length())
            return left * right
        return self._context.multiply(self._decimal(left), self._decimal(right))

    def _divide(self, left: Number, right: Number) -> Number:
        if isinstance(left, int) and isinstance(right, int) and right and left % right == 0:
            return left // right
        _refuse_zero(right)
        return self._context.divide(self._decimal(left), self._decimal(right))

    def _floor_divide(self, left: Number, right: Number) -> Number:
        _refuse_zero(right)
        if isinstance(left, int) and isinstance(right, int):
            return left // right
        quotient = self._context.divide(self._decimal(left), self._decimal(right))
        return quotient.to_integral_value(rounding=ROUND_FLOOR, context=self._context)

    def _remainder(self, left: Number, right: Number) -> Number:
        _refuse_zero(right)
        if isinstance(left, int) and isinstance(right, int):
            return left % right
        whole = self._decimal(self._floor_divide(left, right))
        return self._context.subtract(self._decimal(left), self._context.multiply(whole, self._decimal(right)))

    def _power(self, base: Number, exponent: Number) -> Number:
        if isinstance(exponent, Decimal) and exponent == exponent.to_integral_value() and abs(exponent) < _BITS:
            exponent = int(exponent)
        if isinstance(base, int) and isinstance(exponent, int):
            if exponent < 0:
                _refuse_zero(base)
                return self._divide(1, self._power(base, -exponent))
            if abs(base) <= 1:
                return 1 if exponent == 0 else base if exponent % 2 else abs(base)
            _check_bits(base.bit_length() * exponent)
            value: int = base**exponent
            return value
        if base == 0 and exponent < 0:
            raise ZeroDivisionError
        return self._context.power(self._decimal(base), self._decimal(exponent))


def _check_bits(bits: int) -> None:
    if bits > _BITS:
        raise ToolError(f"The result is too large (more than {int(_BITS * math.log10(2))} digits).")


def _sized(value: int) -> int:
    _check_bits(value.bit_length())
    return value


def _refuse_zero(value: Number) -> None:
    if value == 0:
        raise ZeroDivisionError


def _present(value: Number, context: Context) -> int | float | str:
    if isinstance(value, int):
        return value if abs(value) <= 2**53 else str(value)
    if not value:
        return 0
    if context.flags[Inexact] or context.flags[Clamped]:
        value = Context(prec=_SHOWN_DIGITS).plus(value)
    if value == value.to_integral_value() and value.adjusted() < 34:
        return _present(int(value), Context())
    value = value.normalize(context)
    as_float = float(value)
    if math.isfinite(as_float) and as_float != 0 and Decimal(repr(as_float)) == value:
        return as_float
    return f"{value:f}" if -20 < value.adjusted() < 34 else f"{value:E}"
