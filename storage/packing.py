"""Text as it is stored: compressed, and known by its digest."""

import hashlib
import zlib

from storage.errors import DamagedData


def sha256_of(text: str) -> str:
    """Return the digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def digest_of(stored: bytes) -> str:
    """Return the digest of what is stored, in hexadecimal digits."""
    return hashlib.sha256(stored).hexdigest()


WINDOW = 32_768
"""So many bytes before it a compressed text can refer to."""


def unpacked(stored: bytes, beside: str = "") -> str:
    """Return text that was stored compressed, with or without the text that stands beside it.

    Raises DamagedData when it is not what was written, or `beside` is not what stood there then.
    """
    reader = zlib.decompressobj(zdict=_window(beside))
    try:
        text = reader.decompress(stored)
        if not reader.eof or reader.unused_data:
            raise zlib.error("it ends too early or too late")
        return text.decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise DamagedData("the stored text of an answer is damaged; restore it from a backup") from error


def packed(text: str, beside: str = "") -> bytes:
    """Compress text for storing; it refers to the words of `beside`, which stay stored as they are, for its own."""
    if not beside:
        return zlib.compress(text.encode(), 6)
    writer = zlib.compressobj(6, zdict=_window(beside))
    return writer.compress(text.encode()) + writer.flush()


def _window(beside: str) -> bytes:
    return beside.encode()[-WINDOW:]
