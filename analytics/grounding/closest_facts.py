"""Which fact with a claim's value is what its sentence speaks of, before all facts with other values."""

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from analytics.grounding import lexicon
from analytics.grounding.claims import DraftClaim
from analytics.grounding.draft_sentences import DraftSentence, clause_of
from analytics.grounding.entailment import Entailment
from analytics.grounding.fact_lines import (
    MOST_LINES,
    MOST_WORDS,
    FactLine,
    comparable_kind,
    covers,
    has_same_value,
    is_alone,
    is_comparable,
    is_same_unit,
    is_set_against,
    relevance,
)
from analytics.grounding.facts import Word, WordIndex, is_negative, words_of
from analytics.grounding.known_names import PLACES
from analytics.grounding.known_people import DATED
from analytics.grounding.number_bounds import bound_of
from analytics.grounding.speech_acts import TRADE, WE
from analytics.text.language import FUNCTION_WORDS

_ENOUGH = re.compile(
    r"\b(?:enough|plenty|suffices?|sufficient|reich(?:t|en)|genug|genug(?:t|en)|suffi(?:t|sent)|assez|bastan?"
    r"|suficientes?"
    r"|bastano|sufficient[ei]|volsta(?:at|an)|genoeg)\b"
)
"""What makes a number that a fact gives a measure of the reader's: twenty minutes are enough to find out."""
_LONG = 6
"""Letters of a plain word that tells of something: travel, in French."""
_SHORTEST_TELLING, _PLAIN_WORD, _OTHER_CLAIM = 3, 2, 8
"""Letters of a plain word that may tell facts apart, what it counts, and what another claim of the same fact counts."""
_CUE_KINDS = frozenset(
    ("superlative", "free offer", "duration", "legal", "certificate", "award", "medical", "rival")
)


_OWN_NOUN = re.compile(r" (?!of\b|for\b|to\b|if\b|with\b|fur\b|und\b|ab\b|pour\b|si\b)[^\W_]{3,}")
"""What stands behind a word that calls a thing free before it names it."""
_PART_OF = 6
_OF_THEM = re.compile(
    r"\b(?:of (?:our|the|them|which|whom)|davon|unserer|von (?:unseren|ihnen)|dont|de (?:nos|nuestr[oa]s|los cuales"
    r"|las cuales)"
    r"|di cui|de[il]l[ae] nostr[ei]|dei nostri|delle nostre|waarvan|van (?:onze|de))\b"
)


_DEALINGS = TRADE | {"deposit", "daily", "nightly", "month", "year", "visitor", "allow", "appointment"}
"""Meanings of words for what is done with things, when and by whom."""
_NOWHERE = -1
_Place: TypeAlias = tuple[str, int]
"""A sentence of the facts and where a part of it begins; what is set side by side stands in no part together."""


