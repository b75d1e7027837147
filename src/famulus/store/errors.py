"""What goes wrong with the store itself."""

from __future__ import annotations

from famulus.errors import FamulusError


class StoreUnavailable(FamulusError):
    """The database did not answer in time, is locked, full or gone; nothing was acknowledged. Trying again later may work."""

    code = "store_unavailable"
