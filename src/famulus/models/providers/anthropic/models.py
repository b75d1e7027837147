"""The list of models of the Anthropic API. Pure."""

from __future__ import annotations

from famulus.models.providers.wire import Listed, as_count, as_list, as_object, as_text, parse

# Source: the Messages API reference; every model of this API takes tools.
TOOLS = True


def listed(body: bytes) -> list[Listed]:
    entries = [as_object(entry) for entry in as_list(as_object(parse(body)).get("data"))]
    return [
        Listed(as_text(one.get("id")), TOOLS, as_count(one.get("max_input_tokens")), as_count(one.get("max_tokens")))
        for one in entries
        if as_text(one.get("id"))
    ]
