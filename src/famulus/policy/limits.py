"""Every bound of a run in one frozen value. Which of them a caller may set is decided in `agent/request.py`.

The figures are the product's documented defaults; where one comes from elsewhere the line says so.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Defaults of one installation; `app/` makes one from the settings and hands it down."""

    rounds: int = 8
    rounds_highest: int = 100
    calls_per_round: int = 8
    # Calls beyond `calls_per_round` are answered without running; beyond this many they leave the record altogether.
    calls_recorded: int = 64
    calls_at_once: int = 4
    # A further call of the same user waits this long for a free place before it becomes an error text.
    place_wait_s: float = 10.0
    argument_bytes: int = 64 * 1024
    argument_depth: int = 32
    argument_nodes: int = 5_000
    recorded_argument_characters: int = 4_096
    preview_characters: int = 2_000
    result_characters: int = 24_000
    excerpt_characters: int = 400
    read_window: int = 8_000
    tool_timeout_s: float = 30.0
    run_timeout_s: float = 1_800.0
    # A stopped run ends within two seconds: this long for its tools and streams, the rest for its last events.
    stop_grace_s: float = 1.0
    # One answer of 200,000 characters is some 50,000 tokens: above every model's honest output today.
    response_characters: int = 200_000
    prompt_names: int = 60
    history_messages: int = 200
    # Used where neither the provider nor the configuration knows the window.
    context_tokens: int = 32_768
    schema_depth: int = 32
    schema_nodes: int = 5_000
    schema_bytes: int = 256 * 1024


DEFAULTS = Limits()
