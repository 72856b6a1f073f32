"""Words that claim nothing by themselves, by language; the words stand in plain_words.toml."""

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from analytics.grounding.flattening import flatten

_WORDS: Final[Mapping[str, Any]] = tomllib.loads(
    files("analytics.grounding").joinpath("plain_words.toml").read_text(encoding="utf-8")
)


def _by_language(kind: str) -> Mapping[str, frozenset[str]]:
    return {language: frozenset(flatten(words).split()) for language, words in _WORDS[kind].items()}


_BY_LANGUAGE: Final = _by_language("words")
_BEGINNINGS_BY_LANGUAGE: Final = _by_language("beginnings")
ENDINGS: Final = frozenset(("", *_WORDS["endings"].split()))
"""What words of the six languages end in when only their form changes."""
_CLITICS: Final = {
    "es": re.compile(r"\A(\w+[aei]r)(?:me|te|se|nos|os|l[aeo]s?|sel[ao]s?)"),
    "it": re.compile(r"\A(\w+[aei]r)(?:mi|ti|si|ci|vi|l[aeio]|gli|ne|gliel[aeio])"),
}
"""An infinitive with the pronouns that Spanish and Italian join to it."""
_SHORT: Final = 3
_MOST_ENDING: Final = 7


def infinitive_of(word: str, language: str) -> str | None:
    """Return the infinitive of a flat Spanish or Italian word that pronouns are joined to, None for other words."""
    match = _CLITICS[language].fullmatch(word) if language in _CLITICS else None
    return match[1] + ("e" if language == "it" else "") if match else None


def is_plain(word: str, language: str) -> bool:
    """Tell whether a flat word claims nothing by itself in a language."""
    if word in _BY_LANGUAGE[language]:
        return True
    infinitive = infinitive_of(word, language)
    if infinitive is not None and is_plain(infinitive, language):
        return True
    beginnings = _BEGINNINGS_BY_LANGUAGE[language]
    return any(
        word[:length] in beginnings and (length > _SHORT or word[length:] in ENDINGS)
        for length in range(max(_SHORT, len(word) - _MOST_ENDING), len(word) + 1)
    )
