"""What facts say to be in the price of something."""

import re
from collections.abc import Iterator, Sequence
from unicodedata import normalize

from analytics.grounding import lexicon
from analytics.grounding.draft_sentences import DraftSentence, MissingFact, words_beside
from analytics.grounding.entailment import Entailment
from analytics.grounding.fact_lines import holds_most
from analytics.grounding.facts import Word, WordIndex, is_negative, words_of
from analytics.grounding.flattening import flatten
from analytics.grounding.known_texts import KnownText
from analytics.grounding.sentence_spans import language_of, sentences

_INCLUDES = re.compile(r"\b(?:includ(?:es?|ing)|umfasst|comprend|incluye|comprende|omvat|bevat)\b")
_COVERS = re.compile(
    r"\b(?:(?:also|even) (?:includes?|covers?)|(?:umfasst|enthalt|beinhaltet) auch|(?:comprend|inclut|couvre) aussi"
    r"|tambien (?:incluye|cubre)|(?:comprende|include|copre) anche|(?:omvat|bevat|dekt) ook)\b"
)
_LONG = 6
_CLAUSE = re.compile(r"[,;] ?")
_PRICE = frozenset(("price",))


class KnownInclusions:
    """The sentences of the material that say what is included, given free or goes together."""

    def __init__(self, known: Sequence[KnownText], language: str, entailment: Entailment) -> None:
        self._lines = [index for text in known for index in _read_inclusions(text, language)]
        self._general_lines = [line for text in known for line in _read_general(text, language)]
        self._included = [index for text in known for index in _read_included(text, language)]
        self._extra = [index for text in known for index in _read_extra(text, language)]
        self._entailment = entailment

    def find_missing(self, sentence: DraftSentence) -> list[MissingFact]:
        """Return what is said to be in the price, or to be paid besides, though no fact says so."""
        return [
            *self._find_not_included(sentence),
            *self._find_not_extra(sentence),
            *self._find_not_covered(sentence),
        ]

    def _find_not_covered(self, sentence: DraftSentence) -> list[MissingFact]:
        """Return what is said to be included in something else, by words that no fact of what includes what has."""
        match = _COVERS.search(sentence.flat)
        if (
            match is None
            or is_negative(sentence.flat)
            or not self._entailment.claims_at(sentence.flat, match.start(), sentence.language)
        ):
            return []
        things = [
            word for word in sentence.words
            if word.start >= match.end() and (not word.plain or len(word.text) >= _LONG)
            and self._entailment.holds(word)
        ]  # fmt: skip
        if not things or any(all(map(line.holds, things)) for line in self._lines):
            return []
        return [MissingFact("free offer", sentence.text[match.start() : things[-1].end])]

    def _find_not_extra(self, sentence: DraftSentence) -> list[MissingFact]:
        """Return what is said to be paid for besides though facts say that it is in a price."""
        things = self._named_things(sentence)
        return [
            MissingFact("free offer", sentence.text[slice(*match.span())])
            for match in (*lexicon.EXTRA.finditer(sentence.flat), *lexicon.BRING.finditer(sentence.flat))
            if things
            and (lexicon.EXTRA.match(sentence.flat, match.start()) or not is_negative(sentence.flat))
            and not (
                lexicon.BRING.match(sentence.flat, match.start()) and self._asks_for(things, match.start())
            )
            and (
                lexicon.BRING.match(sentence.flat, match.start()) is not None
                or any(all(map(line.holds, things)) for line in self._included)
            )
        ]

    def _named_things(self, sentence: DraftSentence) -> list[Word]:
        """Return the words of a sentence that name what is sold, and neither the company's trade nor a price."""
        return [
            word
            for word in sentence.words
            if not word.plain
            and not self._entailment.is_general(word)
            and not (word.meanings | word.tail_meanings) & _PRICE
        ]

    def _asks_for(self, things: Sequence[Word], place: int) -> bool:
        """Tell whether what the reader is asked to bring is in no price, so that it may be asked for."""
        brought = next((word for word in things if word.start >= place), things[-1])
        return not any(line.holds_itself(brought) for line in self._included)

    def _find_not_included(self, sentence: DraftSentence) -> list[MissingFact]:
        """Return what is said to be in the price though no fact tells of it together with what is paid for."""
        named = self._named_things(sentence)
        return [
            MissingFact("free offer", sentence.text[slice(*match.span())])
            for match in lexicon.INCLUDED.finditer(sentence.flat)
            if self._entailment.claims_at(sentence.flat, match.start(), sentence.language)
            and not lexicon.EXTRA.search(sentence.flat)
            and not self._is_included(words_beside(named, sentence, match.start()), named)
        ]

    def _is_included(self, things: Sequence[Word], words: Sequence[Word]) -> bool:
        """Tell whether a fact says of these things that they are included, and speaks of what the sentence does."""
        if things and any(all(map(line.holds_itself, things)) for line in self._extra):
            return False
        return (
            not things
            or any(
                # What a sentence says of nothing else holds for all that its text speaks of: the helmet is included.
                all(map(line.holds, things))
                and holds_most(text, words)
                and not (telling - {word.text for word in things})
                for line, text, telling in self._general_lines
            )
            or any(
                all(line.holds(word) for word in things)
                and holds_most(line, words)
                and not any(self._entailment.holds(word) and not line.holds(word) for word in words)
                for line in self._lines
            )
        )


