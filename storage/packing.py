"""Text as it is stored: compressed, and known by its digest."""

import hashlib
import zlib

from storage.errors import DamagedData


def sha256_of(text: str) -> str:
    """Return the digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def unpacked(stored: bytes) -> str:
    """Return text that was stored compressed. Raises Damaged when it is not what was written."""
    try:
        return zlib.decompress(stored).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise DamagedData("the stored text of an answer is damaged; restore it from a backup") from error


def packed(text: str) -> bytes:
    """Compress text for storing."""
    return zlib.compress(text.encode(), 6)
