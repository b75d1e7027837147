"""The gate before any parser: refuses archives and markup that are made to hurt. Nothing is ever written.

Archives are decoded entry by entry and only counted. Two readers of one archive may disagree about a file that lies
(central against local names, sizes that are not true), so such a file is refused instead of interpreted.
"""

from __future__ import annotations

import io
import re
import stat
import zipfile
import zlib
from dataclasses import dataclass, field

from famulus.knowledge.extract.base import failed
from famulus.knowledge.extract.sniff import EPUB, ODP, ODS, ODT, ZIP_TYPES

_STEP = 1 << 18
_CENTRAL_ENTRY = b"PK\x01\x02"
_ZIP_START = b"PK\x03\x04"
_MARKUP = (".xml", ".rels", ".xhtml", ".html", ".htm", ".opf", ".ncx", ".svg", ".vml", ".rdf")
_XML_PARTS = (".xml", ".rels", ".opf", ".ncx", ".vml", ".rdf")
# A declaration behind a long comment would slip past a look at the beginning alone.
_LATE = tuple(
    mark.encode(encoding) for mark in ("<!DOCTYPE", "<!ENTITY") for encoding in ("ascii", "utf-16-le", "utf-16-be")
)
_LATE_BYTES = max(len(mark) for mark in _LATE)
_HEAD_OF_MARKUP = 1 << 16
_ENTITY = re.compile(r"<!ENTITY", re.IGNORECASE)
_DOCTYPE = re.compile(r"<!DOCTYPE\b[^>\[]*[>\[]", re.IGNORECASE)
# These formats write a DOCTYPE with a public name; it is never fetched.
_KNOWN_DOCTYPE = re.compile(
    r'<!DOCTYPE\s+(?:html\s*>|[\w:.-]+\s+PUBLIC\s+["\'](?:-|\+)//(?:W3C|NISO|OpenOffice\.org|DAISY)//[^"\'>]*["\'][^>\[]*>)',
    re.IGNORECASE,
)
_XINCLUDE = "http://www.w3.org/2001/XInclude"


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """Source: the largest honest office files seen are about 300 MB decoded at a ratio of 40; bombs start at 1,000."""

    entries: int = 10_000
    total_bytes: int = 512 << 20
    entry_bytes: int = 256 << 20
    ratio: int = 200
    ratio_free_bytes: int = 8 << 20
    depth: int = 2


@dataclass(slots=True)
class _Count:
    limits: ArchiveLimits
    packed: int
    entries: int = 0
    decoded: int = 0
    doctypes: bool = False
    _seen: set[str] = field(default_factory=set[str])


def check(data: bytes, media_type: str, name: str, limits: ArchiveLimits | None = None) -> None:
    """Raises `too_complex`, `encrypted` or `unreadable` when `data` must not reach a parser."""
    if media_type in ZIP_TYPES:
        count = _Count(limits or ArchiveLimits(), len(data), doctypes=media_type in (EPUB, ODT, ODS, ODP))
        _check_archive(data, name, count, depth=1)
    elif media_type in ("application/xml", "image/svg+xml"):
        _check_markup(data, name, doctypes=False)


def _check_archive(data: bytes, name: str, count: _Count, depth: int) -> None:
    if depth > count.limits.depth:
        raise _bomb(name, f"archives inside archives deeper than {count.limits.depth}")
    # Counted before the list is built: a million entries would cost the reader hundreds of megabytes.
    if data.count(_CENTRAL_ENTRY) + count.entries > count.limits.entries:
        raise _bomb(name, f"more than {count.limits.entries:,} entries")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError) as error:
        raise _damaged(name, f"its archive cannot be read ({type(error).__name__})") from error
    _check_layout(infos, len(data), name)
    names: set[str] = set()
    for info in infos:
        _check_entry_name(info, names, name)
        _check_entry(data, info, name, count, depth)


def _check_layout(infos: list[zipfile.ZipInfo], size: int, name: str) -> None:
    """Entries that overlap decode the same bytes many times: the trick of the densest bombs."""
    end = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        if info.header_offset < end or info.header_offset + 30 + info.compress_size > size:
            raise _bomb(name, "entries that overlap or reach past its end")
        end = info.header_offset + 30 + info.compress_size


def _check_entry_name(info: zipfile.ZipInfo, names: set[str], name: str) -> None:
    entry = info.orig_filename.replace("\\", "/")
    if entry.startswith("/") or re.match(r"[A-Za-z]:", entry) or ".." in entry.split("/") or "\x00" in entry:
        raise _damaged(name, f"its archive holds the path {entry[:80]!r}")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise _damaged(name, f"its archive holds the link {entry[:80]!r}")
    if entry in names:
        raise _damaged(name, f"its archive holds {entry[:80]!r} twice")
    names.add(entry)


