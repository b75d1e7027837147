"""XML parts as element trees of the standard library, parsed by defusedxml: no entities, nothing fetched."""

from __future__ import annotations

import importlib
import io
from collections.abc import Iterable, Iterator
from typing import Protocol, cast
from xml.etree.ElementTree import Element, ParseError

import defusedxml.common as _common
import defusedxml.ElementTree as _safe

from famulus.knowledge.extract.base import failed


class _FromString(Protocol):
    def __call__(self, text: bytes, *, forbid_dtd: bool, forbid_entities: bool, forbid_external: bool) -> Element: ...


class _Event(Protocol):
    """What lxml's event reader is asked for; its elements behave like those of the standard library."""

    def __call__(
        self,
        source: io.BytesIO,
        *,
        events: tuple[str, ...],
        tag: str,
        resolve_entities: bool,
        no_network: bool,
        load_dtd: bool,
        huge_tree: bool,
        remove_comments: bool,
        remove_pis: bool,
    ) -> Iterable[tuple[str, Element]]: ...


class _Lxml(Protocol):
    iterparse: _Event
    XMLSyntaxError: type[SyntaxError]


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


def stream(data: bytes, name: str, tag: str) -> Iterator[Element]:
    """Elements of that local name, one after the other, each forgotten when the next one is asked for.

    By lxml, because millions of small elements take it a fifth of the time; the guard has refused document types.
    """
    library = cast("_Lxml", importlib.import_module("lxml.etree"))
    events = library.iterparse(
        io.BytesIO(data),
        events=("end",),
        tag="{*}" + tag,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        for _, element in events:
            yield element
            _forget(element)
    except library.XMLSyntaxError as error:
        raise failed("unreadable", f"{name!r} holds broken XML ({error}). Save the document again.") from error


def _forget(element: Element) -> None:
    """Empties the element and drops those before it, which are complete."""
    element.clear()
    linked = cast("_Linked", element)
    parent = linked.getparent()
    while parent is not None and linked.getprevious() is not None:
        del parent[0]


class _Linked(Protocol):
    def getparent(self) -> list[Element] | None: ...
    def getprevious(self) -> Element | None: ...


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
