"""Bounds what is read of a text that an engine sent; all of it stays in the raw exchanges."""

from collections.abc import Sequence
from dataclasses import replace

from storage.repositories.answers.citations import StoredCitation

READ_BYTES = 64 * 1024
"""UTF-8 bytes of an answer that are stored as text and read; a long answer has a tenth of it."""


def clip_text(text: str) -> tuple[str, bool]:
    """Return what is read of a text, and whether that is less than all of it."""
    if len(text) * 4 <= READ_BYTES:
        return text, False
    raw = text.encode()
    if len(raw) <= READ_BYTES:
        return text, False
    return raw[:READ_BYTES].decode(errors="ignore"), True


def clip_places(citations: Sequence[StoredCitation], length: int) -> tuple[StoredCitation, ...]:
    """Return citations without the places that lie beyond the first `length` code points of the text."""
    return tuple(
        citation
        if citation.end is None or citation.end <= length
        else replace(citation, start=None, end=None, span=None)
        for citation in citations
    )
