"""`famulus serve`: web page, API and worker in one process."""

from __future__ import annotations

import errno
import logging
import signal
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import click

from famulus.cli import common

if TYPE_CHECKING:
    from types import FrameType

    from starlette.types import ASGIApp

    from famulus.app.famulus import Famulus
    from famulus.config import Settings

WebApp: TypeAlias = "Callable[[Famulus, Settings], ASGIApp]"


@click.command()
@click.option("--host", metavar="ADDR", help="Address to listen on (default 127.0.0.1).")
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="N", help="Port to listen on (default 8710); 0 takes a free one."
)
@click.option(
    "--no-worker", is_flag=True, help="Answer requests only and leave the work to `worker` processes (PostgreSQL only)."
)
@common.data_option
@click.pass_context
@common.command
async def serve(ctx: click.Context, host: str | None, port: int | None, no_worker: bool, data: str | None) -> None:
    """Web page, API and worker in one process, until stopped. It prints a link that signs a browser in."""
    import uvicorn

    from famulus.app.build import build
    from famulus.app.collector import settle_collector
    from famulus.cli.server import Server
    from famulus.errors import ConfigError
    from famulus.store.folder import announce

    web_app: WebApp | None = ctx.find_root().obj
    if web_app is None:
        raise ConfigError("this entry point has no HTTP door; start the program as `famulus` or `python -m famulus`")
    settings = common.settings_for(data, server__host=host, server__port=port)
    if no_worker and settings.database_url is None:
        raise ConfigError(
            "--no-worker needs PostgreSQL (FAMULUS_DATABASE_URL): nobody else can work on the embedded database"
        )
    logging.basicConfig(level=settings.log.level.upper(), format="%(asctime)s %(levelname)s %(name)s %(message)s")
    listening = _listen(settings.server.host, settings.server.port)
    address = f"http://{common.shown_host(settings.server.host)}:{listening.getsockname()[1]}"
    async with build(settings, worker=not no_worker) as famulus:
        admin_token = settings.admin_token.get_secret_value() if settings.admin_token else None
        owner, _ = await famulus.accounts.ensure_owner(admin_token)
        if settings.database_url is None:
            announce(settings.data, address)
        click.echo(f"Famulus is ready at {address} (data in {common.printable(str(settings.data))})", err=True)
        # A fresh link at each start: whoever starts the server need not ask for one.
        await famulus.accounts.sweep()
        click.echo(f"Sign in: {address}/signin?token={await famulus.accounts.issue_signin(owner)}", err=True)
        for notice in famulus.notices:
            common.tell(notice)
        config = uvicorn.Config(
            web_app(famulus, settings),
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            # Streams end when their readers go; a stop does not wait for them.
            timeout_graceful_shutdown=3,
            ws_max_size=64 * 1024,
            lifespan="off",
        )
        # The server hands each signal on when it has ended; by default that would end the process before the worker has
        # handed back its runs.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _ignore)
        settle_collector()
        await Server(config, famulus.runs.let_readers_go).serve(sockets=[listening])


def _ignore(number: int, frame: FrameType | None) -> None: ...


def _advice(error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return "another server is running there; choose another --port, or 0 for a free one"
    if error.errno in (errno.EACCES, errno.EPERM):
        return "choose a --port above 1023"
    return "give an address of this machine as --host, such as 127.0.0.1, or 0.0.0.0 for all of them"


def _listen(host: str, port: int) -> socket.socket:
    from famulus.store.errors import Unreachable

    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, proto)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(2048)
        listening.setblocking(False)
    except OSError as error:
        raise Unreachable(f"cannot listen on {host}:{port}: {error.strerror or error}; {_advice(error)}") from None
    return listening
