"""Text as it is stored: compressed, and known by its digest."""

import hashlib

from storage.errors import DamagedData
from storage.statements.compression import compress_text, decompress_text
from storage.statements.json_encoding import quoted


def sha256_of(text: str) -> str:
    """Return the digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def digest_of(stored: bytes) -> str:
    """Return the digest of what is stored, in hexadecimal digits."""
    return hashlib.sha256(stored).hexdigest()


WINDOW = 32_768
"""So many bytes before it a compressed text can refer to."""


def unpacked(stored: bytes, window: bytes = b"") -> str:
    """Return text that was stored compressed, with or without the words that stood beside it.

    Raises DamagedData when it is not what was written, or `window` is not what stood there then.
    """
    try:
        return decompress_text(stored, window[-WINDOW:])
    except ValueError as error:
        raise DamagedData("the stored text of an answer is damaged; restore it from a backup") from error


def packed(text: str, window: bytes = b"") -> bytes:
    """Compress text for storing; it refers to the words of `window`, which stay stored as they are, for its own."""
    return compress_text(text, window[-WINDOW:])


EXCHANGE_FIELDS = (
    '[{"sentAt": "2026-01-01T00:00:00.000000+00:00", "url": "https://api.", "request": "{\\"model\\":\\"", '
    '"status": 200, "headers": {"content-type": "application/json"}, "body": "{\\"id\\":\\"\\",'
    '\\"output\\":[{\\"type\\":\\"", '
    '"receivedAt": "2026-01-01T00:00:00.000000+00:00", "rawSha256": "", "stripped": false}]'
    '\\"citations\\":[{\\"url\\":\\"https://www.\\",\\"title\\":\\"\\",\\"kind\\":\\"cited\\"},{\\"url\\":\\"https://www.'
    '\\",\\"captured_at\\":\\"2026-01-01T00:00:00.000000Z\\",\\"mode\\":\\"readiness\\",\\"mode\\":\\"visibility\\",'
    '\\"citations_known\\":true,\\"truncated\\":false,\\"clipped\\":false,\\"model\\":\\"\\",\\"country\\":\\"\\",'
    '\\"not_supported\\":[],\\"repeat\\":0}"}][{"line": "{\\"platform\\":\\"\\",\\"prompt\\":\\"\\",\\"text\\":\\"'
)
"""What the exchanges of every answer have in common. Never to be changed: what is stored was compressed with it."""


def packed_exchanges(written: str, text: str) -> bytes:
    """Compress the raw exchanges of an answer with its words, as they stand in a body: JSON within JSON."""
    return packed(written, _within_exchanges(text))


def unpacked_exchanges(stored: bytes, text: str) -> str:
    """Return the raw exchanges of an answer. Raises DamagedData, as `unpacked` does."""
    try:
        return unpacked(stored, _within_exchanges(text))
    except DamagedData:
        return unpacked(stored, text.encode())  # as earlier releases compressed them


def _within_exchanges(text: str) -> bytes:
    return EXCHANGE_FIELDS.encode() + quoted(quoted(text))[3:-3].encode()
