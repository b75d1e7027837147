"""Uploads by stream: each part of a multipart body goes to a temporary file as it comes, inside the limits.

Names in the body are labels; where the bytes are kept is decided here alone, and the files are gone when the request ends.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final
from urllib.parse import unquote

from python_multipart.multipart import MultipartParser, MultipartState, parse_options_header
from starlette.datastructures import Headers
from starlette.types import Receive

from famulus.config import LimitSettings
from famulus.errors import FamulusError, Invalid, TooLarge

_FIELD_BYTES: Final = 10_000
_HEADER_BYTES: Final = 8_000
_FIELDS: Final = frozenset({"file", "path", "on_conflict"})


class Busy(FamulusError):
    """Too many uploads are being received at the same time (HTTP 429)."""

    code = "busy"


# How long an upload waits for one of the places before it is told to come again.
_WAIT_S: Final = 30.0


@dataclass(slots=True)
class ReceivedFile:
    """`refused` says why this file was not taken; then its bytes were dropped."""

    name: str
    path: Path
    size: int = 0
    refused: str | None = None


@dataclass(slots=True)
class Received:
    """The parts of one body in their order; `values` are the text fields by name."""

    files: list[ReceivedFile] = field(default_factory=lambda: list[ReceivedFile]())
    values: dict[str, list[str]] = field(default_factory=lambda: dict[str, list[str]]())


class Uploads:
    """Receives multipart bodies into a private folder inside `folder`."""

    def __init__(self, folder: Path, limits: LimitSettings) -> None:
        self._folder = folder
        self._limits = limits
        self._places = asyncio.Semaphore(limits.uploads_at_once)

    @asynccontextmanager
    async def receive(self, headers: Headers, receive: Receive) -> AsyncGenerator[Received]:
        """The parts; their files are removed afterwards. Raises Invalid, TooLarge, Busy."""
        kind, options = parse_options_header(headers.get("content-type", ""))
        boundary = options.get(b"boundary")
        if kind != b"multipart/form-data" or not boundary:
            raise Invalid("Send the files as multipart/form-data with a boundary.")
        try:
            async with asyncio.timeout(_WAIT_S):
                await self._places.acquire()
        except TimeoutError:
            raise Busy("Too many uploads are coming in; try again in a moment.") from None
        try:
            folder = await asyncio.to_thread(self._make_folder)
            try:
                yield await self._read(_Parts(boundary, folder, self._limits), receive)
            finally:
                await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        finally:
            self._places.release()

    def _make_folder(self) -> Path:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix="upload-", dir=self._folder))

    async def _read(self, parts: _Parts, receive: Receive) -> Received:
        try:
            more = True
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Invalid("The upload ended too early.")
                more = message.get("more_body", False)
                # Disk writes of a chunk are short; the thread keeps a slow disk from holding up other requests.
                await asyncio.to_thread(parts.feed, message.get("body", b""))
            return parts.finish()
        finally:
            parts.close()


class _Parts:
    """The state of one body: which part is being read and where it goes."""

    def __init__(self, boundary: bytes, folder: Path, limits: LimitSettings) -> None:
        self._folder = folder
        self._limits = limits
        self._received = Received()
        self._header = b""
        self._name = b""
        self._headers: dict[str, str] = {}
        self._field = ""
        self._value = bytearray()
        self._file: IO[bytes] | None = None
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin,
                "on_header_field": self._header_name,
                "on_header_value": self._header_value,
                "on_header_end": self._header_end,
                "on_headers_finished": self._headers_end,
                "on_part_data": self._data,
                "on_part_end": self._end,
            },
        )

    def feed(self, data: bytes) -> None:
        try:
            if data:
                self._parser.write(data)
        except FamulusError:
            raise
        except ValueError as error:
            raise Invalid(f"The multipart body is malformed: {str(error)[:200]}.") from None

    def finish(self) -> Received:
        # A body that ends inside a part was cut; what arrived of it is not a file.
        if self._parser.state != MultipartState.END:
            raise Invalid("The multipart body has no end; it was cut on its way.")
        files = self._received.files
        if files and all(file.refused for file in files):
            raise TooLarge(str(files[0].refused))
        return self._received

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _begin(self) -> None:
        self._headers, self._header, self._name, self._value = {}, b"", b"", bytearray()

    def _header_name(self, data: bytes, start: int, end: int) -> None:
        self._name = self._bounded(self._name + data[start:end])

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._header = self._bounded(self._header + data[start:end])

    def _header_end(self) -> None:
        self._headers[self._name.decode("latin-1").lower()] = self._header.decode("utf-8", "replace")
        self._name = self._header = b""

    def _headers_end(self) -> None:
        name, filename = _disposition(self._headers.get("content-disposition", ""))
        if name not in _FIELDS:
            raise Invalid(f"The form has an unknown part {name[:100]!r}; use file, path and on_conflict.")
        self._field = name
        if name == "file":
            self._open(filename)

    def _open(self, filename: str) -> None:
        number = len(self._received.files)
        if number >= self._limits.upload_files:
            raise TooLarge(f"An upload takes at most {self._limits.upload_files} files; send the rest in another one.")
        path = self._folder / str(number)
        self._received.files.append(ReceivedFile(filename, path))
        self._file = path.open("wb")

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._file is None:
            self._value += data[start:end]
            if len(self._value) > _FIELD_BYTES:
                raise TooLarge(f"The part {self._field!r} is larger than {_FIELD_BYTES:,} bytes.")
            return
        current = self._received.files[-1]
        current.size += end - start
        if current.size > self._limits.upload_bytes:
            self._refuse(current, self._file)
        else:
            self._file.write(data[start:end])

    def _refuse(self, file: ReceivedFile, written: IO[bytes]) -> None:
        """The rest of the file is read past: the others of the upload are good."""
        if file.refused is None:
            file.refused = (
                f"{file.name[:200]!r} is larger than the limit of {self._limits.upload_bytes:,} bytes for one file."
            )
            written.seek(0)
            written.truncate()

    def _end(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        else:
            values = self._received.values.setdefault(self._field, [])
            if len(values) >= self._limits.upload_files:
                raise TooLarge(f"The form has too many parts named {self._field!r}.")
            values.append(bytes(self._value).decode("utf-8", "replace"))

    @staticmethod
    def _bounded(header: bytes) -> bytes:
        if len(header) > _HEADER_BYTES:
            raise TooLarge("A header of a part is too long.")
        return header


def _disposition(header: str) -> tuple[str, str]:
    """Name and file name of a part. Source: RFC 7578; browsers percent-encode quotes and line ends (HTML, "escape a multipart name")."""
    values = {key.lower(): quoted or plain for key, quoted, plain in _PARAMETER.findall(header)}
    extended = re.match(r"(?i)utf-8'[^']*'(.+)", values.get("filename*", ""))
    if extended:
        return values.get("name", ""), unquote(extended.group(1))
    name = values.get("filename", "").replace('\\"', '"')
    return values.get("name", ""), name.replace("%22", '"').replace("%0D", "").replace("%0A", "")


_PARAMETER: Final = re.compile(r';\s*([A-Za-z*]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))')
