"""One line on standard error that is written over as work goes on. Only a person at a terminal sees it."""

from __future__ import annotations

import sys

import click


class Progress:
    """`with Progress(shown=…) as progress`: at its end the last line stays; `clear` takes it away."""

    def __init__(self, *, shown: bool = True) -> None:
        self._shown = shown and sys.stderr.isatty()
        self._line = ""

    @property
    def shown(self) -> bool:
        return self._shown

    def show(self, line: str) -> None:
        """Takes the place of the line before."""
        if self._shown and line != self._line:
            click.echo(f"\r{line}{' ' * (len(self._line) - len(line))}", nl=False, err=True)
            self._line = line

    def clear(self) -> None:
        """Leaves the place empty for what is printed now."""
        if self._line:
            click.echo(f"\r{' ' * len(self._line)}\r", nl=False, err=True)
            self._line = ""

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._line:
            click.echo(err=True)
            self._line = ""
