"""Mail: headers as text, the readable body, then each attachment's text as its own section."""

from __future__ import annotations

from collections.abc import Callable
from email import policy
from email.errors import MessageError
from email.message import EmailMessage
from email.parser import BytesParser

from famulus.errors import ExtractionFailed
from famulus.knowledge.extract.base import Extracted
from famulus.knowledge.extract.builder import TextBuilder
from famulus.knowledge.extract.clean import clean, collapse_blank_lines, one_line
from famulus.knowledge.extract.encoding import decode
from famulus.knowledge.extract.plain.html import add_html

_SHOWN = ("From", "To", "Cc", "Date", "Subject")
_MAX_ATTACHMENTS = 50
_ENCRYPTED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")

# (bytes, name, depth) -> the text of an attachment; raises `ExtractionFailed`.
ReadInner = Callable[[bytes, str, int], Extracted]


def add_mail(builder: TextBuilder, data: bytes, depth: int, read_inner: ReadInner) -> None:
    """`depth` counts mails inside mails; the inner reader refuses below its own limit."""
    message = BytesParser(_class=EmailMessage, policy=policy.default).parsebytes(_as_ascii_compatible(data))
    subject = _header(message, "Subject")
    if subject:
        builder.heading(subject, 1)
    builder.add("text", "\n".join(f"{key}: {_header(message, key)}" for key in _SHOWN if _header(message, key)))
    _add_body(builder, message)
    outer = builder.root
    for count, part in enumerate(_attachments(message)):
        if count >= _MAX_ATTACHMENTS:
            builder.warn("attachments_skipped", f"Only the first {_MAX_ATTACHMENTS} attachments were read.")
            break
        _add_attachment(builder, part, outer, depth, read_inner)
    builder.start_root(*outer)


def _as_ascii_compatible(data: bytes) -> bytes:
    """Mail saved as UTF-16 text is turned into UTF-8; everything else stays as it is."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in data[:64]:
        return decode(data).text.encode("utf-8", "replace")
    return data.removeprefix(b"\xef\xbb\xbf")


def _header(message: EmailMessage, key: str) -> str:
    try:
        return one_line(clean(str(message.get(key, ""))))
    except (MessageError, ValueError, IndexError, LookupError, AttributeError, TypeError):
        # The standard library's header parser fails on some malformed headers; the raw text serves then.
        raw = next((value for name, value in message.raw_items() if name.lower() == key.lower()), "")
        return one_line(clean(str(raw)))


def _add_body(builder: TextBuilder, message: EmailMessage) -> None:
    try:
        part = message.get_body(preferencelist=("plain", "html"))
    except (AttributeError, KeyError, LookupError, TypeError):
        part = None
    if part is None and not message.is_multipart() and message.get_content_maintype() == "text":
        part = message
    if not isinstance(part, EmailMessage):
        if message.get_content_type() in _ENCRYPTED:
            builder.warn("encrypted_part", "The body of this mail is encrypted; only its headers were read.")
        return
    payload = _payload(part)
    charset = part.get_content_charset()
    if part.get_content_subtype() == "html":
        add_html(builder, payload, charset=charset)
        return
    decoded = decode(payload, declared=charset)
    builder.warnings.extend(decoded.warnings)
    for paragraph in collapse_blank_lines(clean(decoded.text)).split("\n\n"):
        quoted = paragraph.lstrip().startswith(">")
        builder.add("quote" if quoted else "text", paragraph)


def _attachments(message: EmailMessage) -> list[EmailMessage]:
    try:
        body = message.get_body(preferencelist=("plain", "html"))
    except (AttributeError, KeyError, LookupError, TypeError):
        body = None
    found: list[EmailMessage] = []
    for part in _leaves(message):
        disposition = (part.get_content_disposition() or "").lower()
        attached = disposition == "attachment" or part.get_filename() or part.get_content_type() == "message/rfc822"
        if part is not body and part is not message and attached and not _embedded_image(part):
            found.append(part)
    return found


def _embedded_image(part: EmailMessage) -> bool:
    return part.get_content_maintype() == "image"


def _leaves(message: EmailMessage) -> list[EmailMessage]:
    """All parts that hold content; a mail inside a mail is one part (it is read as a document of its own)."""
    found: list[EmailMessage] = []
    waiting = (
        [part for part in message.iter_parts() if isinstance(part, EmailMessage)] if message.is_multipart() else []
    )
    while waiting:
        part = waiting.pop(0)
        if part.get_content_maintype() == "multipart":
            waiting = [inner for inner in part.iter_parts() if isinstance(inner, EmailMessage)] + waiting
        else:
            found.append(part)
    return found


def _payload(part: EmailMessage) -> bytes:
    if part.get_content_type() == "message/rfc822":
        inner = next((inner for inner in part.iter_parts() if isinstance(inner, EmailMessage)), None)
        return inner.as_bytes() if inner is not None else b""
    try:
        payload = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError):
        payload = None
    return payload if isinstance(payload, bytes) else b""


def _add_attachment(
    builder: TextBuilder, part: EmailMessage, outer: tuple[str, ...], depth: int, read_inner: ReadInner
) -> None:
    inner_mail = part.get_content_type() == "message/rfc822"
    name = one_line(clean(part.get_filename() or ("message.eml" if inner_mail else "attachment")))
    try:
        inner = read_inner(_payload(part), name, depth + 1)
    except ExtractionFailed as error:
        builder.warn("attachment_unread", f"The attachment {name!r} was not read: {error}")
        return
    builder.start_root(*outer)
    builder.heading(f"Attachment: {name}", 1)
    builder.start_root(*outer, f"Attachment: {name}")
    builder.append_extracted(inner)
