"""How errors are told to people."""

import pytest

from famulus.errors import FamulusError, told


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("there is no run 'x'", "There is no run 'x'"),
        ("allow_web must be true", "allow_web must be true"),
        ("embedding.model: 'x' is not known", "embedding.model: 'x' is not known"),
        ("'a.md' is empty.", "'a.md' is empty."),
        ("ähnlich", "Ähnlich"),
        ("", ""),
    ],
)
def test_a_plain_first_word_begins_with_a_capital(message: str, sentence: str) -> None:
    assert told(FamulusError(message)) == sentence
