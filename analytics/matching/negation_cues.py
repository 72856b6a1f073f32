"""Finds the cue words of negated mentions ("I found nothing about Acme") in folded text, by language."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Final

from ahocorasick_rs import AhoCorasick, Implementation

from analytics.text.folding import fold


class Cue:
    """Flags for the role of a word in a negated mention; `negation_cues.toml` explains them."""

    NONE: Final = 0
    NEGATES: Final = 1
    LACKS: Final = 2
    KNOWS: Final = 4
    OTHER: Final = 8
    BUT: Final = 16
    LIGHT: Final = 32
    HEDGES: Final = 64
    NAME: Final = 128
    STOP: Final = 256
    PAUSE: Final = 512


_KINDS: Final = {
    "negates": Cue.NEGATES, "lacks": Cue.LACKS, "knows": Cue.KNOWS, "other": Cue.OTHER, "but": Cue.BUT,
    "light": Cue.LIGHT, "hedges": Cue.HEDGES,
}  # fmt: skip
NAME: Final = "\u25c6"
"""Placeholder for each tracked name in a text."""
_MOST_WORDS: Final = 3
_STOPS: Final = ".!?。！？;؛।…"
_PAUSES: Final = ",、，،:：|–—("
_LETTER = r"(?:[^\W_]|[\u0900-\u0963])"
"""`re` does not treat the vowel signs of Devanagari as letters."""
_TOKEN = re.compile(rf"{NAME}(?:'?[^\W_]{{1,6}})?|{_LETTER}+(?:'{_LETTER}*)?|[{_STOPS}{_PAUSES}]")
_CACHED_WORDS: Final = 20_000


class CueWords:
    """The cue words of one language."""

    def __init__(self, entry: Mapping[str, str | bool]) -> None:
        self._words: dict[str, int] = {
            NAME: Cue.NAME,
            f"{NAME}'s": Cue.NAME,
            **dict.fromkeys(_STOPS, Cue.STOP),
            **dict.fromkeys(_PAUSES, Cue.PAUSE),
        }
        self._stems: dict[str, int] = {}
        self._ends: dict[str, int] = {}
        for kind, cue in _KINDS.items():
            for shown in str(entry.get(kind, "")).split():
                word = fold(shown.strip("*").replace("_", " ")).text
                known = self._ends if shown[0] == "*" else self._stems if shown[-1] == "*" else self._words
                known[word] = known.get(word, Cue.NONE) | cue
        self._prefixes = tuple(fold(str(entry.get("prefixes", ""))).text.split())
        self._particles = tuple(fold(str(entry.get("particles", ""))).text.split())
        self._phrase_starts = frozenset(word.split(" ", 1)[0] for word in self._words if " " in word)
        longest = "|".join(map(re.escape, sorted(self._words, key=len, reverse=True)))
        self._glued = (
            re.compile(rf"{longest}|(?:(?!{longest})[^\W_]){{1,4}}") if entry.get("spaced") is False else None
        )
        self._cue = lru_cache(_CACHED_WORDS)(self._read)

    @cached_property
    def _automaton(self) -> AhoCorasick:
        known = {**self._words, **self._stems, **self._ends}
        return AhoCorasick(
            [word for word, cue in known.items() if cue & (Cue.NEGATES | Cue.LACKS)],
            implementation=Implementation.DFA,
        )

    def denials(self, text: str) -> Iterator[int]:
        """Yield the positions at which a folded text contains a word that negates or denies knowledge."""
        for _, start, _ in self._automaton.find_matches_as_indexes(text, overlapping=True):
            yield start

    def cues(self, text: str) -> list[int]:
        """Return the flags of each word, name and period of a folded text, without light words."""
        if self._glued is not None:
            read = [self._words.get(token, Cue.NONE) for token in self._glued.findall(text)]
        else:
            read = list(self._of_tokens(_TOKEN.findall(text)))
        return [cue for cue in read if not cue & Cue.LIGHT]

    def _of_tokens(self, tokens: Sequence[str]) -> Iterator[int]:
        at = 0
        while at < len(tokens):
            count = 1
            cue = None
            if tokens[at] in self._phrase_starts:
                for count in range(_MOST_WORDS, 1, -1):
                    cue = self._words.get(" ".join(tokens[at : at + count]))
                    if cue is not None:
                        break
            if cue is None:
                yield from self._cue(tokens[at])
            else:
                yield cue
            at += count if cue is not None else 1

    def _read(self, word: str) -> tuple[int, ...]:
        known = self._known(word)
        if known is not None:
            return (known,)
        if word[0] == NAME:
            return (Cue.NAME,)
        if "'" in word:  # an article or a particle: `n'existe`
            article, _, rest = word.partition("'")
            return self._words.get(f"{article}'", Cue.LIGHT), *(self._read(rest) if rest else ())
        if word[0] in self._prefixes or word[0] in self._particles:
            return (self._known(word[1:]) or Cue.NONE,)
        return (Cue.NONE,)

    def _known(self, word: str) -> int | None:
        if word in self._words:
            return self._words[word]
        for length in range(len(word), 2, -1):
            if word[:length] in self._stems:
                return self._stems[word[:length]]
        return next((cue for end, cue in self._ends.items() if word.endswith(end)), None)


@cache
def cue_words() -> Mapping[str, CueWords]:
    """Return the cue words by language (ISO 639-1), loaded on first use."""
    text = files("analytics.matching").joinpath("negation_cues.toml").read_text(encoding="utf-8")
    return {language: CueWords(entry) for language, entry in tomllib.loads(text).items()}