class ClosestFacts:
    """The claims of the material by kind, to ask which of them a claim of a draft is about."""

    def __init__(self, lines: Mapping[str, list[FactLine]], entailment: Entailment) -> None:
        self._lines = lines
        self._entailment = entailment

    def is_of_another(self, line: FactLine, claim: DraftClaim, sentence: DraftSentence) -> bool:
        """Tell whether a fact says its value of a thing that is set against the one that a sentence speaks of."""
        return self._entailment.contrasts.sets_apart(
            sentence.flat, claim.start, sentence.language, line.flat, line.claim.start, line.language,
            amount=claim.kind == "amount",
        )  # fmt: skip

    def is_closest(
        self,
        same: Sequence[FactLine],
        lines: Sequence[FactLine],
        claim: DraftClaim,
        sentence: DraftSentence,
    ) -> bool:
        """Tell whether a fact with a claim's value is what its sentence speaks of, before all with another value."""
        words, near = self.words_about(claim, sentence)
        if claim.kind == "amount" and all(
            self._is_of_another_thing(line, claim, near, sentence) for line in same
        ):
            return False
        content = [word for word in near if not word.plain] or [word for word in words if not word.plain]
        if claim.kind == "date":
            content = [word for word in near if word.meanings & DATED]
        if not content and claim.kind == "free offer":
            return self._is_free_by_plain_words(same, claim, sentence)
        if not content or (claim.kind == "number" and self._stands_alone(claim, content, sentence)):
            is_judged = claim.kind == "amount" or comparable_kind(claim) == "number minutes"
            return not is_judged or self._is_closest_by_plain_words(same, lines, claim, sentence)
        # A word that no fact has tells none of them from another; it is judged by itself.
        told = [word for word in content if self._entailment.holds(word)]
        told = told or [word for word in words if not word.plain and self._entailment.holds(word)]
        if not told and claim.kind in _CUE_KINDS:
            told = [word for word in words if word.meanings and self._entailment.holds(word)]
        if not told:
            denies = is_negative(sentence.flat) and (
                bound_of(sentence.flat, claim) is not None or any(is_negative(line.flat) for line in same)
            )
            is_readers = claim.kind == "number" and WE.search(sentence.flat) is None
            return not content or claim.kind == "amount" or is_readers or denies
        if claim.kind == "number" and _ENOUGH.search(sentence.flat):
            return True
        content = told
        specific = [word for word in content if not self._entailment.is_general(word)]
        held = [
            word for word in words
            if not word.plain and self._entailment.holds(word) and not self._entailment.is_general(word)
        ]  # fmt: skip
        if claim.kind in _CUE_KINDS:
            low, high = clause_of(sentence.flat, claim.start)
            part = next(part for part in sentence.parts if part[0] <= claim.start < part[1])
            beside = (
                [word for word in specific if part[0] <= word.start < part[1]]
                or [word for word in specific if low <= word.start < high]
                or specific
            )
            beside = (
                [
                    word
                    for word in beside
                    if not _is_own_place(word, same) and not _is_booking(word, claim, sentence)
                ]
                or [word for word in held if not _is_own_place(word, same)]
                or beside
            )
            return any(covers(line, beside) for line in same)
        free = _free_words(words, claim, sentence)
        lines = [
            line for line in lines
            if not is_set_against(line, claim, sentence) and not self.is_of_another(line, claim, sentence)
        ]  # fmt: skip
        is_beside = any(not word.plain for word in near)
        plain = _plain_words(near, sentence.language)
        others = self._other_claims(claim, sentence)
        scores = [
            (
                relevance(line, claim, sentence.flat, content if is_beside else [], words, free)
                + (0 if is_beside else sum(line.around.holds(word) for word in content[:MOST_WORDS]))
                + _PART_OF * (_is_part(claim, sentence.flat) and _is_part(line.claim, line.flat))
                + _PLAIN_WORD * sum(map(line.part.holds_itself, plain))
                + _OTHER_CLAIM
                * sum((line.flat in flats) + ((line.flat, line.start) in places) for flats, places in others),
                line,
            )
            for line in lines[:MOST_LINES]
        ]
        best = max(score for score, _ in scores)
        chosen = [line for score, line in scores if score == best]
        return any(
            any(line is other for other in chosen)
            and (
                claim.kind == "date"
                or is_same_unit(line.claim, claim)
                or any((line.flat, line.start) in places for _, places in others)
                or any(line.around.holds(word) for word in (*(specific or content), *held))
                or any(map(line.around.holds_itself, told))
                or (not is_beside and any(line.part.holds_itself(word) for word in plain if word.meanings))
                or (
                    claim.kind == "number"
                    and is_alone(line, lines)
                    and any(map(line.text.holds, told + held))
                )
            )
            for line in same
        )

    def _is_of_another_thing(
        self, line: FactLine, claim: DraftClaim, near: Sequence[Word], sentence: DraftSentence
    ) -> bool:
        """Tell whether a fact gives an amount for a thing that a sentence does not name, which names another one.

        Dealings are no things: what is lent for 9 euros is not all that is lent.
        """
        per = lexicon.PER.match(sentence.flat, claim.end)
        things = [
            word
            for word in near
            if self._is_thing(word, sentence.language)
            and not (per is not None and per.start() <= word.start < per.end())
        ]
        if not things or any(
            line.around.holds(word) or line.around.holds_compound(word.text, sentence.language)
            for word in things
        ):
            return False
        said = WordIndex(sentence.words)
        own = [word for word in words_of(line.flat, line.language) if _is_no_dealing(word)]
        return bool(own) and not any(map(said.holds, own))

    def _is_thing(self, word: Word, language: str) -> bool:
        return (
            _is_no_dealing(word)
            and not self._entailment.is_general(word)
            and (self._entailment.holds(word) or self._entailment.holds_compound(word.text, language))
        )

    def _is_closest_by_plain_words(
        self,
        same: Sequence[FactLine],
        lines: Sequence[FactLine],
        claim: DraftClaim,
        sentence: DraftSentence,
    ) -> bool:
        """Tell whether no fact with another value has more of the plain words that stand beside a claim."""
        low, high = next(part for part in sentence.parts if part[0] <= claim.start < part[1])
        beside = [word for word in sentence.words if low <= word.start < high]
        plain = _plain_words(beside, sentence.language)
        scores = [
            (
                2 * sum(map(line.part.holds_itself, plain))
                + sum(map(line.around.holds_itself, plain))
                - line.is_elliptic,
                line,
            )
            for line in lines[:MOST_LINES]
        ]
        best = max((score for score, _ in scores), default=0)
        return best <= 0 or any(score == best and line is fact for score, line in scores for fact in same)

    def _is_free_by_plain_words(
        self, same: Sequence[FactLine], claim: DraftClaim, sentence: DraftSentence
    ) -> bool:
        """Tell whether a fact speaks of what a sentence calls free in plain words alone."""
        low, high = next(part for part in sentence.parts if part[0] <= claim.start < part[1])
        beside = [word for word in sentence.words if low <= word.start < high and word.meanings | word.stems]
        plain = [
            word
            for word in _plain_words(beside, sentence.language)
            if len(word.text) >= _LONG and self._entailment.holds(word)
        ]
        return not plain or any(line.around.holds(word) for line in same for word in plain)

    def _stands_alone(self, claim: DraftClaim, content: Sequence[Word], sentence: DraftSentence) -> bool:
        """Tell whether all that a sentence speaks of stands in other clauses than a claim: today we are twenty-two."""
        low, high = clause_of(sentence.flat, claim.start)
        return low > 0 and not any(low <= word.start < high for word in content)

    def _other_claims(self, claim: DraftClaim, sentence: DraftSentence) -> list[tuple[set[str], set[_Place]]]:
        """Return, for each number or amount beside a claim, the sentences of facts that hold it, and which parts."""
        low, high = clause_of(sentence.flat, claim.start)
        held = [
            {
                (line.flat, line.start if comparable_kind(other) != comparable_kind(claim) else _NOWHERE)
                for line in self._lines.get(comparable_kind(other), ())[:MOST_LINES]
                if is_comparable(line.claim, other) and has_same_value(line.claim, other)
            }
            for other in sentence.claims
            if other is not claim and other.kind in ("number", "amount") and low <= other.start < high
        ]
        return [({flat for flat, _ in places}, places) for places in held]

    def words_about(self, claim: DraftClaim, sentence: DraftSentence) -> tuple[list[Word], list[Word]]:
        """Return the words of a sentence, or of the one before it if it has none, and those beside a claim."""
        low, high = next(
            ((low, high) for low, high in sentence.parts if low <= claim.start < high),
            (0, len(sentence.flat)),
        )
        before = [word for word in sentence.before if word.plain or self._entailment.holds(word)]
        words = sentence.words if any(not word.plain for word in sentence.words) else before
        beside = [word for word in sentence.words if low <= word.start < high]
        near = beside if words is sentence.words else words
        return list(words[:MOST_WORDS]), list(near[:MOST_WORDS])


