"""Bombs and tricks for the calculator: each answers quickly, with a value or a clear error."""

from __future__ import annotations

import time

import pytest

from famulus.errors import ToolError
from famulus.tools.builtin.arithmetic import calculate_exactly

TOO_LARGE = [
    "9**9**9",
    "2**10**9",
    "10**5000 % 7",
    "10**4000",
    "(" * 5_000 + "1" + ")" * 5_000,
    "1+" * 50_000 + "1",
    "1" * 10_000_000,
    "-" * 10_000 + "1",
    "(" * 60 + "1" + ")" * 60,
    "-" * 900 + "1",
    "1e6000*1e6000",
    "9" * 999 + "*" + "9",
    "1<<10**10",
]
UNSUPPORTED = {
    "1/0": "zero",
    "0**-1": "zero",
    "7//0.0": "zero",
    "5%0": "zero",
    "float nan": "'f' is not supported",
    "(-8)**(1/3)": "no real value",
    "0.0**0.0": "no real value",
    "٣+٤": "is not supported",
    "１+１": "is not supported",
    "1_000": "without separators",
    "0x10": "hexadecimal",
    "1,000": "no thousands separators",
    "5%": "divide by 100",
    "2^3": r"\*\*",
    "True+1": "'T'",
    "__import__('os')": "not supported",
    "().__class__": "not supported",
    "a:=1": "not supported",
    "[x for x in y]": "not supported",
    "f'{1}'": "not supported",
    "lambda: 1": "not supported",
    "1 if 1 else 2": "not supported",
    "'a'*10**9": "not supported",
    "1(2)": "Only numbers",
    "()": "Only numbers",
    "": "empty",
    "1 +": "complete",
    "01": "complete",
    "1\n2": "complete",
}
VALUES = {
    "0.1+0.2": 0.3,
    "1e5": 100000,
    "1e308*10": "1E+309",
    "1e400*0": 0,
    "2**0.5": 1.4142135623731,
    "1/3": 0.333333333333333,
    "1/3*3": 1,
    "-7//2": -4,
    "-7.5//2": -4,
    "-7%3": 2,
    "2**-2": 0.25,
    "10**20": "100000000000000000000",
    "(1250.50 - 3*99.90) / 12": 79.2333333333333,
    "12345678901234567890.123456": "12345678901234567890.123456",
    "0**0": 1,
    "(-1)**99999999": -1,
    "3 × 4 ÷ 2": 6,
    "1.10*3": 3.3,
    "+".join(["1.5"] * 150): 225,
}


@pytest.mark.parametrize("expression", TOO_LARGE, ids=lambda text: text[:20])
def test_i01_bomb_is_refused_at_once(expression: str) -> None:
    best = min(_refusal_time(expression) for _ in range(3))
    assert best < 0.01


def _refusal_time(expression: str) -> float:
    started = time.process_time()
    with pytest.raises(ToolError):
        calculate_exactly(expression)
    return time.process_time() - started


@pytest.mark.parametrize(("expression", "reason"), UNSUPPORTED.items())
def test_i02_i03_unsupported_form_is_named(expression: str, reason: str) -> None:
    with pytest.raises(ToolError, match=reason):
        calculate_exactly(expression)


@pytest.mark.parametrize(("expression", "value"), VALUES.items(), ids=lambda text: str(text)[:20])
def test_case_33_value_is_what_a_person_expects(expression: str, value: object) -> None:
    started = time.process_time()
    assert calculate_exactly(expression) == value
    assert time.process_time() - started < 0.1
