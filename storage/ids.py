"""Public identifiers: UUID version 7, or 8 where one follows from another; made and recognised only here."""

import hashlib
import re
import secrets
import time
import uuid
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count

_FIXED: ContextVar[Iterator[str] | None] = ContextVar("fixed identifiers", default=None)


@contextmanager
def fixed_ids(name: str) -> Generator[None]:
    """Let each identifier made inside follow from a name and its place, so that a sample has the same ones everywhere.

    The same name must not be used twice in one database.
    """
    token = _FIXED.set(derived_id(name, str(place)) for place in count())
    try:
        yield
    finally:
        _FIXED.reset(token)


def new_id() -> str:
    """Return a new identifier; identifiers of one machine sort by millisecond of creation.

    Layout: 48 bit Unix milliseconds, version, 74 random bits (RFC 9562, section 5.7).
    """
    fixed = _FIXED.get()
    if fixed is not None:
        return next(fixed)
    value = (time.time_ns() // 1_000_000) << 80 | secrets.randbits(80)
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return str(uuid.UUID(int=value))


def derived_id(*parts: str) -> str:
    """Return the identifier that these words always give, so that work that is repeated finds what it made.

    Layout: 122 bits of their SHA-256, version 8 (RFC 9562, section 5.8).
    """
    value = int.from_bytes(hashlib.sha256("|".join(parts).encode()).digest()[:16])
    value = value & ~(0xF << 76) | 0x8 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return str(uuid.UUID(int=value))


_ID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)
is_id: Callable[[str], object] = _ID.fullmatch
"""Return something true when the text is a UUID in its 36-character form, in any case."""


def ids_in(text: str) -> list[str]:
    """Return every identifier that a text names, as it writes it."""
    return _ID.findall(text)
