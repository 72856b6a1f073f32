"""Names that also mean something else: the lists of homonyms and common words, and what tells their senses apart."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, Literal, TypeAlias

from analytics.matching.inflection import case_pattern
from analytics.text.folding import fold
from analytics.text.language import FUNCTION_WORDS

HomonymKind: TypeAlias = Literal["word", "mass", "person", "capital", "known", "noun", "unit"]

_BESIDE_ONLY = FUNCTION_WORDS["en"] | {"into", "off", "out"}
_SHORTEST_PLURAL: Final = 5
_NOWHERE: Final = frozenset[str]()
_TELLING_WORDS: Final = "(?!)"


@dataclass(frozen=True, slots=True)
class Homonym:
    """What else a name means, and where.

    `languages` are those in which it is a common word (empty: all). `brand_words` and `other_words` tell the company's
    sense, or the other one; `brand` and `other` find them in folded text.
    """

    kind: HomonymKind
    languages: frozenset[str]
    brand_words: str = ""
    other_words: str = ""
    listed_in: frozenset[str] = frozenset()
    """Other languages with it as a common word, which there has a small initial or a German article."""

    @property
    def brand(self) -> re.Pattern[str]:
        """Finds words of the company's sense."""
        return _finder(self.brand_words, self._language)

    @property
    def other(self) -> re.Pattern[str]:
        """Finds words of the other sense."""
        return _finder(self.other_words, self._language)

    @property
    def _language(self) -> str:
        """The one language that the telling words are written in; empty if there are several."""
        return next(iter(self.languages)) if len(self.languages) == 1 else ""


@cache
def _listed() -> dict[str, Homonym]:
    """The homonyms of `homonyms.toml` by folded name."""
    text = files("analytics.matching").joinpath("homonyms.toml").read_text(encoding="utf-8")
    return {
        fold(name).text: Homonym(
            kind=entry.get("kind", "word"),
            languages=frozenset(entry.get("in", ())),
            brand_words=entry.get("brand", ""),
            other_words=entry.get("other", ""),
        )
        for name, entry in tomllib.loads(text).items()
    }


@cache
def common_words() -> frozenset[str]:
    """The common English words of `common_words_en.txt`, in lower case."""
    text = files("analytics.matching").joinpath("common_words_en.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if not line.startswith("#"))


@cache
def _listing() -> Mapping[str, frozenset[str]]:
    """The languages in which `common_words.txt` lists a folded word."""
    languages: dict[str, frozenset[str]] = {}
    text = files("analytics.matching").joinpath("common_words.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        language, _, words = line.partition(": ")
        if not line.startswith("#"):
            for word in words.split():
                languages[word] = languages.get(word, _NOWHERE) | {language}
    return languages


@cache
def _finder(words: str, language: str) -> re.Pattern[str]:
    """Finds any of these words in folded text, also with a plural s or in the cases of the language.

    Beside letters without blanks a word is found anywhere. A function word (`of`, `in`) tells something only directly
    before or after the name, for which a line break stands.
    """
    listed = [fold(word).text for word in words.split()]
    folded = [word for word in listed if word not in _BESIDE_ONLY]
    beside = "|".join(word for word in listed if word in _BESIDE_ONLY)
    spaced = sorted((word for word in folded if word[0] < "\u2e80"), key=len, reverse=True)
    glued = [word for word in folded if word[0] >= "\u2e80"]
    parts: list[str] = []
    if spaced:
        alternatives = "|".join(case_pattern(word, language).replace(r"\-", "[- ]") for word in spaced)
        parts.append(rf"(?<!\w)(?:و?(?:ال|بال|لل|ب|ل))?(?:{alternatives})s?(?!\w)")
    if beside:
        parts.append(rf"(?<!\w)(?:{beside})[ \"'“(]{{0,2}}\n|\n[ \"'”)]{{0,3}}(?:{beside})(?!\w)")
    parts += map(re.escape, glued)
    return re.compile("|".join(parts) or _TELLING_WORDS)


def are_common_words(folded: str) -> bool:
    """Return whether a folded name of several words has only common words of one language, as `best buy` has."""
    words = folded.split()
    if len(words) < 2:
        return False
    if all(word in common_words() or word.removesuffix("s") in common_words() for word in words):
        return True
    languages = _listing().get(words[-1], _NOWHERE)
    return any(
        all(word in FUNCTION_WORDS[language] or language in _listing().get(word, _NOWHERE) for word in words)
        for language in languages
    )


@cache
def homonym_of(folded: str) -> Homonym | None:
    """Return what else a folded name means; None if it is neither a listed homonym nor a common word."""
    if folded in _listed():
        return _listed()[folded]
    plural = folded.endswith("s") and len(folded) >= _SHORTEST_PLURAL and folded[:-1] in common_words()
    english = frozenset(("en",)) if plural or folded in common_words() else _NOWHERE
    elsewhere = _listing().get(folded, _NOWHERE)
    return _homonym(english, elsewhere) if english or elsewhere else None


@cache
def _homonym(english: frozenset[str], elsewhere: frozenset[str]) -> Homonym:
    """Return the homonym of a common word, shared by all words of the same languages."""
    return Homonym("word", english, listed_in=elsewhere)
