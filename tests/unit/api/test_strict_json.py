"""JSON that two parsers could read differently, or that costs too much, is refused."""

import pytest

from famulus.api.strict_json import BadJson, check_json


@pytest.mark.parametrize(
    "body",
    [
        b'{"allowWeb": false, "allowWeb": true}',
        b'{"a": {"b": 1, "b": 2}}',
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"{'a': 1}",
        b'{"a": NaN}',
        b'{"a": -Infinity}',
        b'{"a": "\\ud800"}',
        b'{"a": "\xff"}',
        b'{"a": 1} {}',
        b'{"a": ' + b"9" * 70_000 + b"}",
        b"",
    ],
)
def test_ambiguous_json_is_refused(body: bytes) -> None:
    with pytest.raises(BadJson):
        check_json(body)


def test_ordinary_json_passes() -> None:
    check_json('{"a": [1, 2.5, null, {"a": "ü \\u00fc 😀"}], "b": {"a": true}}'.encode())
