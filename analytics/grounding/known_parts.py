"""The sentences of the facts, part by part, and where each word stands in them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from analytics.grounding.facts import KnownPart, Word, WordIndex, split_parts, words_of
from analytics.grounding.known_names import GIVEN_NAMES


@dataclass(frozen=True, slots=True)
class KnownSentence:
    """One flat sentence of the facts with its original text, its title, its language and the number of its text."""

    flat: str
    text: str
    title: str
    language: str
    source: int


def parts_of(sentence: KnownSentence) -> Iterator[KnownPart]:
    """Yield the parts of a sentence, each with the words of the whole and of the title."""
    around = (
        *with_consequences(words_of(sentence.flat, sentence.language)),
        *words_of(sentence.title, sentence.language),
    )
    whole = WordIndex(around)
    is_beside_name = False
    for start, end in split_parts(sentence.flat):
        flat = sentence.flat[start:end]
        words = tuple(with_consequences(words_of(flat, sentence.language)))
        yield KnownPart(flat, words, around, sentence.source, WordIndex(words), whole, is_beside_name)
        is_beside_name = any(word.text in GIVEN_NAMES for word in words)


def with_consequences(words: Sequence[Word]) -> Iterator[Word]:
    """Yield words with what follows from them: who has taken a firm over runs and owns it."""
    for word in words:
        yield replace(word, meanings=word.meanings | {"lead", "own"}) if "takeover" in word.meanings else word


def postings_of(facts: Sequence[KnownPart]) -> dict[str, list[int]]:
    """Return stem or meaning -> the places of the facts that hold it."""
    postings: dict[str, list[int]] = {}
    for place, fact in enumerate(facts):
        for key in {key for word in fact.words for key in keys(word)}:
            postings.setdefault(key, []).append(place)
    return postings


def keys(word: Word) -> frozenset[str]:
    """Return what a word is filed under: its stems and its meanings."""
    return word.stems | frozenset(f"={meaning}" for meaning in word.meanings)
