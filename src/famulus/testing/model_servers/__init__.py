"""Strict scripted model servers for all wires: what a model says is a list of rounds, what it was asked is recorded."""

from famulus.testing.model_servers.script import (
    Call,
    Cut,
    Finish,
    Garble,
    Item,
    Round,
    Rounds,
    Say,
    Split,
    Stall,
    Status,
    StreamError,
    Think,
    Tokens,
)  # fmt: skip
from famulus.testing.model_servers.server import Recorded, ScriptedModel
from famulus.testing.model_servers.wire import Served
from famulus.testing.model_servers.wires import WireName

__all__ = [
    "Call", "Cut", "Finish", "Garble", "Item", "Recorded", "Round", "Rounds", "Say", "ScriptedModel", "Served", "Split", "Stall",
    "Status", "StreamError", "Think", "Tokens", "WireName",
]  # fmt: skip
