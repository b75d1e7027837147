"""What a person does instead when a server holds the data folder: the page, or the call that does the same."""

from __future__ import annotations

from typing import Final

from famulus.errors import told
from famulus.store.errors import FolderInUse

# Command → the call of the API that does the same. Commands that only look, and `token`, work beside a server.
CALLS: Final = {
    "add": "-F file=@FILE {api}/knowledge-bases/ID/documents",
    "ask": "--json '{{\"message\": \"QUESTION\"}}' '{api}/runs?wait=true'",
    "search": '--json \'{{"query": "QUERY"}}\' {api}/search',
    "kb rm": "-X DELETE {api}/knowledge-bases/ID",
    "doc rm": "-X DELETE {api}/documents/ID",
    "models": "{api}/models",
    "tools": "{api}/tools",
}


def explain(error: FolderInUse, command: str) -> str:
    """The error with what to do for this command (`kb rm`) while the other process runs."""
    call = CALLS.get(command)
    if error.address is None or call is None:
        return told(error)
    call = call.format(api=f"{error.address}/api/v1")
    return (
        f"{told(error)}.\nThe server does the same on its page, {error.address}, or by\n"
        f"    curl -H 'Authorization: Bearer TOKEN' {call}\n"
        "`famulus token create NAME` makes a token while the server runs."
    )
