"""`famulus worker`: a further worker on the same PostgreSQL."""

from __future__ import annotations

import asyncio
import logging
import signal

import click

from famulus.cli import common


@click.command()
@common.data_option
@common.command
async def worker(data: str | None) -> None:
    """Work on queued runs and documents of a PostgreSQL database until stopped, beside `serve`."""
    from famulus.app.build import build
    from famulus.app.collector import settle_collector
    from famulus.errors import ConfigError

    settings = common.settings_for(data)
    if settings.database_url is None:
        raise ConfigError(
            "a worker of its own needs PostgreSQL (FAMULUS_DATABASE_URL); `famulus serve` works by itself"
        )
    logging.basicConfig(level=settings.log.level.upper(), format="%(asctime)s %(levelname)s %(name)s %(message)s")
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    async with build(settings):
        settle_collector()
        click.echo("The worker is ready.", err=True)
        await stopped.wait()
