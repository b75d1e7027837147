"""Numbered, forward migrations: `r0001_first.py`, `r0002_….py`, each with `upgrade(connection)`; never changed once released.

A step that alters a table asks `alter.operations(connection)` for Alembic's operations, which also know SQLite's detours.
`HEAD` names the newest step; a test keeps it equal to the newest file.
"""

from __future__ import annotations

from typing import Final

HEAD: Final = "0001"
