"""Which parameters a model family takes: a small table, plus what each provider's refusals teach. Pure, except `Learned`, which remembers.

Source: the providers' API references; reasoning models take `max_completion_tokens` and no temperature.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from famulus.messages.values import JsonObject


@dataclass(frozen=True, slots=True)
class Change:
    """A parameter that is left out, or sent under another name."""

    parameter: str
    renamed_to: str | None = None


REASONING = ("o1", "o3", "o4", "gpt-5", "codex-")

# kind → ((prefixes of the model's name, changes), …)
TABLE: dict[str, tuple[tuple[tuple[str, ...], tuple[Change, ...]], ...]] = {
    "openai": ((REASONING, (Change("temperature"), Change("top_p"), Change("max_tokens", "max_completion_tokens"))),),
    "openai_responses": (
        (REASONING, (Change("temperature"), Change("top_p"))),
        (("gpt-4o", "gpt-4.1", "gpt-4-", "gpt-3.5", "chatgpt-4o"), (Change("include"),)),
    ),
    "anthropic": (),
    "mistral": (),
    "ollama": (),
}

# Only these may be dropped or renamed: without any other the answer would not be what was asked for.
OPTIONAL = frozenset(
    {
        "temperature",
        "top_p",
        "max_tokens",
        "max_completion_tokens",
        "parallel_tool_calls",
        "stream_options",
        "include",
        "tool_choice",
    }
    | {
        "reasoning",
        "reasoning_effort",
        "reasoning_content",
        "think",
        "thinking",
        "seed",
        "store",
        "prompt_cache_key",
        "truncate",
        "shift",
    }
    | {"output_config", "strict", "replay"}
)
UNSUPPORTED = re.compile(
    r"unsupported|not support|unrecognized|unknown (?:parameter|field|argument|name)|not permitted|not allowed|deprecated|"
    r"extra (?:inputs|fields)|unexpected (?:keyword|field|parameter)|cannot (?:both )?be (?:used|specified)|may only be|only the default|does not exist|invalid parameter",
    re.IGNORECASE,
)
INSTEAD = re.compile(r"[Uu]se [`'\"]([a-z_]+)[`'\"] instead")
QUOTED = re.compile(r"[`'\"]([a-z_]+(?:[.\[][a-z_0-9.\[\]]*)?)[`'\"]|^([a-z_]+):|\b([a-z]+_[a-z_]+)\b")
REPLAY = re.compile(r"encrypted.content|invalid .?signature.? in .?thinking", re.IGNORECASE)


@lru_cache(maxsize=1_024)
def changes_for(kind: str, model: str) -> tuple[Change, ...]:
    """The table's changes for a model; names like `openai/o4-mini` count by their last part."""
    name = model.rsplit("/", 1)[-1].lower()
    return tuple(change for prefixes, changes in TABLE.get(kind, ()) if name.startswith(prefixes) for change in changes)


def apply(body: JsonObject, changes: tuple[Change, ...]) -> JsonObject:
    for change in changes:
        if change.parameter in body:
            value = body.pop(change.parameter)
            if change.renamed_to:
                body[change.renamed_to] = value
    return body


def lesson(status: int | None, param: str | None, message: str, body: JsonObject) -> Change | None:
    """What a refusal teaches: the optional parameter of this body that it names, left out or renamed; None when it teaches nothing."""
    if status not in (400, 422):
        return None
    if REPLAY.search(message):
        return Change("replay") if "include" not in message and param != "include" else Change("include")
    if not UNSUPPORTED.search(message):
        return None
    named = [param] if param else []
    named += [match.group(match.lastindex or 0) for match in QUOTED.finditer(message)]
    for name in named:
        parameter = re.split(r"[.\[]", name)[0] if "reasoning_content" not in name else "reasoning_content"
        if parameter in OPTIONAL and (parameter in body or parameter == "reasoning_content"):
            instead = INSTEAD.search(message)
            renamed = instead[1] if instead and instead[1] in OPTIONAL and instead[1] not in body else None
            return Change(parameter, renamed)
    return None


@dataclass(slots=True)
class Learned:
    """What the refusals of one provider have taught, by model. Kept in memory: a provider that changes its mind is asked again."""

    changes: dict[str, tuple[Change, ...]] = field(default_factory=lambda: {})

    def of(self, model: str) -> tuple[Change, ...]:
        return self.changes.get(model, ())

    def learn(self, model: str, change: Change) -> bool:
        """False when it was known already: trying it again would change nothing."""
        known = self.of(model)
        if change in known:
            return False
        self.changes[model] = (*known, change)
        return True
