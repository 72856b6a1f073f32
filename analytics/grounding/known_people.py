"""Whom the facts name, and what they say that each of them did."""

import re
from collections.abc import Sequence

from analytics.grounding.facts import Word, WordIndex, split_parts, words_of
from analytics.grounding.flattening import flatten
from analytics.grounding.kinship import FAMILY, KIN, is_whose_kin, kin_in
from analytics.grounding.known_families import KnownFamilies
from analytics.grounding.known_parts import KnownSentence, with_consequences
from analytics.grounding.names import person_names
from analytics.grounding.speech_acts import Span

EVENTS = frozenset(
    (
        "found",
        "lead",
        "own",
        "join",
        "takeover",
        "move",
        "renovate",
        "treat",
        "bake",
        "train",
        "sell",
        "repair",
        "deliver",
    )
)
DATED = frozenset(("found", "lead", "own", "join", "takeover", "move", "renovate"))
_YEAR = re.compile(r"\b(?:1[6-9]|20)\d\d\b")
_PRONOUN = re.compile(
    r"(?:she|he|they|her|his|their|ihre?|seine?|sa|son|ses|su|sua|suo|haar|zijn|sie|er|elle|il|ella|el|lei|lui|zij|ze"
    r"|hij)\b"
)


_CAPITALISED = re.compile(r"\b[^\W\d_a-z][^\W\d_]+")
_NOWHERE = -9
_LEADER = re.compile(
    r"(?:director|manager|boss|chef|owner|founder|co-founder|president|principal|head|geschaftsfuhrer\w*|inhaber\w*"
    r"|grunder\w*|leiter\w*"
    r"|chefin|meister\w*|directeur|directrice|gerante?|proprietaire|fondat\w+|patron\w*|director[ae]?s?|gerente"
    r"|duen[oa]|fundador\w*"
    r"|titolare|direttore|direttrice|fondatrice|proprietari\w+|eigenaar|eigenares|directeur|oprichter|oprichtster"
    r"|bedrijfsleider"
    r"|chef-kok|kok|cocin\w+|cuoc\w|chefkoch\w*)"
)
"""A title, which is somebody's and no one else's; who leads something need not be its director."""


def deeds(flat: str, language: str) -> list[Span]:
    """Return `[start, end)` of the parts of a flat sentence that each tell something done; others join those before."""
    parts: list[Span] = []
    for low, high in split_parts(flat):
        tells = any(word.meanings & EVENTS for word in words_of(flat[low:high], language))
        if parts and (
            not tells
            or not any(word.meanings & EVENTS for word in words_of(flat[slice(*parts[-1])], language))
        ):
            parts[-1] = (parts[-1][0], high)
        else:
            parts.append((low, high))
    return parts


