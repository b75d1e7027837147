"""Questions by how much something goes up or down, in four languages."""

from __future__ import annotations

import re
from typing import Final

_GOES: Final = (
    r"rises?|rose|risen|increase[sd]?|goes? up|gone up|went up|falls?|fell|drop\w*|goes? down|gone down|went down|steig\w*|stieg\w*|gestiegen|erhöht|sink\w*|sank\w*|gesunken|"
    r"stijgt|stijgen|steeg|gestegen|omhoog|omlaag|verhoogd|daalt|daalde|augment\w*|hauss\w*|baiss\w*|passe"
)
RISES: Final = re.compile(
    rf"\b(?:by how much|um wie ?viel|met hoeveel|de combien|how much (?:do|does|did|will|has|have))\b.*\b(?:{_GOES})\b|\b(?:hoeveel|wie ?viel|combien)(?: a)? (?:{_GOES})\b",
    re.IGNORECASE,
)
