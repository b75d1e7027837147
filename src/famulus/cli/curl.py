"""The lines of a shell that do through a running server what a command does in its own process. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, cast
from urllib.parse import quote

from famulus.cli.hints import command_line, quoted
from famulus.cli.shown import json_text
from famulus.messages.values import JsonObject

TOKEN_NAME: Final = "curl"
DEFAULT_BASE: Final = "Documents"
_CURL: Final = 'curl -H "Authorization: Bearer $TOKEN"'
_ID_OF_ANSWER: Final = """sed 's/.*"id": *"\\([^"]*\\)".*/\\1/'"""
Params = Mapping[str, object]
Bases = Mapping[str, str | None]
"""Name of a knowledge base → its id, None when there is none of that name."""


def lines_for(command: str, params: Params, api: str, bases: Bases) -> list[str]:
    """What to paste, first the line that makes a token; empty for a command that no call of the API does."""
    calls = _CALLS.get(command)
    if calls is None:
        return []
    return [f"TOKEN=$({command_line('token', 'create', TOKEN_NAME, '--days', '1')})", *calls(params, api, bases)]


def base_names(command: str, params: Params) -> list[str]:
    """The knowledge bases that the command is about, by the names it would use."""
    if command == "add":
        return [str(params.get("name") or DEFAULT_BASE)]
    if command == "kb rm":
        return [str(params["name"])]
    docs = cast("Sequence[Path]", params.get("docs") or ())
    return [*cast("Sequence[str]", params.get("names") or ()), *(str(path.resolve()) for path in docs)]


def _add(params: Params, api: str, bases: Bases) -> list[str]:
    (name,) = base_names("add", params)
    return _put_in(api, name, bases[name], "KB", cast("Sequence[Path]", params["paths"]))


def _ask(params: Params, api: str, bases: Bases) -> list[str]:
    lines: list[str] = []
    ids = dict(bases)
    for number, path in enumerate(cast("Sequence[Path]", params.get("docs") or ())):
        name, variable = str(path.resolve()), f"KB{number or ''}"
        lines += _put_in(api, name, bases[name], variable, [path])
        ids[name] = bases[name] or f"${variable}"
    body: JsonObject = {"message": str(params["question"])}
    for key in ("model", "max_rounds", "allow_web"):
        if value := params.get(key):
            body[key] = cast("str | int", value)
    return [*lines, _post(f"{api}/runs?wait=true", _with_bases(body, ids))]


def _search(params: Params, api: str, bases: Bases) -> list[str]:
    body: JsonObject = {"query": str(params["query"])}
    if params.get("count", 5) != 5:
        body["k"] = cast(int, params["count"])
    if params.get("mode", "hybrid") != "hybrid":
        body["mode"] = str(params["mode"])
    return [_post(f"{api}/search", _with_bases(body, bases))]


def _remove_base(params: Params, api: str, bases: Bases) -> list[str]:
    base_id = bases[str(params["name"])]
    return [f"{_CURL} -X DELETE {api}/knowledge-bases/{base_id}"]


def _remove_document(params: Params, api: str, bases: Bases) -> list[str]:
    document_id = quote(str(params["document_id"]), safe="")
    return [f"{_CURL} -X DELETE {api}/documents/{document_id}"]


def _tools(params: Params, api: str, bases: Bases) -> list[str]:
    return [f"{_CURL} {api}/tools"]


_CALLS: Final[Mapping[str, Callable[[Params, str, Bases], list[str]]]] = {
    "add": _add,
    "ask": _ask,
    "search": _search,
    "kb rm": _remove_base,
    "doc rm": _remove_document,
    "tools": _tools,
}


def _put_in(api: str, name: str, base_id: str | None, variable: str, paths: Sequence[Path]) -> list[str]:
    """Uploads into the base, which is made first when there is none."""
    made = [f"{variable}=$({_post(f'{api}/knowledge-bases', _word({'name': name}), '-s')} | {_ID_OF_ANSWER})"]
    place = base_id or f'"${variable}"'
    return [*([] if base_id else made), *(_upload(path, f"{api}/knowledge-bases/{place}/documents") for path in paths)]


def _upload(path: Path, address: str) -> str:
    path = path.resolve()
    if not path.is_dir():
        return f"{_CURL} -F {quoted(_form(str(path)))} {address}"
    # The path within the folder is what tells two files of one name apart.
    send = f"{_CURL} -F 'file=@\"{{}}\"' --form-string 'path={{}}' {address}"
    return f"(cd {quoted(str(path))} && find . -type f -not -path '*/.*' -exec {send} ';')"


def _form(path: str) -> str:
    """A file as curl takes it; in quotes where the name holds what curl would read as its own."""
    plain = not any(c in path for c in '";,\\')
    return f"file=@{path}" if plain else 'file=@"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _post(address: str, body: str, option: str = "") -> str:
    words = [_CURL, option, "-H 'Content-Type: application/json'", "-d", body, quoted(address)]
    return " ".join(word for word in words if word)


def _word(body: JsonObject) -> str:
    return quoted(json_text(body))


def _with_bases(body: JsonObject, bases: Bases) -> str:
    """The body as one word; an id that only a line before finds out stands in it as a variable of the shell."""
    ids = [base_id for base_id in bases.values() if base_id]
    if not ids:
        return _word(body)
    word = _word({**body, "knowledge_base_ids": [*ids]})
    for base_id in ids:
        if base_id.startswith("$"):
            word = word.replace(f'"{base_id}"', f'"\'"{base_id}"\'"')
    return word