class KnownPeople:
    """The people whom the facts name, with all that is said of each."""

    def __init__(self, known: Sequence[KnownSentence], own: frozenset[str]) -> None:
        self._own = own
        self._names: list[set[str]] = []
        self._said: list[list[str]] = []
        self._languages: list[str] = []
        self._families = KnownFamilies([sentence.text for sentence in known])
        for sentence in known:
            for name in person_names(sentence.text, sentence.language):
                if not own.issuperset(map(flatten, name)):
                    self._number(name, sentence.language)
        last: list[int] = []
        source = -1
        for sentence in known:
            named = sorted(self._numbers(sentence.text))
            if not named and source == sentence.source and last and _PRONOUN.match(sentence.flat):
                named = last[-1:]
            for number in named:
                self._said[number] += self._own_parts(sentence, number, len(named) > 1)
            last, source = named, sentence.source
        self._about = [
            (
                WordIndex(word for flat in said for word in with_consequences(words_of(flat, language))),
                set(_YEAR.findall(" ".join(said))),
            )
            for said, language in zip(self._said, self._languages, strict=True)
        ]

    def about(self, text: str) -> list[tuple[WordIndex, set[str]]]:
        """Return the words and years that facts say of each of the people whom a text names."""
        return [self._about[number] for number in sorted(self._numbers(text, subjects=True))]

    def deeds(self, text: str, flat: str, language: str) -> list[Span]:
        """Return `[start, end)` of what a sentence tells, apart also where its parts name other people."""
        parts: list[Span] = []
        for low, high in deeds(flat, language):
            start = low
            before: frozenset[int] = frozenset()
            tells = False
            until = low
            for first, last in split_parts(flat[low:high]):
                is_parted = "," in flat[until : low + first] or ";" in flat[until : low + first]
                until = low + last
                named = self._numbers(text[low + first : low + last])
                said = words_of(flat[low + first : low + last], language)
                goes_on = any(not self.is_one(word.text) and word.text not in KIN for word in said)
                if before and named and not named & before and tells and goes_on and is_parted:
                    parts.append((start, low + first))
                    start, before, tells = low + first, frozenset[int](), False
                before, tells = before | named, tells or goes_on
            parts.append((start, high))
        return parts

    def are_kin(self, text: str, flat: str) -> bool:
        """Tell whether facts about those whom a text names bear out each relation that it says of them."""
        known = [kin for number in self._numbers(text) for said in self._said[number] for kin in kin_in(said)]
        return all(any(kin.follows_from(other) for other in known) for kin in kin_in(flat))

    def has_title_of_another(self, text: str, words: Sequence[Word]) -> Word | None:
        """Return the first title among some words that facts give to others alone, None without one."""
        own = self._numbers(text)
        if not own:
            return None
        for word in words:
            holders = {number for number, (index, _) in enumerate(self._about) if index.holds_itself(word)}
            if _LEADER.fullmatch(word.text) and holders and not holders & own:
                return word
        return None

    def _numbers(self, text: str, *, subjects: bool = False) -> frozenset[int]:
        """Return the numbers of the people whom a text names; `subjects` leaves out those whose kin somebody is."""
        people: set[int] = set()
        end = _NOWHERE
        for match in _CAPITALISED.finditer(text):
            numbers = {number for number, names in enumerate(self._names) if flatten(match[0]) in names}
            # The name of a family behind a name of somebody's own names nobody else.
            follows = end == match.start() - 1
            end = match.end() if numbers else _NOWHERE
            is_family = FAMILY.search(flatten(text[max(0, match.start() - 12) : match.start()])) is not None
            if not (follows or is_family or (subjects and is_whose_kin(text, *match.span()))):
                people |= numbers
        return frozenset(people)

    def is_one(self, word: str) -> bool:
        """Tell whether a flat word is of the name of somebody whom the facts name."""
        return any(word in names for names in self._names)

    def mixes_up(self, text: str, language: str) -> bool:
        """Tell whether a name in a text is made of the names of two people."""
        for name in person_names(text, language):
            tokens = {flatten(word) for word in name} - self._own
            alike = [names for names in self._names if names & tokens]
            is_kin = len(name) == 2 and self._families.has_name(*name)
            if alike and not is_kin and not any(tokens <= names for names in alike):
                return True
        return False

    def _number(self, name: Sequence[str], language: str) -> int:
        tokens = {flatten(word) for word in name} - self._own
        for number, names in enumerate(self._names):
            if names & tokens:
                names |= tokens
                return number
        self._names.append(tokens)
        self._said.append([])
        self._languages.append(language)
        return len(self._names) - 1

    def _own_parts(self, sentence: KnownSentence, number: int, shared: bool) -> list[str]:
        """Return what of a sentence is said of one person: all, or the parts that name it beside others."""
        if not shared:
            return [sentence.flat]
        parts: list[str] = []
        named: frozenset[int] = frozenset()
        for start, end in self.deeds(sentence.text, sentence.flat, sentence.language):
            named = self._numbers(sentence.text[start:end]) or named
            parts += [sentence.flat[start:end]] if number in named else []
        return parts
