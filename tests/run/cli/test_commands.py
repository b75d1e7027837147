"""The command line as a person uses it: real processes, a fresh data folder, exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Documents to put in; one holds what would drive a terminal."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "lease.md").write_text(
        "# Lease\n\nThe notice period of the warehouse is twelve months \x1b[31mred\x1b[0m.\n"
    )
    return docs


def famulus(data: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("FAMULUS_", "TOOLS_"))}
    return subprocess.run(
        [sys.executable, "-m", "famulus", *arguments, "--data", str(data)],
        capture_output=True,
        text=True,
        timeout=110,
        env={**kept, "FAMULUS_EMBEDDING__MODEL": "off", **environ},
        check=False,
    )


@pytest.mark.timeout(300)
def test_ask_reads_the_folder_answers_and_cites(tmp_path: Path, folder: Path) -> None:
    done = famulus(tmp_path / "data", "ask", "What is the notice period of the warehouse?", "--docs", str(folder))
    assert done.returncode == 0, done.stderr
    assert "twelve months" in done.stdout
    assert "[1] lease.md, Lease" in done.stdout
    assert "search_documents" in done.stderr
    assert "\x1b[31m" not in done.stdout + done.stderr
    again = famulus(tmp_path / "data", "ask", "What is the notice period?", "--docs", str(folder), "--json")
    run = json.loads(again.stdout)
    assert (run["status"], run["sources"][0]["document_name"]) == ("completed", "lease.md")
    found = json.loads(famulus(tmp_path / "data", "search", "notice period", "--json").stdout)
    assert found["hits"][0]["document_name"] == "lease.md"


@pytest.mark.timeout(300)
def test_ask_over_files_none_of_which_can_be_read_says_so_and_fails_each_time(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\nnothing of a document")
    for _ in range(2):
        done = famulus(tmp_path / "data", "ask", "What is the rent?", "--docs", str(broken))
        assert (done.returncode, done.stdout) == (1, ""), done.stderr
        assert "broken.pdf" in done.stderr
        assert "could be read" in done.stderr.splitlines()[-1]


@pytest.mark.timeout(300)
def test_what_was_added_is_found_by_meaning_in_the_next_command(tmp_path: Path, folder: Path) -> None:
    by_meaning = {"FAMULUS_EMBEDDING__MODEL": "builtin/multilingual-e5-small"}
    data = tmp_path / "data"
    (data / "models" / ".preparing-of-a-killed-command").mkdir(parents=True)
    (data / "famulus.json").write_text('{"product": "famulus", "format": 1}')
    assert famulus(data, "add", str(folder)).returncode == 0
    told = famulus(data, "search", "notice period", **by_meaning)
    assert "still being prepared" in told.stderr
    assert famulus(data, "add", str(folder), **by_meaning).returncode == 0
    found = json.loads(famulus(data, "search", "Kündigungsfrist", "--json", **by_meaning).stdout)
    assert (found["used_modes"], found["notices"]) == (["keyword", "vector"], [])
    assert not list((data / "models").glob(".preparing-*"))


QUESTION = {
    "id": "1",
    "language": "de",
    "class": "single",
    "question": "Wie lang ist die Kündigungsfrist?",
    "expect": [{"document": "lease.md", "passage": "twelve months"}],
    "keywords": [["twelve"]],
    "answerable": True,
}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("command", ["ask", "eval"])
def test_the_first_question_about_a_folder_is_searched_by_meaning_too(
    tmp_path: Path, folder: Path, command: str
) -> None:
    asked = tmp_path / "questions.jsonl"
    asked.write_text(json.dumps(QUESTION))
    said = str(asked) if command == "eval" else QUESTION["question"]
    by_meaning = {"FAMULUS_EMBEDDING__MODEL": "builtin/multilingual-e5-small"}
    done = famulus(tmp_path / "data", command, str(said), "--docs", str(folder), **by_meaning)
    assert done.returncode == 0, done.stderr
    assert "Preparing search by meaning" in done.stderr
    assert "still being prepared" not in done.stderr
    assert ("twelve months" if command == "ask" else "100.0 %") in done.stdout
    if command == "eval":
        assert done.stdout.splitlines()[-1].startswith("cited: each expected passage")
        assert "asked" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "environ", "code", "said"),
    [
        (["ask", "x", "--model", "nobody/x"], {}, 2, "nobody"),
        (["ask", "x", "--model", "builtin/x"], {}, 2, "builtin/x"),
        (["serve", "--host", "192.0.2.1"], {}, 1, "as --host, such as 127.0.0.1"),
        (["ask", "x", "--kb", "nowhere"], {}, 2, "nowhere"),
        (["kb", "list"], {"FAMULUS_AGENT__MAX_ROUNDZ": "3"}, 2, "max_roundz"),
        (["serve", "--no-worker"], {}, 2, "PostgreSQL"),
    ],
)
def test_wrong_use_is_told_with_exit_code_2(
    tmp_path: Path, arguments: list[str], environ: dict[str, str], code: int, said: str
) -> None:
    done = famulus(tmp_path / "data", *arguments, **environ)
    assert (done.returncode, said in done.stderr) == (code, True)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        ["kb", "list"],
        ["kb", "show", "nowhere"],
        ["doc", "list"],
        ["runs", "list"],
        ["token", "list"],
        ["search", "x"],
        ["kb", "rm", "x"],
        ["doc", "rm", "x"],
        ["backup", "x.tar.gz"],
    ],
)
def test_a_command_about_what_is_stored_makes_no_data_folder(tmp_path: Path, command: list[str]) -> None:
    done = famulus(tmp_path / "mistyped", *command)
    assert done.returncode == 2, done.stdout
    assert "no data folder" in done.stderr
    assert "--data" in done.stderr
    assert not (tmp_path / "mistyped").exists()


def test_models_are_listed_without_a_data_folder_and_make_none(tmp_path: Path) -> None:
    done = famulus(tmp_path / "none", "models")
    assert (done.returncode, done.stdout.startswith("* builtin/extractive")) == (0, True)
    assert not (tmp_path / "none").exists()


@pytest.mark.timeout(300)
def test_before_there_is_a_document_each_question_says_how_to_begin(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    said = [
        famulus(tmp_path / "data", "add", str(tmp_path / "empty")).stdout,
        famulus(tmp_path / "data", "search", "rent").stderr,
        famulus(tmp_path / "data", "ask", "What is the rent?").stderr,
    ]
    assert "no file in what was named" in said[0]
    assert all("There is no document yet" in text for text in said[1:])


@pytest.mark.timeout(300)
def test_a_base_can_be_named_by_its_id_when_files_are_added(tmp_path: Path, folder: Path) -> None:
    made = json.loads(famulus(tmp_path / "data", "add", str(folder), "--kb", "mine", "--json").stdout)
    again = famulus(tmp_path / "data", "add", str(folder), "--kb", made["knowledge_base_id"])
    assert again.stdout == "1 unchanged in 'mine'.\n"


def test_doctor_tells_of_models_also_where_there_is_no_data_folder_yet(tmp_path: Path) -> None:
    done = famulus(tmp_path / "mistyped", "doctor")
    assert (done.returncode, done.stderr) == (1, "")
    assert "failed  store: there is no data folder" in done.stdout
    assert "off     model: builtin/extractive" in done.stdout
    assert not (tmp_path / "mistyped").exists()


@pytest.mark.timeout(300)
def test_doctor_says_what_waits_and_what_failed_and_what_to_do(tmp_path: Path, folder: Path) -> None:
    (folder / "torn.pdf").write_bytes(b"%PDF-1.4 torn")
    data = tmp_path / "data"
    assert famulus(data, "add", str(folder), "--kb", "it's").returncode == 1
    done = famulus(data, "doctor", FAMULUS_EMBEDDING__MODEL="builtin/multilingual-e5-small")
    assert done.returncode == 0, done.stderr
    row, step = (line.strip() for line in done.stdout.splitlines()[-2:])
    assert "2 documents, 1 failed; vectors of 0 of 1 passages" in row
    assert "doc list --kb" in step
    assert f"serve --data {data}` goes on" in step
    told = json.loads(famulus(data, "doctor", "--json").stdout)
    assert (told["status"], told["knowledge_bases"][0]["documents"]) == ("ok", {"failed": 1, "ready": 1})


def test_foreign_folder_is_not_touched(tmp_path: Path, folder: Path) -> None:
    done = famulus(folder, "kb", "list")
    assert done.returncode == 2
    assert [path.name for path in folder.iterdir()] == ["lease.md"]


@pytest.mark.timeout(300)
def test_hostile_file_name_is_never_printed_raw(tmp_path: Path) -> None:
    docs, data = tmp_path / "docs", tmp_path / "data"
    docs.mkdir()
    (docs / "rent\u202efdp\u009b31m\u2028.md").write_text("# Rent\n\nThe rent of the garage is 90 francs.\n")
    (docs / "torn\u202efdp.pdf").write_bytes(b"%PDF-1.4 torn")
    said = [
        famulus(data, "add", str(docs), "--kb", "garage \u202e"),
        famulus(data, "doc", "list"),
        famulus(data, "kb", "show", "garage \u202e"),
        famulus(data, "kb", "show", "garage \u202e", "--json"),
        famulus(data, "search", "rent of the garage"),
        famulus(data, "search", "rent of the garage", "--json"),
        famulus(data, "kb", "show", "no \u202e base"),
    ]
    text = "".join(done.stdout + done.stderr for done in said)
    assert not {"\u202e", "\u009b", "\u2028"} & set(text)
    assert "rent" in said[1].stdout
    shown = json.loads(said[3].stdout)
    assert shown["created_at"].endswith("Z")


@pytest.mark.parametrize(("query", "said"), [("  ", "blank"), ("x" * 4_001, "4,000")])
def test_a_search_that_cannot_be_made_whole_says_why(tmp_path: Path, query: str, said: str) -> None:
    (tmp_path / "data").mkdir()
    done = famulus(tmp_path / "data", "search", query)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_file_that_cannot_be_read_is_named_once_with_the_reason(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\n" + bytes(range(256)) * 4)
    done = famulus(tmp_path / "data", "add", str(broken))
    told = next(line for line in done.stderr.splitlines() if "broken.pdf" in line)
    assert told.count("broken.pdf") == 1
    assert "damaged" in told
    assert done.returncode == 1