def _is_no_dealing(word: Word) -> bool:
    return not word.plain and not word.meanings & _DEALINGS and word.text not in PLACES


def _is_booking(word: Word, claim: DraftClaim, sentence: DraftSentence) -> bool:
    """Tell whether a word before what is called free only says that the reader orders it: book the free test."""
    return (
        claim.kind == "free offer"
        and "order" in word.meanings
        and word.start < claim.start
        and _OWN_NOUN.match(sentence.flat, claim.end) is not None
        and WE.search(sentence.flat, 0, claim.start) is None
    )


def _is_own_place(word: Word, lines: Sequence[FactLine]) -> bool:
    """Tell whether a word names a place that a fact's text names too, if not in the same sentence."""
    return word.text in PLACES and any(line.text.holds_itself(word) for line in lines)


def _is_part(claim: DraftClaim, flat: str) -> bool:
    """Tell whether a number counts some of things that are counted too: four of our twelve rooms."""
    return (
        claim.kind == "number"
        and _OF_THEM.search(flat, max(0, claim.start - 12), min(len(flat), claim.end + 12)) is not None
    )


def _free_words(words: Sequence[Word], claim: DraftClaim, sentence: DraftSentence) -> list[Word]:
    """Return words but for those in parts of a sentence that hold another claim of the same kind."""
    taken = [
        (low, high)
        for low, high in sentence.parts
        for other in sentence.claims
        if other is not claim and other.kind == claim.kind and low <= other.start < high
    ]
    return [word for word in words if not any(low <= word.start < high for low, high in taken)]


def _plain_words(words: Sequence[Word], language: str) -> list[Word]:
    """Return the plain words that may tell one fact from another all the same, `old` or `home`."""
    return [
        word for word in words
        if word.plain and len(word.text) >= _SHORTEST_TELLING and word.text not in FUNCTION_WORDS[language]
    ][:MOST_WORDS]  # fmt: skip
