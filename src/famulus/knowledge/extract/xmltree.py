"""XML parts as element trees of the standard library, parsed by defusedxml: no entities, nothing fetched."""

from __future__ import annotations

from typing import Protocol, cast
from xml.etree.ElementTree import Element, ParseError

import defusedxml.common as _common
import defusedxml.ElementTree as _safe

from famulus.knowledge.extract.base import failed


class _FromString(Protocol):
    def __call__(self, text: bytes, *, forbid_dtd: bool, forbid_entities: bool, forbid_external: bool) -> Element: ...


_fromstring = cast("_FromString", _safe.fromstring)
_Refused = cast("type[Exception]", _common.DefusedXmlException)


def parse(data: bytes, name: str, *, doctype: bool = False) -> Element:
    """The root element. `doctype` allows a document type line (EPUB); it is never fetched.

    Raises `too_complex` for entities and `unreadable` for broken XML.
    """
    try:
        return _fromstring(data, forbid_dtd=not doctype, forbid_entities=True, forbid_external=True)
    except _Refused as error:
        raise failed("too_complex", f"{name!r} declares XML entities or document types. It was not opened.") from error
    except (ParseError, ValueError) as error:
        raise failed("unreadable", f"{name!r} holds broken XML ({error}). Save the document again.") from error


def local(element: Element) -> str:
    """The tag without its namespace. The parser drops comments, so every element has a name."""
    return element.tag.rpartition("}")[2]


def attribute(element: Element, name: str) -> str:
    """An attribute by its local name, '' when absent."""
    direct = element.get(name)
    if direct is not None:
        return direct
    return next((value for key, value in element.items() if key.rpartition("}")[2] == name), "")


def all_text(element: Element) -> str:
    return "".join(element.itertext())
