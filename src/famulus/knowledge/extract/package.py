"""Zip-based documents as named parts, read from memory after the guard has counted them."""

from __future__ import annotations

import io
import posixpath
import zipfile
from xml.etree.ElementTree import Element

from famulus.knowledge.extract import xmltree
from famulus.knowledge.extract.base import failed


class Package:
    """Parts by their name inside the archive; a missing part is None."""

    def __init__(self, data: bytes, name: str) -> None:
        self.name = name
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, OSError, ValueError) as error:
            message = f"{name!r} is not a readable document archive. Save it again with its own program."
            raise failed("unreadable", message) from error
        self.names = frozenset(self._archive.namelist())

    def read(self, part: str) -> bytes | None:
        if part not in self.names:
            return None
        try:
            return self._archive.read(part)
        except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, EOFError, NotImplementedError) as error:
            message = f"{self.name!r} has a damaged part {part[:80]!r}. Save the document again."
            raise failed("unreadable", message) from error

    def xml(self, part: str, *, doctype: bool = False) -> Element | None:
        data = self.read(part)
        return None if data is None else xmltree.parse(data, self.name, doctype=doctype)

    def required(self, part: str) -> Element:
        root = self.xml(part)
        if root is None:
            raise failed("unreadable", f"{self.name!r} lacks its part {part!r}. Save the document again.")
        return root

    def relations(self, part: str) -> dict[str, tuple[str, str]]:
        """Of an Office part: relation id -> (kind, target part). External targets are left out."""
        folder, _, file = part.rpartition("/")
        root = self.xml(f"{folder}/_rels/{file}.rels" if folder else f"_rels/{file}.rels")
        found: dict[str, tuple[str, str]] = {}
        for relation in root if root is not None else ():
            if relation.get("TargetMode") == "External":
                continue
            target = relation.get("Target", "")
            path = target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
            found[relation.get("Id", "")] = (relation.get("Type", "").rpartition("/")[2], path)
        return found