def _check_entry(data: bytes, info: zipfile.ZipInfo, name: str, count: _Count, depth: int) -> None:
    count.entries += 1
    if info.flag_bits & 0x1:
        raise failed("encrypted", f"{name!r} is protected with a password. Remove the password and upload it again.")
    head, size, inner = _decode_entry(data, info, name, count)
    if size != info.file_size:
        raise _bomb(name, f"the entry {info.filename[:80]!r}, which is not as long as it says")
    lower = info.filename.lower()
    if lower.endswith(_MARKUP) or head.lstrip()[:5] == b"<?xml":
        _check_markup(head, name, doctypes=count.doctypes)
    if inner is not None:
        _check_archive(inner, name, count, depth + 1)


def _decode_entry(data: bytes, info: zipfile.ZipInfo, name: str, count: _Count) -> tuple[bytes, int, bytes | None]:
    """(first bytes, decoded size, the whole entry if it is an archive itself), counting all the way."""
    start = _body_offset(data, info, name)
    body = memoryview(data)[start : start + info.compress_size]
    head, size, kept = b"", 0, list[bytes]()
    markup, tail = info.filename.lower().endswith(_XML_PARTS), b""
    for step in _steps(body, info, name):
        late = tail + step[max(0, _HEAD_OF_MARKUP - size) :] if markup else b""
        if any(mark in late for mark in _LATE):
            raise failed("too_complex", f"{name!r} declares XML entities late in a part. It was not opened.")
        tail = step[-_LATE_BYTES:] if size + len(step) >= _HEAD_OF_MARKUP else b""
        size += len(step)
        _count_bytes(info, size, len(step), name, count)
        if len(head) < _HEAD_OF_MARKUP:
            head += step[: _HEAD_OF_MARKUP - len(head)]
        if head.startswith(_ZIP_START):
            kept.append(step)
    return head, size, b"".join(kept) if kept else None


def _steps(body: memoryview, info: zipfile.ZipInfo, name: str) -> list[bytes] | _Inflate:
    if info.compress_type == zipfile.ZIP_STORED:
        return [bytes(body)]
    if info.compress_type == zipfile.ZIP_DEFLATED:
        return _Inflate(body, name)
    raise _damaged(name, f"its archive uses compression method {info.compress_type}")


class _Inflate:
    """Yields decoded steps of bounded size."""

    def __init__(self, body: memoryview, name: str) -> None:
        self._body = body
        self._name = name

    def __iter__(self):
        engine = zlib.decompressobj(-15)
        pending = bytes(self._body)
        while not engine.eof:
            try:
                step = engine.decompress(pending, _STEP)
            except zlib.error as error:
                raise _damaged(self._name, "its archive has damaged data") from error
            pending = engine.unconsumed_tail
            if step:
                yield step
            elif not pending:
                break
        if not engine.eof:
            raise _damaged(self._name, "its archive ends too early")


def _count_bytes(info: zipfile.ZipInfo, size: int, step: int, name: str, count: _Count) -> None:
    limits = count.limits
    count.decoded += step
    if count.decoded > limits.total_bytes or size > limits.entry_bytes:
        raise _bomb(name, "more data than any document needs once unpacked")
    if size > limits.ratio_free_bytes and size > info.compress_size * limits.ratio:
        raise _bomb(name, f"data packed more than {limits.ratio} times")


def _body_offset(data: bytes, info: zipfile.ZipInfo, name: str) -> int:
    offset = info.header_offset
    header = data[offset : offset + 30]
    if len(header) < 30 or not header.startswith(_ZIP_START):
        raise _damaged(name, "its archive has a damaged entry")
    name_size, extra_size = int.from_bytes(header[26:28], "little"), int.from_bytes(header[28:30], "little")
    local = data[offset + 30 : offset + 30 + name_size]
    if local not in (info.orig_filename.encode("utf-8"), info.orig_filename.encode("cp437", "replace")):
        raise _damaged(name, "its archive lists other names than it holds")
    return offset + 30 + name_size + extra_size


def _check_markup(head: bytes, name: str, *, doctypes: bool) -> None:
    text = _as_text(head)
    if _ENTITY.search(text):
        raise failed("too_complex", f"{name!r} declares XML entities, which documents do not need. It was not opened.")
    found = _DOCTYPE.search(text)
    if found and not (doctypes and _KNOWN_DOCTYPE.match(text[found.start() :])):
        raise failed("too_complex", f"{name!r} refers to an XML document type, which is refused. It was not opened.")
    if _XINCLUDE in text:
        raise failed("too_complex", f"{name!r} includes other files by XInclude, which is refused. It was not opened.")


def _as_text(head: bytes) -> str:
    if head.startswith((b"\xff\xfe", b"<\x00")):
        return head.decode("utf-16-le", "replace")
    if head.startswith((b"\xfe\xff", b"\x00<")):
        return head.decode("utf-16-be", "replace")
    return head.decode("latin-1")


def _bomb(name: str, what: str) -> Exception:
    return failed("too_complex", f"{name!r} holds {what}. It was not unpacked; save the document again or split it.")


def _damaged(name: str, what: str) -> Exception:
    return failed("unreadable", f"{name!r} cannot be read: {what}. Save the document again with its own program.")
