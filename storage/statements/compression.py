"""Text as it is stored compressed, with or without words that it refers to."""

import zlib


def compress_text(text: str, window: bytes = b"") -> bytes:
    """Compress a text; it refers to the words of `window` for its own."""
    if not window:
        return zlib.compress(text.encode(), 6)
    writer = zlib.compressobj(6, zdict=window)
    return writer.compress(text.encode()) + writer.flush()


def decompress_text(stored: bytes, window: bytes = b"") -> str:
    """Return a text that was compressed, with or without a window.

    Raises ValueError when it is not what was written, or `window` is not what it was written with.
    """
    reader = zlib.decompressobj(zdict=window)
    try:
        text = reader.decompress(stored)
    except zlib.error as error:
        raise ValueError("it is no compressed text") from error
    if not reader.eof or reader.unused_data:
        raise ValueError("it ends too early or too late")
    return text.decode()
