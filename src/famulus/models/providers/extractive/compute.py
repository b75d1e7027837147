"""Arithmetic and calendar over what was found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Computed:
    text: str
    first: bool = False
