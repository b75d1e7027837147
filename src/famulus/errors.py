"""The root of the error tree; every error of the product derives from `FamulusError`.

    FamulusError
    ├── UsageError          the caller asked for something that cannot be (HTTP 4xx, exit code 2)
    │   ├── NotFound        absent, or not visible to the caller: the two are never told apart
    │   ├── Conflict        the state of the thing forbids it now
    │   ├── Invalid         a value is wrong
    │   ├── TooLarge        a size or count limit
    │   ├── Unauthenticated no or wrong credentials
    │   └── Forbidden       known caller, right missing (never for things the caller may not see)
    ├── ConfigError         the configuration or the data folder is wrong; the start stops
    ├── ToolError           goes to the model as an error result (tools/)
    ├── ModelError          a model call failed (models/errors.py has the taxonomy)
    ├── EgressRefused       the network gate said no (net/)
    ├── ExtractionFailed    one document could not be read (knowledge/extract/)
    ├── LeaseLost           another worker owns this run now; drop the task silently (events/)
    └── NeedsUpgrade        stored data is newer than this version

Each message says what happened, which thing (`{name!r}`), and what to do next.
"""

from __future__ import annotations


class FamulusError(Exception):
    """Root. `code` is stable and machine-readable; `str()` is for people."""

    code: str = "error"

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code


def told(error: FamulusError) -> str:
    """The message as a sentence that stands alone: a plain first word begins with a capital, the name of a setting or field does not."""
    text = str(error)
    first = text.partition(" ")[0]
    return text[:1].upper() + text[1:] if first.isalpha() and first.islower() else text


class UsageError(FamulusError):
    code = "usage"


class NotFound(UsageError):
    code = "not_found"


class Conflict(UsageError):
    code = "conflict"


class Invalid(UsageError):
    code = "invalid"


class TooLarge(UsageError):
    code = "too_large"


class Unauthenticated(UsageError):
    code = "unauthenticated"


class Forbidden(UsageError):
    code = "forbidden"


class ConfigError(FamulusError):
    code = "config"


class ToolError(FamulusError):
    """A tool call failed; the message is read by the model, which may correct itself."""

    code = "tool_error"


class ModelError(FamulusError):
    """Root of `models/errors.py`."""

    code = "model_error"


class EgressRefused(FamulusError):
    """The network gate refused a destination before any byte was sent."""

    code = "egress_refused"


class ExtractionFailed(FamulusError):
    """One document could not be read; `code` names the reason (empty, no_text, unsupported, …)."""

    code = "unreadable"


class LeaseLost(FamulusError):
    """The run belongs to another worker now; the task that raised this must stop without a trace."""

    code = "lease_lost"


class NeedsUpgrade(FamulusError):
    code = "needs_upgrade"
