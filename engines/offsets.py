"""Turns a provider's citation offsets into code points, and believes none that the text does not confirm."""

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

Unit: TypeAlias = Literal["code_points", "utf16", "utf8"]
Check: TypeAlias = Callable[[str], bool]

OPENING, CLOSING = ("[", "(", "【"), ("]", ")", "】")


def locate(
    text: str, start: int | None, end: int | None, unit: Unit, checks: Sequence[Check]
) -> tuple[int, int] | None:
    """The span as code points of `text`, end exclusive, or None.

    Offsets are read in the unit the provider documents, then as code points, UTF-16
    units and UTF-8 bytes; the first reading whose slice passes is taken. `checks`
    stand from the surest to the weakest, and a sure reading in another unit wins over a weak one.
    """
    if start is None or end is None or not 0 <= start < end:
        return None
    units: tuple[Unit, ...] = (unit, "code_points", "utf16", "utf8")
    readings = [_code_points(text, start, end, candidate) for candidate in dict.fromkeys(units)]
    for check in checks:
        for span in readings:
            if span is not None and check(text[span[0] : span[1]]):
                return span
    return None


def inside(text: str, start: int | None, end: int | None, unit: Unit) -> tuple[int, int] | None:
    """The span as code points when it lies in `text` and splits no character, for spans without own text."""
    if start is None or end is None or not 0 <= start < end:
        return None
    return _code_points(text, start, end, unit)


def marks(url: str) -> tuple[Check, ...]:
    """Checks for a citation mark: it is bracketed, or at least opens a bracket or names the host of `url`."""
    host = _host(url)

    def bracketed(piece: str) -> bool:
        return piece.startswith(OPENING) and piece.endswith(CLOSING)

    def plausible(piece: str) -> bool:
        return piece.startswith(OPENING) or (host is not None and host in piece.lower())

    return bracketed, plausible


def equals(segment: str) -> tuple[Check, ...]:
    """The check for a span whose own text the provider quotes."""
    return (lambda piece: piece == segment,)


def _host(url: str) -> str | None:
    try:
        host = urlsplit(url).hostname
    except ValueError:
        return None
    return host.removeprefix("www.") if host else None


def _code_points(text: str, start: int, end: int, unit: Unit) -> tuple[int, int] | None:
    if unit == "code_points":
        return (start, end) if end <= len(text) else None
    encoding, width = ("utf-16-le", 2) if unit == "utf16" else ("utf-8", 1)
    encoded = text.encode(encoding)
    if end * width > len(encoded):
        return None
    try:
        before = encoded[: start * width].decode(encoding)
        within = encoded[start * width : end * width].decode(encoding)
    except UnicodeDecodeError:  # the offset splits a character
        return None
    return len(before), len(before) + len(within)
