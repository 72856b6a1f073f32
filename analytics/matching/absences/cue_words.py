"""Reads a sentence as the row of its cue words: what denies, what could be found, what leads to a name."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from analytics.matching.absences.grammar import LINE_BREAK, NAME
from analytics.text.folding import fold

KINDS: Final = (
    "not", "lacks", "finds", "evidence", "about", "of", "named", "kind", "source", "listed", "lists", "known", "light",
    "but", "other", "joins",
)  # fmt: skip
"""What a cue word does in a denial; the head of `cue_words.toml` explains each."""
OTHER_NAME: Final = "\u25c7"
WORD: Final = "w"
_FIRST_SIGN: Final = 0xE000
_MOST_WORDS: Final = 3
_SHORTEST_TRIGGER: Final = 5
_PUNCTUATION: Final = {
    ",": ",", "、": ",", "，": ",", "،": ",", ":": ":", "：": ":", "|": ":", "–": ":", "—": ":", "(": ":", "（": ":",
    LINE_BREAK: ":", ".": ".", "!": ".", "?": ".", "。": ".", "！": ".", "？": ".", ";": ".", "؛": ".", "।": ".", "…": ".",
}  # fmt: skip
_STOPS = re.escape("".join(_PUNCTUATION))
_LETTER = r"(?:[^\W_]|[\u0900-\u0963])"
"""The vowel signs of Devanagari are no letters to `re`."""
_TOKEN = re.compile(rf"{NAME}(?:'?[^\W_]{{1,6}})?|{_LETTER}+(?:'{_LETTER}*)?|[{_STOPS}]| - ")
_CACHED_WORDS: Final = 20_000


class CueLexicon:
    """The cue words of one language.

    `words` holds the sign of each folded word; `stems` those of beginnings, `ends` of ends. `prefixes` are letters that
    may be glued before a word, `particles` those that are words of their own there. `compounds`: a word after one of evidence turns it into something else (`data caps`).
    `glued`: the language writes without blanks. A sign stands for the set of kinds of a word.
    """

    def __init__(
        self,
        words: Mapping[str, str],
        stems: Mapping[str, str],
        ends: Mapping[str, str],
        prefixes: frozenset[str],
        particles: frozenset[str],
        *,
        verb_last: bool,
        compounds: bool,
        glued: bool,
    ) -> None:
        self.verb_last = verb_last
        self._words = {**_PUNCTUATION, " - ": ":", NAME: OTHER_NAME, f"{NAME}'s": OTHER_NAME + WORD, **words}
        self._stems, self._ends, self._prefixes, self._particles = stems, ends, prefixes, particles
        self._phrase_starts = frozenset(word.split(" ", 1)[0] for word in words if " " in word)
        evidence = "".join(sign for of, sign in signs().items() if "evidence" in of)
        self._compound = re.compile(f"[{evidence}](?={WORD})") if compounds else None
        longest = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
        self._glued = (
            re.compile(rf"{longest}|{NAME}|[{_STOPS}]|(?:(?!{longest})[^\W_]){{1,4}}") if glued else None
        )
        self._sign = lru_cache(_CACHED_WORDS)(self._read)

    def row(self, text: str) -> str:
        """Return one sign for each word and stop of folded text; light words are left out.

        Names (the sign `NAME` in the text) are `OTHER_NAME`, a word of no kind is `WORD`.
        """
        if self._glued is not None:
            return "".join([self._words.get(token, WORD) for token in self._glued.findall(text)])
        tokens: list[str] = _TOKEN.findall(text)
        if self._phrase_starts.isdisjoint(tokens):
            row = "".join(map(self._sign, tokens))
        else:
            row = "".join(self._signs(tokens))
        return self._compound.sub(WORD, row) if self._compound else row

    def _signs(self, tokens: Sequence[str]) -> Iterator[str]:
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token in self._phrase_starts:
                for count in range(_MOST_WORDS, 1, -1):
                    sign = self._words.get(" ".join(tokens[at : at + count]))
                    if sign is not None:
                        yield sign
                        at += count
                        break
                else:
                    yield self._sign(token)
                    at += 1
            else:
                yield self._sign(token)
                at += 1

    def _read(self, word: str) -> str:
        known = self._known(word)
        if known is None and word[0] == NAME:
            return OTHER_NAME
        if known is None and "'" in word:
            article, _, rest = word.partition("'")
            return self._words.get(f"{article}'", "") + (self._read(rest) if rest else "")
        if known is None and word[0] in self._prefixes:
            known = self._known(word[1:])
        elif known is None and word[0] in self._particles:
            known = self._known(word[1:])
            return WORD if known is None else self._words[word[0]] + known
        return WORD if known is None else known

    def _known(self, word: str) -> str | None:
        sign = self._words.get(word)
        if sign is not None:
            return sign
        for length in range(len(word), 2, -1):
            if (sign := self._stems.get(word[:length])) is not None:
                return sign
        return next((sign for end, sign in self._ends.items() if word.endswith(end)), None)


@cache
def _listed() -> dict[str, dict[str, dict[str, frozenset[str]]]]:
    """The kinds of each word by language, and under `*` its flags."""
    text = files("analytics.matching.absences").joinpath("cue_words.toml").read_text(encoding="utf-8")
    listed: dict[str, dict[str, dict[str, frozenset[str]]]] = {}
    for language, entry in tomllib.loads(text).items():
        kinds: dict[str, frozenset[str]] = {}
        for kind in KINDS:
            for shown in entry.get(kind, "").split():
                word = _folded(shown)
                kinds[word] = kinds.get(word, frozenset()) | {kind}
        flags = {
            "prefixes": frozenset(fold(entry.get("prefixes", "")).text.split()),
            "particles": frozenset(fold(entry.get("particles", "")).text.split()),
            "verb_last": frozenset(("yes",) if entry.get("verb_last") else ()),
            "compounds": frozenset(("yes",) if entry.get("compounds") else ()),
            "glued": frozenset(("yes",) if entry.get("spaced") is False else ()),
        }
        listed[language] = {"words": kinds, "flags": flags}
    return listed


def _folded(shown: str) -> str:
    """A listed word as folding writes it; its `*` stays."""
    parts = [fold(part.replace("_", " ")).text for part in shown.split("*")]
    return "*".join(parts)


@cache
def signs() -> Mapping[frozenset[str], str]:
    """The sign of each set of kinds that some word has. Light words have none."""
    sets = sorted(
        {kinds for entry in _listed().values() for kinds in entry["words"].values() if "light" not in kinds},
        key=sorted,
    )
    return {kinds: chr(_FIRST_SIGN + number) for number, kinds in enumerate(sets)}


@cache
def lexicons() -> Mapping[str, CueLexicon]:
    """The cue words by language (ISO 639-1); read at first use."""
    return {language: _lexicon(entry["words"], entry["flags"]) for language, entry in _listed().items()}


def _lexicon(kinds: Mapping[str, frozenset[str]], flags: Mapping[str, frozenset[str]]) -> CueLexicon:
    sign_of = {word: signs().get(of, "") for word, of in kinds.items()}
    return CueLexicon(
        {word: sign for word, sign in sign_of.items() if "*" not in word},
        {word[:-1]: sign for word, sign in sign_of.items() if word.endswith("*")},
        {word[1:]: sign for word, sign in sign_of.items() if word.startswith("*")},
        flags["prefixes"],
        flags["particles"],
        verb_last=bool(flags["verb_last"]),
        compounds=bool(flags["compounds"]),
        glued=bool(flags["glued"]),
    )


@cache
def triggers() -> Mapping[str, tuple[str, ...]]:
    """By language the words without which no row denies, as far as they are long enough to be looked for."""
    return {
        language: tuple(
            word.strip("*")
            for word, kinds in entry["words"].items()
            if kinds & {"not", "lacks"} and (len(word) >= _SHORTEST_TRIGGER or entry["flags"]["glued"])
        )
        for language, entry in _listed().items()
    }
