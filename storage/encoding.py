"""Stored text: compressed, known by its SHA-256 digest, and raw exchanges compressed against the answer's own words."""

import hashlib
import json
import zlib

from storage.errors import DamagedData

WINDOW = 32_768
"""Bytes before it that a compressed text can refer to."""
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
"""What the exchanges of all answers have in common. Never change it: stored exchanges were compressed with it."""

json_text = json.JSONEncoder(ensure_ascii=False).encode


def sha256_of(text: str) -> str:
    """Return the hexadecimal SHA-256 digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def digest_of(stored: bytes) -> str:
    """Return the hexadecimal SHA-256 digest of stored bytes."""
    return hashlib.sha256(stored).hexdigest()


def compress_text(text: str, window: bytes = b"") -> bytes:
    """Compress a text; repeated words of `window` cost almost nothing."""
    if not window:
        return zlib.compress(text.encode(), 6)
    writer = zlib.compressobj(6, zdict=window)
    return writer.compress(text.encode()) + writer.flush()


def decompress_text(stored: bytes, window: bytes = b"") -> str:
    """Return a text that was compressed with this `window`.

    Raises ValueError when `stored` is damaged or the window is another one.
    """
    reader = zlib.decompressobj(zdict=window)
    try:
        text = reader.decompress(stored)
    except zlib.error as error:
        raise ValueError("it is no compressed text") from error
    if not reader.eof or reader.unused_data:
        raise ValueError("it ends too early or too late")
    return text.decode()


def packed(text: str, window: bytes = b"") -> bytes:
    """Compress a text of an answer against the end of `window`, which must stay stored unchanged."""
    return compress_text(text, window[-WINDOW:])


def unpacked(stored: bytes, window: bytes = b"") -> str:
    """Return a text that `packed` compressed. Raises DamagedData."""
    try:
        return decompress_text(stored, window[-WINDOW:])
    except ValueError as error:
        raise DamagedData("the stored text of an answer is damaged; restore it from a backup") from error


def packed_exchanges(written: str, text: str) -> bytes:
    """Compress the raw exchanges of an answer against its text."""
    return packed(written, _exchange_window(text))


def unpacked_exchanges(stored: bytes, text: str) -> str:
    """Return the raw exchanges of an answer. Raises DamagedData."""
    return unpacked(stored, _exchange_window(text))


def _exchange_window(text: str) -> bytes:
    """Return the text as a body has it: JSON within JSON."""
    return EXCHANGE_FIELDS.encode() + json_text(json_text(text))[3:-3].encode()
