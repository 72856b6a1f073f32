"""Decides whether a sentence follows from known facts: each word that claims something, and who did what."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from analytics.grounding.addressees import addressees
from analytics.grounding.comparisons import compares, never
from analytics.grounding.facts import (
    KnownPart,
    Word,
    WordIndex,
    is_negative,
    split_parts,
    words_of,
)
from analytics.grounding.flattening import flatten
from analytics.grounding.kinship import KIN, kin_in
from analytics.grounding.known_contrasts import KnownContrasts
from analytics.grounding.known_denials import KnownDenials
from analytics.grounding.known_duties import KnownDuties
from analytics.grounding.known_names import PLACES
from analytics.grounding.known_parts import KnownSentence, keys, parts_of, postings_of
from analytics.grounding.known_people import EVENTS, KnownPeople
from analytics.grounding.known_polarity import BOUNDED, SPARED, KnownPolarity
from analytics.grounding.known_universals import ONLY, KnownUniversals
from analytics.grounding.numerals import numbers
from analytics.grounding.plain_words import is_plain
from analytics.grounding.reader_spans import reader_spans
from analytics.grounding.speech_acts import OF_A_KIND, WE, Span, claim_spans, without_courtesies
from analytics.grounding.wording import Wording

LEAST_COVERED = 0.6
"""Share of the words of one part of a sentence that one text of the facts has to hold."""
_MOST_FACTS = 400
"""A word that stands in more facts than these tells none of them from another."""
_FEWEST_SHARED = 2
_LONGEST_PART = 400
_YEAR = re.compile(r"\b(?:1[6-9]|20)\d\d\b")
_OPINION = re.compile(
    r"(?:happy|glad|pleased|delighted|thank\w*|back|again|return\w*|recommend\w*|wieder|gern|gerne|freuen"
    r"|freut|danken|heureux\w*"
    r"|ravi\w*|encantad\w+|content\w*|felic\w+|lieti?|terug|graag|weer|say|says|sagen|disent|dicen|dicono"
    r"|zeggen|choose|choisissent)\b"
)
_FETCHED = re.compile(
    r"(?:collects?|collected|picks?|holen|holt|geholt|abhol\w*|abgeholt|bringen|bringt|gebracht|cherch\w+|recuper\w+"
    r"|recog\w+|recoj\w+|ritir\w+|prelev\w+|haal|haalt|halen|ophal\w*|opgehaald|brengen|brengt|gebracht)\b"
)
"""What is a service when the company does it, and an ordinary word when the customer does."""
_COMMON = re.compile(r"(?<![^\W_])[a-zà-öø-ÿ][^\W\d_]{2,}(?![^\W_])")
_DEFINITE = re.compile(
    r"\b(?:the|every|each|this|der|die|das|dem|den|des|jede[mnrs]?|[ai]m|zu[mr]|beim|vom|le|la|les|l'|aux?|du|chaque"
    r"|el|los|las|al|del|cada|il|lo|gli|i|(?:al|del|nel|sul|dal)(?:l[aeo]|l')?|ai|dei|nei|sui|ogni|de|het"
    r"|elke|ieder)[ ]?\Z"
)
"""What stands before a thing that is not any of its kind."""
_LONGEST_DEFINITE = 8
_RATHER = re.compile(r"rather than\b")
"""What denies rather than compares."""
_TRADES = frozenset(("sell", "deliver", "rent", "own", "order"))
"""What the reader would do who is spared it: need not buy the book."""


class Entailment:
    """All facts of a company in a form that tells whether they bear a sentence out."""

    def __init__(
        self, known: Sequence[KnownSentence], profile_sources: frozenset[int], own_names: str, language: str
    ) -> None:
        self._language = language
        self._own = _own_pattern(own_names, language, known)
        self._own_words = frozenset(flatten(own_names).split())
        self._facts = [fact for sentence in known for fact in parts_of(sentence)]
        everything: list[Word] = []
        by_source: dict[int, list[Word]] = {}
        for fact in self._facts:
            everything += [*fact.words, *fact.around]
            by_source.setdefault(fact.source, []).extend([*fact.words, *fact.around])
        self._index = WordIndex(everything)
        general = [word for source in profile_sources for word in by_source.get(source, ())]
        self._general = WordIndex(general)
        self._sources = {
            source: WordIndex(words) for source, words in by_source.items() if source not in profile_sources
        }
        self._postings = postings_of(self._facts)
        self._people = KnownPeople(known, self._own_words)
        self._wording = Wording(
            self._own, self._is_unknown, self._is_everywhere, list(self._sources.values())
        )
        self._universals = KnownUniversals(self._with, self._general.holds)
        self.contrasts = KnownContrasts(known)
        self._polarity = KnownPolarity(self._facts, self._alike, self._with)
        self._duties = KnownDuties(self._alike, self._with, language)
        self._denials = KnownDenials(self._with)

    def find_unsupported(
        self, text: str, flat: str, claimed: str, language: str, named: Sequence[Word]
    ) -> Span | None:
        """Return `[start, end)` of what a sentence says that no fact bears out, or None.

        `flat` is the flattened text; `claimed` is `flat` with blanks where numbers, hours and the like are judged
        already; `named` are the words of names in it.
        """
        rest = without_courtesies(claimed)
        readers = [*self._reader_spans(flat, language), *addressees(text)]
        ours = _without(flat, readers)
        for low, high in claim_spans(flat, self._own, language):
            words = self._claim_words(rest[low:high], low, language)
            words = self._wording.as_plain(flat, (low, high), words, readers, language)
            if SPARED.search(flat, low, high):
                words = [replace(word, plain=word.plain or bool(word.meanings & _TRADES)) for word in words]
            unsupported = self._unknown(words, language) or self._strange_deed(
                text, flat, (low, high), words, language
            )
            unsupported = unsupported or self.contrasts.find_mixed(flat, (low, high), words, language)
            unsupported = unsupported or self._duties.find_unfounded(flat, (low, high), words)
            unsupported = unsupported or self._denials.find_denied(
                _without(rest, readers),
                (low, high),
                _outside(words, readers) or (words if OF_A_KIND.match(flat) else []),
            )
            unsupported = unsupported or self._uncompared(_without(rest, readers), (low, high), words)
            unsupported = unsupported or self._unkept(
                _without(rest, readers), flat, (low, high), self._claim_words(rest, 0, language)
            )
            if unsupported is not None:
                return unsupported
            for start, end in split_parts(flat[low:high]):
                part = (low + start, min(low + end, low + start + _LONGEST_PART))
                within = [word for word in words if part[0] <= word.start < part[1]]
                # What is denied of the reader's world is denied of nothing that facts tell.
                outside = _outside(within, readers)
                if not self._covered(within) or not self._polarity.agrees(
                    ours, rest, part, outside, language
                ):
                    return part
            if not self._universals.bear_out(
                _without(rest, readers),
                (low, high),
                words,
                words_of(flat, language),
                frozenset(number.value for number in numbers(flat, (language,))),
            ) or not self._is_said_of(named, words):
                return low, high
        return None

    def said_with(self, words: Sequence[Word]) -> list[str]:
        """Return the flat parts of facts that hold any of some words."""
        return [fact.flat for fact in self._with(words)]

    def is_general(self, word: Word) -> bool:
        """Tell whether a word says what the company is, as its profile does."""
        return self._general.holds(word)

    def holds(self, word: Word) -> bool:
        """Tell whether any fact has a word, in its form or in other words."""
        return self._index.holds(word)

    def holds_compound(self, word: str, language: str) -> bool:
        """Tell whether a German or Dutch word is made of words of the facts."""
        return self._index.holds_compound(word, language)

    def is_person(self, word: Word) -> bool:
        """Tell whether a word is of the name of somebody whom the facts name."""
        return self._people.is_one(word.text)

    def is_tied(self, text: str, words: Sequence[Word], around: WordIndex) -> bool:
        """Tell whether facts say of somebody whom a text names one of its words that a line of facts holds too."""
        telling = [word for word in words if not word.plain and not self.is_person(word)]
        return any(
            index.holds_itself(word) and around.holds_itself(word)
            for index, _ in self._people.about(text)
            for word in telling
        )

    def claims_at(self, flat: str, place: int, language: str) -> bool:
        """Tell whether a flat sentence may claim something at a place."""
        return any(low <= place < high for low, high in claim_spans(flat, self._own, language))

    def speaks_of_reader(self, flat: str, place: int, language: str) -> bool:
        """Tell whether a flat sentence speaks of the reader's world at a place."""
        return any(low <= place < high for low, high in self._reader_spans(flat, language))

    def _reader_spans(self, flat: str, language: str) -> list[Span]:
        return reader_spans(flat, self._own, language, lambda part: self._names_known_thing(part, language))

    def _names_known_thing(self, flat: str, language: str) -> bool:
        """Tell whether a flat text speaks of the one thing that facts tell of: the pool, every course, no pool."""
        return any(
            self._index.holds(word)
            and ("company" in word.meanings or not word.plain)
            and _DEFINITE.search(flat, max(0, word.start - _LONGEST_DEFINITE), word.start)
            for word in words_of(flat, language)
        )

    def claims_something(self, flat: str, language: str) -> bool:
        """Tell whether a flat sentence says anything that facts have to bear out."""
        rest = without_courtesies(flat)
        spans = claim_spans(flat, self._own, language)
        return any(
            not word.plain or is_negative(flat[low:high])
            for low, high in spans
            for word in self._claim_words(rest[low:high], low, language)
        )

    def _claim_words(self, flat: str, offset: int, language: str) -> list[Word]:
        """Return the words of a part that are not the company's own name; customers' praise is no courtesy."""
        words = [
            replace(word, start=offset + word.start, end=offset + word.end)
            for word in words_of(flat, language)
            if word.text not in self._own_words
        ]
        if WE.search(flat):
            words = [
                replace(word, plain=False) if word.plain and _FETCHED.fullmatch(word.text) else word
                for word in words
            ]
        if not any("visitor" in word.meanings for word in words):
            return words
        return [
            replace(word, plain=False) if word.plain and _OPINION.fullmatch(word.text) else word
            for word in words
        ]

    def _unknown(self, words: Sequence[Word], language: str) -> Span | None:
        unknown = [word for word in words if self._is_unknown(word, language)]
        return (unknown[0].start, unknown[-1].end) if unknown else None

    def _is_unknown(self, word: Word, language: str) -> bool:
        return (
            not word.plain
            and not self._index.holds(word)
            and not self._index.holds_compound(word.text, language)
        )

    def _is_everywhere(self, word: Word) -> bool:
        """Tell whether a word tells no text of the facts from the others."""
        return self._general.holds(word) or sum(index.holds(word) for index in self._sources.values()) > 1

    def _unkept(self, flat: str, whole: str, span: Span, words: Sequence[Word]) -> Span | None:
        """Return where a part says that something never happens, and no fact denies anything its sentence tells of."""
        denial = None if BOUNDED.search(whole, *span) else never(flat, span)
        content = [word for word in words if not word.plain]
        if denial is None or any(
            is_negative(fact.flat) or ONLY.search(fact.flat) for fact in self._with(content)
        ):
            return None
        return denial

    def _uncompared(self, flat: str, span: Span, words: Sequence[Word]) -> Span | None:
        """Return where a part sets things against each other and no fact about them does."""
        comparison = compares(flat, span)
        denied = [
            word
            for word in words
            if comparison is not None
            and _RATHER.match(flat, comparison[0])
            and word.start > comparison[0]
            and not word.plain
        ]
        if comparison is None or any(
            compares(fact.flat, (0, len(fact.flat)))
            or (is_negative(fact.flat) and any(map(fact.index.holds_itself, denied)))
            for fact in self._with([w for w in words if not w.plain])
        ):
            return None
        return comparison

    def _covered(self, words: Sequence[Word]) -> bool:
        """Tell whether one text of the facts holds most words of a part."""
        content = [
            word
            for word in words
            if not word.plain and word.text not in PLACES and not self._general.holds(word)
        ]
        if len(content) < _FEWEST_SHARED:
            return True
        # Words of what the company is may stand for what is left out: sent after roasting.
        everything = [word for word in words if not word.plain and word.text not in PLACES]
        return any(
            sum(map(index.holds, said)) >= LEAST_COVERED * len(said)
            for index in self._sources.values()
            for said in (content, everything)
        )

    def _is_said_of(self, named: Sequence[Word], words: Sequence[Word]) -> bool:
        """Tell whether some fact says of a name at least one of the things that a part says of it."""
        names = {word.text for word in named} & {word.text for word in words}
        told = [word for word in named if word.text in names and self._index.holds(word)]
        others = [
            word
            for word in words
            if not word.plain
            and word.text not in names
            and word.text not in KIN
            and not self._general.holds(word)
        ]
        if not told or not others:
            return True
        facts = [self._facts[place] for place in self._places(told[0])]
        return not facts or any(
            all(fact.whole.holds(word) for word in told) and any(fact.whole.holds(word) for word in others)
            for fact in facts
        )

    def _alike(self, words: Sequence[Word]) -> list[KnownPart]:
        """Return the facts that share most with these words; none if they share next to nothing."""
        told: Counter[int] = Counter()
        shared: Counter[int] = Counter()
        for word in words:
            near = dict.fromkeys(self._places(word), 1)
            shared.update(near)
            told.update({} if word.plain else near)
        most = max((told[place] for place in shared), default=0)
        if most:
            return [self._facts[place] for place, count in told.items() if count == most]
        likest = max(shared.values(), default=0)
        if likest < _FEWEST_SHARED:
            return []
        return [self._facts[place] for place, count in shared.items() if count == likest]

    def _with(self, words: Sequence[Word]) -> list[KnownPart]:
        return [self._facts[place] for place in {place for word in words for place in self._places(word)}]

    def _places(self, word: Word) -> list[int]:
        """Return the places of the facts that hold a word, none of a word that stands almost everywhere."""
        near = {place for key in keys(word) for place in self._postings.get(key, ())}
        return (
            [place for place in near if self._facts[place].index.holds(word)]
            if len(near) <= _MOST_FACTS
            else []
        )

    def _is_behind_name(self, word: Word, words: Sequence[Word]) -> bool:
        """Tell whether a word stands behind another of somebody's name: a family name, which others may bear too."""
        return any(other.end == word.start - 1 and self._people.is_one(other.text) for other in words)

    def _strange_deed(
        self, text: str, flat: str, span: Span, words: Sequence[Word], language: str
    ) -> Span | None:
        """Return what is said of a known person that no fact says of that person."""
        are_kin = bool(kin_in(flat[slice(*span)])) and bool(self._people.about(text))
        if are_kin and not self._people.are_kin(text, flat[slice(*span)]):
            return span
        for low, high in self._people.deeds(text[slice(*span)], flat[slice(*span)], self._language):
            part = (span[0] + low, span[0] + high)
            within = [word for word in words if part[0] <= word.start < part[1]]
            if self._people.mixes_up(text[slice(*part)], language) and any(
                word.meanings & EVENTS for word in within
            ):
                return part
            title = self._people.has_title_of_another(text[slice(*part)], within)
            if title is not None:
                return title.start, title.end
            for index, years in self._people.about(text[slice(*part)]):
                strange = [
                    word
                    for word in within
                    if (not word.plain or word.meanings & EVENTS)
                    and word.text not in KIN
                    and not (
                        self._people.is_one(word.text) and (are_kin or self._is_behind_name(word, within))
                    )
                    and not index.holds(word)
                    and not (self._general.holds(word) and not word.meanings & EVENTS)
                ]
                if strange:
                    return strange[0].start, strange[-1].end
                year = next((match for match in _YEAR.finditer(flat, *part) if match[0] not in years), None)
                if year is not None:
                    return year.span()
        return None


def _own_pattern(names: str, language: str, known: Sequence[KnownSentence]) -> re.Pattern[str] | None:
    """Return what finds a company's name in flat text, by the words of it that no fact writes as common nouns."""
    words = [word for word in re.findall(r"[^\W\d_]+", flatten(names)) if len(word) > 2]
    common = {flatten(word) for sentence in known for word in _COMMON.findall(sentence.text)}
    telling = [word for word in words if not is_plain(word, language) and word not in common] or words
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, telling))})\b") if telling else None


def _outside(words: Sequence[Word], spans: Sequence[Span]) -> list[Word]:
    return [word for word in words if not any(first <= word.start < last for first, last in spans)]


def _without(flat: str, spans: Sequence[Span]) -> str:
    """Return a flat text with blanks where spans stand."""
    for low, high in spans:
        flat = f"{flat[:low]}{' ' * (high - low)}{flat[high:]}"
    return flat
