"""The media type of a document, from its bytes and its name. What the sender claimed is only a last hint."""

from __future__ import annotations

import io
import re
import zipfile

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ODT = "application/vnd.oasis.opendocument.text"
ODS = "application/vnd.oasis.opendocument.spreadsheet"
ODP = "application/vnd.oasis.opendocument.presentation"
EPUB = "application/epub+zip"
RTF = "application/rtf"
EML = "message/rfc822"
HTML = "text/html"
CSV = "text/csv"
MARKDOWN = "text/markdown"
TEXT = "text/plain"
NOTEBOOK = "application/x-ipynb+json"
ZIP = "application/zip"
DOC = "application/msword"
XLS = "application/vnd.ms-excel"
PPT = "application/vnd.ms-powerpoint"
MSG = "application/vnd.ms-outlook"
OLE = "application/x-ole-storage"
ENCRYPTED_OFFICE = "application/x-encrypted-office"
BINARY = "application/octet-stream"

ZIP_TYPES = frozenset({DOCX, PPTX, XLSX, ODT, ODS, ODP, EPUB, ZIP})

_TEXT_EXTENSIONS = {
    "md": MARKDOWN,
    "markdown": MARKDOWN,
    "mdx": MARKDOWN,
    "html": HTML,
    "htm": HTML,
    "xhtml": HTML,
    "csv": CSV,
    "tsv": CSV,
    "eml": EML,
    "rst": "text/x-rst",
    "org": "text/x-org",
    "tex": "application/x-latex",
    "ipynb": NOTEBOOK,
    "json": "application/json",
    "jsonl": "application/json",
    "xml": "application/xml",
    "yaml": "application/yaml",
    "yml": "application/yaml",
    "toml": "application/toml",
}
_CODE_EXTENSIONS = frozenset(
    [
        "py",
        "js",
        "ts",
        "tsx",
        "jsx",
        "java",
        "c",
        "h",
        "cpp",
        "hpp",
        "cs",
        "go",
        "rs",
        "rb",
        "php",
        "sh",
        "bash",
        "ps1",
        "sql",
        "css",
        "scss",
        "kt",
        "swift",
        "lua",
        "r",
        "pl",
        "ini",
        "cfg",
        "conf",
    ]
)
CODE = "text/x-code"
_OLE_EXTENSIONS = {"doc": DOC, "dot": DOC, "xls": XLS, "ppt": PPT, "pps": PPT, "msg": MSG}
_MAGIC = (
    (b"\x89PNG", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"\x1f\x8b", "application/gzip"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!", "application/vnd.rar"),
    (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ", "application/x-xz"),
    (b"\x7fELF", "application/x-executable"),
    (b"MZ", "application/x-executable"),
    (b"SQLite format 3\x00", "application/vnd.sqlite3"),
)
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HTML_START = re.compile(rb"\s*(?:<!--.*?-->\s*)*(?:<!doctype\s+html|<html[\s>])", re.IGNORECASE | re.DOTALL)
_MAIL_START = re.compile(
    rb"(?:(?:From|To|Subject|Date|Received|Return-Path|Message-ID|MIME-Version|Delivered-To|Cc|X-[\w-]+):[^\n]*\n(?:[ \t][^\n]*\n)*){3}",
    re.IGNORECASE,
)
_HEAD = 4096


def extension(name: str) -> str:
    return name.rpartition(".")[2].lower() if "." in name else ""


def sniff(data: bytes, name: str, claimed: str | None = None) -> str:
    """A media type; `application/octet-stream` when nothing fits. Never raises, never looks at any path."""
    head = data[:_HEAD]
    if b"%PDF-" in head[:1024]:
        return PDF
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_type(data)
    if head.startswith(_OLE_MAGIC):
        return _ole_type(data, name)
    if head.lstrip()[:5] == b"{\\rtf":
        return RTF
    for magic, media_type in _MAGIC:
        if head.startswith(magic):
            return media_type
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    return _text_type(head, name, claimed)


def _zip_type(data: bytes) -> str:
    """Office formats say what they are inside. Only the list of names and one short entry are read."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()[:20_000]
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
                declared = archive.read("mimetype").decode("ascii", "replace").strip()
                if declared in (EPUB, ODT, ODS, ODP):
                    return declared
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, EOFError):
        return ZIP
    folders = {name.partition("/")[0] for name in names}
    if "[Content_Types].xml" in names:
        for folder, media_type in (("word", DOCX), ("ppt", PPTX), ("xl", XLSX)):
            if folder in folders:
                return media_type
    return ZIP


def _ole_type(data: bytes, name: str) -> str:
    if "EncryptedPackage".encode("utf-16-le") in data:
        return ENCRYPTED_OFFICE
    by_name = _OLE_EXTENSIONS.get(extension(name))
    if by_name:
        return by_name
    for stream, media_type in (("WordDocument", DOC), ("Workbook", XLS), ("PowerPoint Document", PPT)):
        if stream.encode("utf-16-le") in data:
            return media_type
    return MSG if "__substg1.0_".encode("utf-16-le") in data else OLE


def _text_type(head: bytes, name: str, claimed: str | None) -> str:
    ending = extension(name)
    if ending in _TEXT_EXTENSIONS:
        return _TEXT_EXTENSIONS[ending]
    if ending in _CODE_EXTENSIONS:
        return CODE
    if ending in ("txt", "text", "log"):
        return TEXT
    if _HTML_START.match(head):
        return HTML
    if _MAIL_START.match(head.replace(b"\r\n", b"\n")):
        return EML
    if claimed in (MARKDOWN, CSV, HTML, EML):
        return claimed
    return TEXT if _mostly_text(head) else BINARY


def _mostly_text(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    controls = sum(head.count(bytes([code])) for code in (*range(9), *range(14, 32)))
    if controls <= len(head) * 0.02:
        return True
    # Text in UTF-16 without a mark: every second byte is zero.
    return max(head[0::2].count(0), head[1::2].count(0)) > len(head) * 0.35
