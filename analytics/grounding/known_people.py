"""Whom the facts name, and what they say that each of them did."""

import re
from collections.abc import Sequence

from analytics.grounding.facts import WordIndex, split_parts, words_of
from analytics.grounding.flattening import flatten
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
    r"(?:she|he|they|her|his|their|ihre?|seine?|sa|son|ses|su|sua|suo|haar|zijn|sie|er|elle|il|ella|el|lei|lui|zij|ze|hij)\b"
)


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
        last: list[int] = []
        source = -1
        for sentence in known:
            named = [
                self._number(name, sentence.language)
                for name in person_names(sentence.text, sentence.language)
                if not own.issuperset(map(flatten, name))
            ]
            if not named and source == sentence.source and last and _PRONOUN.match(sentence.flat):
                named = last[-1:]
            for number in named:
                self._said[number] += self._own_parts(sentence, number, len(set(named)) > 1)
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
        tokens = {flatten(word) for word in re.findall(r"\b[^\W\d_a-z][^\W\d_]+", text)}
        return [self._about[number] for number, names in enumerate(self._names) if names & tokens]

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
        parts = [sentence.flat[start:end] for start, end in deeds(sentence.flat, sentence.language)]
        return [part for part in parts if self._names[number] & frozenset(re.findall(r"[^\W\d_]+", part))]
