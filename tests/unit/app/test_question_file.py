"""A file that is no question set is told, with the line and what it lacks."""

from pathlib import Path

import pytest

from famulus.app.evaluation import load_questions
from famulus.errors import Invalid


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "no question in"), (b'{"a": 1}', "Line 1 .* has no 'id'"), (b"\nnot", "Line 2"), (b"\xff", "UTF-8")],
)
def test_a_file_without_questions_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "set.jsonl").write_bytes(content)
    with pytest.raises(Invalid, match=said):
        load_questions(tmp_path / "set.jsonl")
