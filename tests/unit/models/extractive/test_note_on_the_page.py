"""The page takes the built-in model's closing note out where it says the same itself; it knows the note by its beginning."""

import re
from pathlib import Path

from famulus.models.providers.extractive.phrases import TEXTS

PAGE = Path(__file__).parents[4] / "web" / "src" / "state" / "modelNote.ts"


def test_the_page_knows_the_note_in_every_language() -> None:
    known = re.findall(r'^ {2}"(.+)",$', PAGE.read_text("utf-8"), re.MULTILINE)
    notes = [texts["note"] for texts in TEXTS.values()]
    assert len(known) == len(notes)
    assert all(any(note.startswith(beginning) for beginning in known) for note in notes)
