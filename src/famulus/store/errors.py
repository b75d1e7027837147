"""What goes wrong with the store itself."""

from __future__ import annotations

from famulus.errors import ConfigError, FamulusError


class StoreUnavailable(FamulusError):
    """The database did not answer in time, is locked, full or gone; nothing was acknowledged. Trying again later may work."""

    code = "store_unavailable"


class FolderInUse(ConfigError):
    """Another process holds the data folder. `address` is where it answers HTTP, None when it does not or has not said so yet."""

    code = "folder_in_use"

    def __init__(self, message: str, address: str | None = None) -> None:
        super().__init__(message)
        self.address = address


class Unreachable(ConfigError):
    """What the settings name is not to be had on this machine now: an address that is taken, a folder or database that does not answer."""

    code = "unreachable"
