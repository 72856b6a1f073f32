"""Words of everyday life that retell a fact at hand and add nothing to it; the words stand in everyday_words.toml."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Final

from analytics.grounding.concepts import read_rows
from analytics.grounding.plain_words import ENDINGS

_TABLES: Final = tomllib.loads(
    files("analytics.grounding").joinpath("everyday_words.toml").read_text(encoding="utf-8")
)
_BY_LANGUAGE: Final = read_rows(_TABLES["words"])
_SERVICES: Final = read_rows(_TABLES["services"])
_SHORTEST: Final = 3


@lru_cache(maxsize=20_000)
def is_everyday(word: str, language: str, *, at_readers: bool = False) -> bool:
    """Tell whether a flat word is one of everyday life in a language, inflected at most.

    `at_readers` says that it is said of readers, who drive and fetch what the company would offer as a service.
    """
    tables = (_BY_LANGUAGE, _SERVICES) if at_readers else (_BY_LANGUAGE,)
    return any(_holds(table[language], word) for table in tables)


def _holds(words: tuple[Mapping[str, object], Mapping[str, object]], word: str) -> bool:
    whole, beginnings = words
    return word in whole or any(
        word[:length] in beginnings and word[length:] in ENDINGS for length in range(_SHORTEST, len(word) + 1)
    )
