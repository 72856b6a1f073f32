"""What the results of several tools share: camel-case models, durations, pages, and strangers' text made harmless."""

import unicodedata
from typing import TypedDict

from pydantic import BaseModel, Field

LONGEST_TEXT = 2000
HIDING = frozenset({"Cc", "Cf", "Co", "Cs"})
LOCAL_NOTICE = (
    "Contains answers of the local demo model (135 million parameters). It shows that measuring works; "
    "it knows little and invents facts."
)


class Wire(BaseModel):
    """Base of every result; field names are those of the wire."""


class Interval(Wire):
    """A 95 % interval in the unit of its value."""

    low: float
    high: float


class ExpectedDuration(Wire):
    """How long something is expected to take, in seconds."""

    low: int
    high: int


class Page(Wire):
    """One page of a list."""

    total: int = Field(description="How many there are in all.")
    limit: int
    offset: int
    nextOffset: int | None = Field(description="Offset of the next page; null at the end.")


class Place(TypedDict):
    """The fields that say which page of a list a page is."""

    total: int
    limit: int
    offset: int
    nextOffset: int | None


def place_of(total: int, limit: int, offset: int) -> Place:
    """Return where a page stands in its list; no offset follows when it reaches the end."""
    following = offset + limit if offset + limit < total else None
    return Place(total=total, limit=limit, offset=offset, nextOffset=following)


def harmless(text: str, longest: int = LONGEST_TEXT) -> str:
    """Return text of an engine or a page without characters that hide or reorder words, cut to a length.

    Control, format (zero-width, bidirectional, tag) and private-use characters go; line breaks and tabs stay.
    """
    kept = "".join(
        char for char in text[: 2 * longest] if char in "\n\t" or unicodedata.category(char) not in HIDING
    )
    return kept if len(kept) <= longest else kept[: longest - 1] + "…"


def notice(platforms: list[str]) -> str | None:
    """Return what must be said beside numbers that the built-in engine contributed to."""
    return LOCAL_NOTICE if "local" in platforms else None
