"""Reads one answer wholly: who is named, where, and whose pages are cited."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from analytics.answers import citations as ownership
from analytics.answers import ranks
from analytics.answers.citations import Citation, OwnedCitation, Ownership
from analytics.matching import mentions
from analytics.matching.aliases import Entity
from analytics.matching.mentions import Matcher, Mention
from analytics.text.suffixes import suffix_list_date


@dataclass(frozen=True, slots=True)
class ExtractedMention:
    """A mention with its place in a ranked list, if the answer ranks it."""

    mention: Mention
    rank: int | None


@dataclass(frozen=True, slots=True)
class Reading:
    """What one answer says. Mentions in order of first appearance, citations in order of the answer."""

    mentions: tuple[ExtractedMention, ...]
    citations: tuple[OwnedCitation, ...]


class Reader:
    """Reads answers for one brand and its competitors.

    Built once per alias set and then pure: the same answer always gives the same reading. Pickles, so a
    process pool can share it. Raises what Matcher raises.
    """

    def __init__(self, entities: Iterable[Entity], brand_id: str):
        entities = tuple(entities)
        self._brand_id = brand_id
        self.matcher = Matcher(entities)
        self.ownership = Ownership(entities, brand_id)

    def __reduce__(self) -> tuple[type["Reader"], tuple[tuple[Entity, ...], str]]:
        return Reader, (self.matcher.entities, self._brand_id)

    @property
    def versions(self) -> Mapping[str, str]:
        """The versions that decide a reading, as stored beside it and named in receipts."""
        return MappingProxyType(
            {
                "matcher": mentions.VERSION,
                "aliasSet": self.matcher.alias_set_hash,
                "rank": ranks.VERSION,
                "ownership": ownership.VERSION,
                "suffixList": suffix_list_date(),
            }
        )

    def read(
        self, text: str, citations: Sequence[Citation] = (), prompt_language: str | None = None
    ) -> Reading:
        """Read the text of a valid answer and the citations its engine reported.

        Without reported citations the links of the text are cited. `prompt_language` is a BCP 47
        tag; it decides the language of short answers. Any string is accepted.
        """
        owned = self.ownership.read(citations, text)
        mentions = self.matcher.find(text, self.ownership.cited_owners(owned), prompt_language)
        places = ranks.list_ranks(text, mentions)
        return Reading(
            mentions=tuple(ExtractedMention(m, places.get(m.entity_id)) for m in mentions), citations=owned
        )
