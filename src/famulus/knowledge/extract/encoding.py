"""Bytes of a text file become characters: byte-order marks, declared charset, UTF-8, guessed UTF-16/32, then cp1252."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from famulus.knowledge.extract.base import Warning_, failed

# Longest first: the UTF-32 mark begins with the UTF-16 one.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 8192
# Browsers read these labels as cp1252, and so do the files that carry them (https://encoding.spec.whatwg.org/#names-and-labels).
_READ_AS_CP1252 = {"iso8859-1", "ascii", "latin-1", "iso-8859-1", "us-ascii"}
_MAX_CONTROL_SHARE = 0.02


@dataclass(frozen=True, slots=True)
class Decoded:
    text: str
    encoding: str
    warnings: tuple[Warning_, ...] = ()


def decode(data: bytes, *, declared: str | None = None) -> Decoded:
    """The text of `data`. Raises `unsupported` when the bytes are not text at all.

    A declared charset is tried only after marks and only when it decodes without a fault.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _checked(data[len(mark) :], encoding)
    wide = _wide_encoding(data[:_SAMPLE])
    if wide:
        return _checked(data, wide)
    for encoding in filter(None, (_known(declared), "utf-8")):
        try:
            return _reject_binary(Decoded(data.decode(encoding), encoding))
        except (UnicodeDecodeError, LookupError):
            continue
    return _reject_binary(_fallback(data))


def _fallback(data: bytes) -> Decoded:
    text = data.decode("cp1252", errors="replace")
    message = "The file is not valid UTF-8; it was read as Windows-1252. Some characters may be wrong."
    return Decoded(text, "cp1252", (Warning_("encoding_guessed", message),))


def _checked(data: bytes, encoding: str) -> Decoded:
    try:
        return _reject_binary(Decoded(data.decode(encoding), encoding))
    except UnicodeDecodeError:
        text = data.decode(encoding, errors="replace")
        warning = Warning_("encoding_damaged", f"Some bytes are not valid {encoding}; they were replaced.")
        return _reject_binary(Decoded(text, encoding, (warning,)))


def _known(declared: str | None) -> str | None:
    if not declared:
        return None
    try:
        name = codecs.lookup(declared.strip().strip("\"'")).name
    except (LookupError, ValueError):
        return None
    return "cp1252" if name in _READ_AS_CP1252 else name


def _wide_encoding(sample: bytes) -> str | None:
    """UTF-16 or UTF-32 without a mark: zero bytes stand at fixed places in text of mostly Latin letters."""
    if len(sample) < 4 or b"\x00" not in sample:
        return None
    zeros = [sample[offset::4].count(0) / max(1, len(sample[offset::4])) for offset in range(4)]
    quiet, full = 0.1, 0.6
    if zeros[0] < quiet and min(zeros[1:]) > 0.9:
        return "utf-32-le"
    if zeros[3] < quiet and min(zeros[:3]) > 0.9:
        return "utf-32-be"
    if zeros[0] < quiet and zeros[2] < quiet and zeros[1] > full and zeros[3] > full:
        return "utf-16-le"
    if zeros[1] < quiet and zeros[3] < quiet and zeros[0] > full and zeros[2] > full:
        return "utf-16-be"
    return None


def _reject_binary(decoded: Decoded) -> Decoded:
    """Text with a few NULs passes with a warning; more than a few control characters mean that it is no text."""
    sample = decoded.text[: _SAMPLE * 8]
    controls = sum(sample.count(chr(code)) for code in (*range(9), *range(14, 27), *range(28, 32)))
    if controls > max(8, len(sample) * _MAX_CONTROL_SHARE):
        raise failed("unsupported", "The file holds binary data, not text. Upload a document format instead.")
    if not controls:
        return decoded
    warning = Warning_("control_characters", "The file holds control characters such as NUL; they were left out.")
    return Decoded(decoded.text, decoded.encoding, (*decoded.warnings, warning))
