"""While a server holds the data folder, the command line still looks, makes tokens, and says where to do the rest."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith(("FAMULUS_", "TOOLS_"))},
    "FAMULUS_EMBEDDING__MODEL": "off",
}


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "famulus", *arguments]


def run(data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    whole = command(*arguments, "--data", str(data))
    return subprocess.run(whole, capture_output=True, text=True, timeout=60, env=ENVIRONMENT, check=False)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """A data folder that a server holds, and its address."""
    data = tmp_path_factory.mktemp("served") / "data"
    server = subprocess.Popen(
        command("serve", "--port", "0", "--data", str(data)), env=ENVIRONMENT, stderr=subprocess.PIPE, text=True
    )
    try:
        assert server.stderr is not None
        found = next(match for line in server.stderr if (match := re.search(r"ready at (http://\S+)", line)))
        yield data, found[1]
    finally:
        server.terminate()
        server.communicate(timeout=30)


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    "arguments", [["kb", "list"], ["doc", "list"], ["runs", "list"], ["token", "list"], ["doctor"], ["models"]]
)
def test_commands_that_look_work(served: tuple[Path, str], arguments: list[str]) -> None:
    done = run(served[0], *arguments)
    assert (done.returncode, "Error" in done.stderr) == (0, False), done.stderr


@pytest.mark.timeout(240)
def test_token_made_beside_the_server_opens_it_and_is_dead_once_revoked(served: tuple[Path, str]) -> None:
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    data, address = served
    secret = run(data, "token", "create", "mine").stdout.strip()
    ask = Request(f"{address}/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
    with urlopen(ask, timeout=20) as answer:
        assert json.load(answer)["role"] == "admin"
    token_id = next(line.split()[0] for line in run(data, "token", "list").stdout.splitlines() if "mine" in line)
    assert run(data, "token", "revoke", token_id).returncode == 0
    with pytest.raises(HTTPError, match="401"):
        urlopen(ask, timeout=20)
    assert run(data, "token", "signin").stdout.startswith(f"{address}/signin?token=")


def pasted(data: Path, *arguments: str) -> str:
    """What the shell prints for the lines that the command tells to paste."""
    done = run(data, *arguments)
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    lines = [line for line in done.stderr.splitlines() if line.startswith("    ")]
    assert lines, done.stderr
    shell = subprocess.run(
        ["sh", "-ec", "\n".join(lines)],
        capture_output=True,
        text=True,
        timeout=120,
        env=ENVIRONMENT,
        cwd="/",
        check=False,
    )
    assert shell.returncode == 0, shell.stderr
    return shell.stdout


@pytest.mark.timeout(400)
@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_the_lines_to_paste_do_what_the_commands_would_have_done(served: tuple[Path, str], tmp_path: Path) -> None:
    data, _ = served
    docs = tmp_path / 'it\'s, "mine"'
    (docs / "deep").mkdir(parents=True)
    for name in ("a; b.md", "deep/a; b.md", ".hidden.md"):
        (docs / name).write_text(f"# {name}\n\nThe notice period of {name} is twelve months.\n")
    assert pasted(data, "add", str(docs), "--kb", 'it\'s "new"').count('"error":null') == 2
    assert "a; b.md" in pasted(data, "add", str(docs / "a; b.md"))
    shown = json.loads(run(data, "kb", "show", 'it\'s "new"', "--json").stdout)
    assert sorted(document["path"] for document in shown["documents"]) == ["a; b.md", "deep/a; b.md"]
    assert '"status":"completed"' in pasted(data, "ask", "What's the notice period?", "--docs", str(docs / "deep"))
    assert '"hits":[' in pasted(data, "search", "notice's", "--kb", 'it\'s "new"', "-k", "2", "--mode", "keyword")
    pasted(data, "doc", "rm", shown["documents"][0]["id"])
    pasted(data, "kb", "rm", 'it\'s "new"')
    assert [base["name"] for base in json.loads(run(data, "kb", "list", "--json").stdout)["items"]] == [
        "Documents",
        str(docs / "deep"),
    ]
    assert "calculate" in pasted(data, "tools")


@pytest.mark.timeout(240)
@pytest.mark.parametrize("arguments", [["serve"], ["eval", __file__], ["search", "x", "--kb", "nowhere"]])
def test_what_no_call_does_names_the_page_and_how_to_sign_in(served: tuple[Path, str], arguments: list[str]) -> None:
    if arguments[0] == "eval":
        questions = served[0].parent / "questions.jsonl"
        questions.write_text(
            json.dumps({"id": "1", "language": "en", "class": "x", "question": "?", "answerable": False})
        )
        arguments = ["eval", str(questions)]
    done = run(served[0], *arguments, *(["--port", "0"] if arguments[0] == "serve" else []))
    assert done.returncode == 1
    assert f"Its page is {served[1]}; `" in done.stderr
    assert "famulus token signin --data" in done.stderr
