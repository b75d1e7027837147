"""How large the values inside the encoder grow, channel by channel, on texts like those that people ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from famulus.knowledge.embed.graph import encoder, watched_inputs
from famulus.knowledge.embed.runtime import Input, open_session
from famulus.knowledge.embed.table import Table
from famulus.knowledge.embed.tokens import Tokens
from famulus.knowledge.embed.weights import Weights

# Short and long, plain and technical, in the languages of the interface and in some with other scripts.
SAMPLES = (
    "What may a hotel night cost?",
    "How long is the notice period, and who has to sign?",
    "MAX_RETRY_COUNT",
    "Who won the world cup in 1998?",
    "What does ISO 9001 say about documented information?",
    "Which of the two offers costs less over 36 months if the discount of 12.5 % is taken into account?",
    "Lower levels of vitamin B12 are associated with a higher risk of memory loss in elderly patients.",
    "The company shall not be liable for indirect or consequential damages arising out of this agreement.",
    "def parse(text: str) -> list[Token]: raises ValueError on unbalanced brackets",
    "Wie lang ist die Kündigungsfrist?",
    "Wer genehmigt eine Dienstreise ins Ausland, und bis wann muss die Abrechnung vorliegen?",
    "Welche Wärmepumpe passt zu einem Altbau mit Heizkörpern?",
    "Welke kosten worden niet vergoed bij een verblijf in het buitenland?",
    "Hoe laat begint de vergadering op 3 maart 2025?",
    "Quel est le délai de préavis prévu par le contrat de location ?",
    "Combien coûte l'abonnement annuel pour une équipe de dix personnes ?",
    "¿Cuál es la capital de Bolivia y cuántos habitantes tiene?",
    "Qual è la differenza tra un contratto a tempo determinato e uno a tempo indeterminato?",
    "Jaka jest stolica Polski?",
    "Сколько стоит подписка на год?",
    "北京是中国的首都吗？",
    "返品の期限は何日ですか。",
    "ما هي مدة الإشعار؟",
    "Kira sözleşmesinin süresi ne kadar?",
)


def reached(weights: Weights, tokens: Tokens, table: Table, prefix: str) -> Mapping[str, NDArray[np.float32]]:
    """For each matrix product, the largest absolute value of each channel that goes into it. About half a second.

    No channel counts as smaller than the median of its product: few texts do not show all that a channel can reach.
    """
    into = watched_inputs(weights)
    names = list(dict.fromkeys(into.values()))
    session = open_session(encoder(weights, names), 1)
    most: dict[str, NDArray[np.float32]] = {}
    for sample in SAMPLES:
        values = session.run(None, _inputs(table, tokens.ids(prefix + sample)))[1:]
        for name, value in zip(names, values, strict=True):
            known = most.get(name)
            here: NDArray[np.float32] = np.abs(value[0]).max(axis=0)
            most[name] = here if known is None else np.maximum(known, here)
    return {product: np.maximum(most[value], np.median(most[value])) for product, value in into.items()}


def _inputs(table: Table, ids: Sequence[int]) -> dict[str, Input]:
    return {
        "embeddings": table.rows([ids]),
        "mask": np.ones((1, len(ids)), np.int32),
        "pool": np.full((1, 1, len(ids)), 1 / len(ids), np.float32),
    }
