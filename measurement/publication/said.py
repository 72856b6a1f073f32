"""Contents of answers as daily documents store them: facts of the whole answer, and of each entity."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from storage.repositories.answers.observed_answers import ObservedMention

TONES_BY_MARK = (None, "positive", "neutral", "negative", "not_judged", "unknown")
MARKS = {tone: mark for mark, tone in enumerate(TONES_BY_MARK)}


class ReadWords(NamedTuple):
    """Facts of an answer that do not depend on an entity. `named_in_prompt` holds keys of entities."""

    valid: bool
    cut_off: bool
    not_shown: bool
    served_model: str
    place: str
    language: str
    measurable: bool
    branded: bool
    named_in_prompt: tuple[int, ...]


class SaidOfEntity(NamedTuple):
    """What an answer says about an entity that it names or whose site it cites; `position` counts without a rank."""

    entity_key: int
    named: bool
    rank: int | None
    position: float
    cites_own: bool
    tone: str | None


def said_of(mentions: Iterable[ObservedMention]) -> tuple[SaidOfEntity, ...]:
    """Return what an answer says about entities, by key, without those that it neither names nor cites."""
    return tuple(
        SaidOfEntity(
            mention.entity_key,
            mention.named,
            mention.rank if mention.named else None,
            mention.position if mention.named and mention.rank is None else 0.0,
            mention.cites_own,
            mention.tone if mention.named else None,
        )
        for mention in sorted(mentions, key=lambda mention: mention.entity_key)
        if mention.named or mention.cites_own
    )


def written_mentions(said: Iterable[SaidOfEntity]) -> Iterable[int | float | None]:
    """Write three values per entity: its key, its rank or position, and its tone with whether it is cited.

    A rank is an integer and a position is a float. An entity that is only cited has neither.
    """
    for entity_key, named, rank, position, cites_own, tone in said:
        yield entity_key
        yield (position if rank is None else rank) if named else None
        yield 2 * MARKS[tone] + cites_own


def read_mentions(written: Sequence[Any]) -> tuple[SaidOfEntity, ...]:
    """Parse what `written_mentions` wrote."""
    return tuple(
        SaidOfEntity(
            entity_key,
            place is not None,
            place if isinstance(place, int) else None,
            place if isinstance(place, float) else 0.0,
            bool(mark & 1),
            TONES_BY_MARK[mark >> 1],
        )
        for entity_key, place, mark in zip(written[::3], written[1::3], written[2::3], strict=True)
    )
