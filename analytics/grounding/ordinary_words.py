"""Wording that claims nothing whatever it stands beside; the words stand in ordinary_words.toml."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from analytics.grounding.flattening import flatten
from analytics.grounding.plain_words import ENDINGS, infinitive_of

_SHORTEST: Final = 3
_TABLES: Final[Mapping[str, Mapping[str, str]]] = tomllib.loads(
    files("analytics.grounding").joinpath("ordinary_words.toml").read_text(encoding="utf-8")
)


@dataclass(frozen=True, slots=True)
class _Words:
    """Whole words, and beginnings of words, which stand with a star."""

    whole: frozenset[str]
    begun: frozenset[str]

    def hold(self, word: str) -> bool:
        return word in self.whole or any(
            word[:length] in self.begun and word[length:] in ENDINGS
            for length in range(_SHORTEST, len(word) + 1)
        )


def _words(table: str, language: str) -> _Words:
    said = flatten(_TABLES[table][language]).split()
    return _Words(
        frozenset(word for word in said if word[-1] != "*"),
        frozenset(word[:-1] for word in said if word[-1] == "*"),
    )


_BY_TABLE: Final = {
    table: {language: _words(table, language) for language in words} for table, words in _TABLES.items()
}
_ALWAYS: Final = tuple(table for table in _TABLES if table not in ("deeds", "praises", "surroundings"))


@lru_cache(maxsize=20_000)
def is_ordinary(word: str, language: str, *, ours: bool, of_customers: bool, at_readers: bool) -> bool:
    """Tell whether a flat word is ordinary wording in a language, inflected at most.

    `ours` says that it is said of the company, whose deeds are services; `of_customers` that it is said of customers,
    whose pleasure would be praise; `at_readers` that it tells of what readers have around them.
    """
    word = infinitive_of(word, language) or word
    tables = (
        *_ALWAYS,
        *(() if ours else ("deeds",)),
        *(("surroundings",) if at_readers else ()),
        *(() if of_customers else ("praises",)),
    )
    if of_customers and _BY_TABLE["praises"][language].hold(word):
        return False
    if ours and is_deed(word, language):
        return False
    return any(_BY_TABLE[table][language].hold(word) for table in tables)


def is_deed(word: str, language: str) -> bool:
    """Tell whether a flat word is what a reader does, and would be a service or a story if the company did it."""
    return _BY_TABLE["deeds"][language].hold(word)
