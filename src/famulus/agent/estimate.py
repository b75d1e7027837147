"""What a model call that broke off has cost: the provider charges for it but told nothing."""

from __future__ import annotations

from decimal import Decimal

from famulus.agent.run import Run
from famulus.agent.state import RoundState
from famulus.messages.values import Cost, Usage


def estimated_usage(run: Run, round: RoundState, characters: int) -> Usage:
    """Tokens by size, cost by the model's price; incomplete where the price is unknown."""
    asked = int(round.characters / run.state.characters_per_token)
    said = int(characters / run.state.characters_per_token) + 1
    info = run.info
    if info is None or info.input_price is None or info.output_price is None:
        return Usage(asked, said, estimated=True, cost=Cost(complete=info is not None and info.local))
    price = Decimal(str(info.input_price)) * asked + Decimal(str(info.output_price)) * said
    return Usage(asked, said, estimated=True, cost=Cost(price / info.per_tokens, info.currency or "CHF"))
