"""Words of everyday life that retell a fact at hand and add nothing to it; the words stand in everyday_words.toml."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Final

from analytics.grounding.concepts import read_rows
from analytics.grounding.plain_words import ENDINGS

_BY_LANGUAGE: Final = read_rows(
    tomllib.loads(files("analytics.grounding").joinpath("everyday_words.toml").read_text(encoding="utf-8"))[
        "words"
    ]
)
_SHORTEST: Final = 3


@lru_cache(maxsize=20_000)
def is_everyday(word: str, language: str) -> bool:
    """Tell whether a flat word is one of everyday life in a language, inflected at most."""
    whole, beginnings = _BY_LANGUAGE[language]
    return word in whole or any(
        word[:length] in beginnings and word[length:] in ENDINGS for length in range(_SHORTEST, len(word) + 1)
    )