def _read_inclusions(known: KnownText, language: str) -> Iterator[WordIndex]:
    """Yield the words of the sentences of a text that say what is included, given free or goes together."""
    text = normalize("NFC", known.text)
    title = flatten(normalize("NFC", known.title))
    own = language_of(text, language)
    for start, end in sentences(text):
        flat = flatten(text[start:end])
        # What costs extra is not in the price that its neighbour is in.
        kept = [part for part in _CLAUSE.split(flat) if not lexicon.EXTRA.search(part)]
        for said in flat.split(";") if ";" in flat else ["; ".join(kept)]:
            if lexicon.INCLUDES.search(said) or lexicon.FREE.search(said):
                yield WordIndex([*words_of(said, own), *words_of(title, own)])


def _read_general(known: KnownText, language: str) -> Iterator[tuple[WordIndex, WordIndex, frozenset[str]]]:
    """Yield the sentences that only say that a thing is included, with all words of their text and what they say."""
    text = normalize("NFC", known.text)
    own = language_of(text, language)
    whole = WordIndex([*words_of(flatten(text), own), *words_of(flatten(normalize("NFC", known.title)), own)])
    for start, end in sentences(text):
        flat = flatten(text[start:end])
        if lexicon.INCLUDED.search(flat) and not is_negative(flat) and not lexicon.EXTRA.search(flat):
            words = words_of(flat, own)
            yield WordIndex(words), whole, frozenset(word.text for word in words if not word.plain)


def _read_included(known: KnownText, language: str) -> Iterator[WordIndex]:
    """Yield the words of the sentences that say in so many words that something is included or free."""
    text = normalize("NFC", known.text)
    own = language_of(text, language)
    for start, end in sentences(text):
        flat = flatten(text[start:end])
        for part in _CLAUSE.split(flat):
            said = lexicon.INCLUDED.search(part) or lexicon.FREE.search(part) or _INCLUDES.search(part)
            if not said or is_negative(part) or lexicon.EXTRA.search(part) or lexicon.BRING.search(flat):
                continue
            yield WordIndex(words_of(part, own))


def _read_extra(known: KnownText, language: str) -> Iterator[WordIndex]:
    """Yield the words of the parts of a text that say what is paid for besides."""
    text = normalize("NFC", known.text)
    own = language_of(text, language)
    for start, end in sentences(text):
        for part in _CLAUSE.split(flatten(text[start:end])):
            if lexicon.EXTRA.search(part):
                yield WordIndex(words_of(part, own))
