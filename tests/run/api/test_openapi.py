"""The OpenAPI document says what is there, and nothing that it says breaks the server."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from famulus.api import socket
from famulus.api.app import create_routes
from famulus.testing.served import Server

CALLS = """
POST /api/v1/knowledge-bases | GET /api/v1/knowledge-bases | GET /api/v1/knowledge-bases/{id} | PATCH /api/v1/knowledge-bases/{id}
DELETE /api/v1/knowledge-bases/{id} | POST /api/v1/knowledge-bases/{id}/documents | GET /api/v1/knowledge-bases/{id}/documents
GET /api/v1/documents/{id} | DELETE /api/v1/documents/{id} | GET /api/v1/documents/{id}/content | GET /api/v1/documents/{id}/original
GET /api/v1/documents/{id}/structure | POST /api/v1/documents/{id}/reindex | POST /api/v1/knowledge-bases/{id}/facts
GET /api/v1/knowledge-bases/{id}/facts | GET /api/v1/facts/{id} | PATCH /api/v1/facts/{id} | DELETE /api/v1/facts/{id} | POST /api/v1/search
GET /api/v1/chunks/{id} | POST /api/v1/conversations | GET /api/v1/conversations | GET /api/v1/conversations/{id} | PATCH /api/v1/conversations/{id}
DELETE /api/v1/conversations/{id} | GET /api/v1/conversations/{id}/messages | GET /api/v1/conversations/{id}/export
POST /api/v1/conversations/{id}/runs | POST /api/v1/runs | GET /api/v1/runs/{id} | GET /api/v1/runs/{id}/events | POST /api/v1/runs/{id}/stop
GET /api/v1/runs/{id}/artifacts/{artifact_id} | POST /api/v1/messages/{id}/feedback | GET /api/v1/tools | GET /api/v1/models | GET /api/v1/health
GET /metrics | POST /agent/run | POST /agent/query | GET /agent/models | POST /api/chat/message | POST /api/knowledge_base/search
"""


def test_every_promised_call_exists() -> None:
    paths = create_routes().openapi()["paths"]
    found = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    assert {call.strip() for line in CALLS.strip().splitlines() for call in line.split("|")} - found == set()


def test_socket_is_told_of_at_the_head_of_the_document() -> None:
    described = create_routes().openapi()["info"]["description"]
    assert "`WS /api/v1/ws`" in described
    assert any(getattr(route, "path", "") == "/api/v1/ws" for route in socket.router.routes)


def test_every_operation_has_its_own_id_errors_and_answer() -> None:
    document = create_routes().openapi()
    operations = [operation for methods in document["paths"].values() for operation in methods.values()]
    ids = [operation["operationId"] for operation in operations]
    assert len(set(ids)) == len(ids)
    for operation in operations:
        errors = {code for code in operation["responses"] if code.startswith(("4", "5"))}
        assert errors >= {"400", "401", "404", "422", "500"}
        assert all(list(operation["responses"][code]["content"]) == ["application/problem+json"] for code in errors)
        answers = [answer for code, answer in operation["responses"].items() if code.startswith("2") and code != "204"]
        assert all("content" in answer for answer in answers), operation["operationId"]


@pytest.mark.timeout(400)
async def test_generated_requests_find_no_fault(server: Server, tmp_path: Path) -> None:
    document = tmp_path / "openapi.json"
    document.write_text(json.dumps(create_routes().openapi()))
    # A request that is no HTTP at all (a control character in a header) is answered by the server's parser, outside of all shapes.
    options = ["--checks", "not_a_server_error,status_code_conformance"]
    options += ["--max-examples", "3", "--phases", "fuzzing", "--no-color", "--request-timeout", "60", "--workers", "1"]
    options += ["--suppress-health-check", "all", "-H", f"Authorization: Bearer {server.owner.token}"]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()", "run", *options),
        *(str(document), "--url", server.address),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
