"""What facts say of one thing and not of the one set against it: of the large inspection, not of the small."""

import re
from collections.abc import Sequence
from typing import Final

from analytics.grounding.facts import Word, WordIndex, is_negative, words_of
from analytics.grounding.known_parts import KnownSentence
from analytics.grounding.opposites import Opposite, governing, is_of_kinds, opposites
from analytics.grounding.speech_acts import Span

REFERS: Final = re.compile(
    r"(?:it|this|that|they|these|sie|er|es|diese?[rs]?|elles?|ils?|celle-ci|celui-ci|ella|este|esta|lei|esso|essa"
    r"|questo|questa"
    r"|deze|dit|hij|ze)\b"
)
"""What opens a sentence that speaks of what the one before it does."""
_LACKS: Final = re.compile(r"\b(?:unlike|anders als|im gegensatz)\b")
_TIMES: Final = "time"
_ALWAYS: Final = frozenset((_TIMES, "order", "place"))
"""Sets of which one member in the facts is enough: after is not before."""


class KnownContrasts:
    """The words of the facts by the member of each set of opposites that they stand under."""

    def __init__(self, known: Sequence[KnownSentence]) -> None:
        named = [opposites(sentence.flat, sentence.language) for sentence in known]
        self._active = _active(known, named)
        under: dict[tuple[str, str | None], list[Word]] = {}
        before: list[Opposite] = []
        source = -1
        for sentence, hits in zip(known, named, strict=True):
            refers = source == sentence.source and REFERS.match(sentence.flat) is not None
            inherited = {hit.of: hit.member for hit in before} if refers else {}
            for word in words_of(sentence.flat, sentence.language):
                ruled = inherited | governing(hits, sentence.flat, word.start)
                for of in self._active:
                    is_shared = _stands_before_all(word, of, hits)
                    under.setdefault((of, None if is_shared else ruled.get(of)), []).append(word)
            if not (refers and not hits):
                before = hits
            source = sentence.source
        self._under = {key: WordIndex(words) for key, words in under.items()}

    def find_mixed(self, flat: str, span: Span, words: Sequence[Word], language: str) -> Span | None:
        """Return where a part says of a thing what facts say of the one set against it alone, None if it does not.

        What is denied of it is no such claim, and a part that names both is not read.
        """
        said = flat[slice(*span)]
        if not self._active or is_negative(said) or _LACKS.search(said):
            return None
        named = [hit for hit in opposites(flat, language) if hit.of in self._active]
        counted = {of: {hit.member for hit in named if hit.of == of} for of in {hit.of for hit in named}}
        for word in words:
            # The thing itself, which the member stands beside, may be understood in the facts: a large one.
            if word.plain or any(hit.start - 1 <= word.end and word.start <= hit.end + 1 for hit in named):
                continue
            for of, member in governing(named, flat, word.start).items():
                if len(counted[of]) == 1 and self._is_of_another(word, of, member):
                    return word.start, word.end
        return None

    def sets_apart(
        self, flat: str, place: int, language: str, fact: str, at: int, known_language: str, *, amount: bool
    ) -> bool:
        """Tell whether a place of a sentence and one of a fact stand under two members of one set."""
        said = governing(opposites(flat, language), flat, place)
        if not said.keys() & self._active:
            return False
        told = governing(opposites(fact, known_language), fact, at)
        return any(
            told.get(of, member) != member
            for of, member in said.items()
            if of in self._active and not (amount and of == _TIMES)
        )

    def _is_of_another(self, word: Word, of: str, member: str) -> bool:
        places = {key for key in self._under if key[0] == of and self._under[key].holds(word)}
        return bool(places) and not places & {(of, member), (of, None)}


def _stands_before_all(word: Word, of: str, named: Sequence[Opposite]) -> bool:
    """Tell whether a word stands before several members, and is said of each: a booster for dogs and for cats."""
    alike = [hit for hit in named if hit.of == of]
    return len({hit.member for hit in alike}) > 1 and word.end <= alike[0].start


def _active(known: Sequence[KnownSentence], named: Sequence[list[Opposite]]) -> frozenset[str]:
    """Return the sets of which the facts name two members in one text, or anywhere if they tell kinds apart."""
    told: dict[tuple[str, int], set[str]] = {}
    for sentence, hits in zip(known, named, strict=True):
        for hit in hits:
            text = -1 if is_of_kinds(hit.of) else sentence.source
            told.setdefault((hit.of, text), set()).add(hit.member)
    return frozenset(of for (of, _), members in told.items() if len(members) > 1) | _ALWAYS
