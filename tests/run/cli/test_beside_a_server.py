"""While a server holds the data folder, the command line still looks, makes tokens, and says where to do the rest."""

from __future__ import annotations

import json
import os
import re
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
    "arguments", [["kb", "list"], ["doc", "list"], ["runs", "list"], ["token", "list"], ["doctor"]]
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


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    ("arguments", "call"),
    [
        (["ask", "what?"], "/api/v1/runs?wait=true"),
        (["search", "what"], "/api/v1/search"),
        (["add", __file__], "/api/v1/knowledge-bases/ID/documents"),
        (["kb", "rm", "x"], "-X DELETE"),
        (["models"], "/api/v1/models"),
    ],
)
def test_other_commands_name_the_call_that_does_the_same(
    served: tuple[Path, str], arguments: list[str], call: str
) -> None:
    done = run(served[0], *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{served[1]}/api/v1/" in done.stderr
    assert call in done.stderr
    assert "famulus token create" in done.stderr
