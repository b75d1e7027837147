"""Takes secrets out of text before a model, a trace or a log sees it.

Known secrets (configured keys, tokens of the session) go everywhere. Text that merely looks like a credential goes only out of
error texts and of what came over the network: in a person's own document it is content.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

REDACTED: Final = "[redacted]"

# Source: the documented prefixes of the issuers (OpenAI, Anthropic, GitHub, Slack, AWS, Google), RFC 7519, RFC 7468.
_LOOKS_SECRET: Final = re.compile(
    r"""\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}
    |\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}
    |\bxox[abeoprs]-[A-Za-z0-9-]{10,}
    |\b(?:AKIA|ASIA)[A-Z0-9]{16}\b
    |\bAIza[A-Za-z0-9_-]{30,}
    |\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*
    |-----BEGIN[ ][A-Z ]*PRIVATE[ ]KEY-----[\s\S]{1,20000}?-----END[ ][A-Z ]*PRIVATE[ ]KEY-----""",
    re.VERBOSE,
)
_NAMED_SECRET: Final = re.compile(
    r"(?i)\b(authorization\s*[:=]\s*(?:bearer|basic)?\s*|bearer\s+|(?:api[_-]?key|access[_-]?token|password|secret)\s*[:=]\s*[\"']?)"
    r"([^\s\"'&,;]{6,})"
)
_SHORTEST_KNOWN: Final = 8


class Redactor:
    """`known` are the secrets of this installation; those shorter than 8 characters are left out, they would hit ordinary words."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        values = sorted({secret for secret in known if len(secret) >= _SHORTEST_KNOWN}, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, values))) if values else None

    def known(self, text: str) -> str:
        """The text without any of this installation's secrets."""
        return text if self._known is None else self._known.sub(REDACTED, text)

    def foreign(self, text: str) -> str:
        """The text of an error or of another machine, without this installation's secrets and without what looks like one."""
        text = _LOOKS_SECRET.sub(REDACTED, self.known(text))
        return _NAMED_SECRET.sub(lambda found: f"{found.group(1)}{REDACTED}", text)
