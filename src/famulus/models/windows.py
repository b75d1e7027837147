"""Context windows of hosted models whose provider does not tell them. A small table; what is not in it is unknown. Pure.

Source: the providers' model pages, November 2026. Only used for the providers' own addresses, never for servers that imitate them.
"""

from __future__ import annotations

TABLE: dict[str, tuple[tuple[str, int], ...]] = {
    "api.openai.com": (
        ("gpt-4.1", 1_047_576), ("gpt-4o", 128_000), ("gpt-4-turbo", 128_000), ("gpt-4", 8_192), ("gpt-3.5", 16_385), ("gpt-5", 400_000),
        ("o1", 200_000), ("o3", 200_000), ("o4", 200_000),
    ),
    "api.anthropic.com": (("claude-", 200_000),),
    "api.mistral.ai": (("mistral-", 131_072), ("magistral-", 40_960), ("codestral-", 262_144), ("ministral-", 131_072)),
}  # fmt: skip


def window_of(host: str, model: str) -> int | None:
    return next((window for prefix, window in TABLE.get(host, ()) if model.startswith(prefix)), None)
