"""Detects the language of a text from its script and its function words."""

import re
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LETTERS: Final = bytes(
    code if code >= 128 or code == ord("'") else ord(chr(code).lower() if chr(code).isalpha() else " ")
    for code in range(256)
)
"""Maps each ASCII character to a lower-case letter or a blank; other bytes are unchanged."""
_PLAIN_LETTERS: Final = bytes(code for code in range(128) if chr(code).isalpha())
_PLAIN_WORDS: Final = _PLAIN_LETTERS + b" "
_NO_LETTERS: Final = bytes(code for code in range(256) if code not in _PLAIN_LETTERS)
_BEYOND_ASCII: Final = bytes(range(128, 256))
_LONGEST_SAMPLE: Final = 4000
"""Number of leading characters that are examined; an answer's language is settled long before."""
_LEAST_SCRIPT_SHARE = 0.3

_LISTS = {
    "en": ("the of and to in is that for it with as are was be this by on not or from at their an have you"),
    "de": (
        "der die das und ist nicht ein eine zu den mit von für auf im dem des sich auch "
        "wird sind bei oder als"
    ),
    "fr": (
        "le la les de des du et est un une dans pour que qui sur avec par ce pas au aux en sont plus vous"
    ),
    "es": ("el la los las de del y es un una en para que por con se no su al lo como más son o"),
    "it": ("il lo la i gli le di del della e è un una in per che con non si da sono come più o anche"),
    "nl": ("de het een en van is in op te dat die voor met niet zijn aan er ook als bij of door naar om"),
    "pt": ("o a os as de do da dos e é um uma em para que por com não se no na mais são ou como"),
    "pl": ("w z na się nie jest że jak za od przez dla są ale oraz lub ma tym jego które przy jako czy"),
    "tr": ("ve bir bu için ile çok daha olarak gibi ama ise ya hem ne kadar olan değil veya şu mi mı"),
    "fi": ("ja ei se että ovat oli joka myös kuin tai mutta kun voi sen niin jos hän ole sekä hyvin"),
}
FUNCTION_WORDS = MappingProxyType({language: frozenset(words.split()) for language, words in _LISTS.items()})
_LANGUAGES_OF = {
    word: tuple(language for language, listed in FUNCTION_WORDS.items() if word in listed)
    for word in frozenset[str]().union(*FUNCTION_WORDS.values())
}
_LANGUAGES_OF["a"] = ("en", "fr", "es", "it", "pt")
"""Used by too many languages to distinguish Portuguese from them."""

_KNOWN_WORDS = _LANGUAGES_OF.keys()
_KNOWN = {word.encode(): word for word in _KNOWN_WORDS if word.isascii()}

# Letters that hardly any other listed language uses; a few of them count as function words.
_TELLING_LETTERS = {
    "de": "ßü",
    "fr": "œêç",
    "es": "ñ¿¡",
    "it": "ìò",
    "pt": "ãõ",
    "pl": "ąćęłńśźż",
    "tr": "ğış",
    "fi": "ä",
}
_MOST_TELLING = 3

_SCRIPTS = {
    "ja": re.compile("[\u3041-\u309f\u30a1-\u30fa]"),
    "ko": re.compile("[\uac00-\ud7a3]"),
    "zh": re.compile("[\u4e00-\u9fff]"),
    "ru": re.compile("[\u0400-\u04ff]"),
    "ar": re.compile("[\u0621-\u064a]"),
    "hi": re.compile("[\u0905-\u0939]"),
    "he": re.compile("[\u05d0-\u05ea]"),
    "el": re.compile("[\u0391-\u03c9]"),
    "th": re.compile("[\u0e01-\u0e30]"),
}
_KANA_SHARE = 0.1
_LETTER = re.compile(r"[^\W\d_]")


def primary(tag: str | None) -> str | None:
    """Return the language of a BCP 47 tag (`pt` of `pt-BR`), or None without a tag."""
    return tag.casefold().replace("_", "-").split("-")[0] if tag else None


def detect(text: str, prompt_language: str | None = None) -> str | None:
    """Return the language of a text (ISO 639-1), or None if neither script nor function words decide.

    `prompt_language` (a BCP 47 tag) decides if the text does not: for a few words, or between two languages.
    """
    sample = text[:_LONGEST_SAMPLE]
    by_script = _by_script(sample)
    if by_script is not None:
        return by_script
    counts = _function_words(sample)
    best, next_best = sorted(counts.values(), reverse=True)[:2]
    if best >= 1 and best > next_best:
        return next(language for language, count in counts.items() if count == best)
    return primary(prompt_language)


def _by_script(sample: str) -> str | None:
    if sample.isascii():
        return None
    encoded = sample.encode("utf-8", "surrogatepass")
    plain = len(encoded.translate(None, _NO_LETTERS))
    if len(sample) - len(encoded.translate(None, _BEYOND_ASCII)) < _KANA_SHARE * plain:
        return None  # too few characters for any script but Latin; counting them all takes ten times as long
    letters = len(_LETTER.findall(sample))
    if not letters:
        return None
    shares = {language: len(script.findall(sample)) / letters for language, script in _SCRIPTS.items()}
    if shares["ja"] >= _KANA_SHARE:
        return "ja"
    language = max(shares, key=shares.__getitem__)
    return language if shares[language] >= _LEAST_SCRIPT_SHARE else None


def _words(text: str) -> Mapping[str, int]:
    """Count the function words of a text, casefolded.

    Splitting bytes is many times faster than a regular expression, which is used for words that are not all
    ASCII.
    """
    letters = text.encode("utf-8", "surrogatepass").translate(_LETTERS)
    pieces = letters.split()
    counts = Counter(pieces)
    known = Counter({_KNOWN[piece]: counts[piece] for piece in counts.keys() & _KNOWN.keys()})
    if not letters.translate(None, _PLAIN_WORDS):
        return known
    for piece in [piece for piece in counts if not piece.isalpha()]:
        words, times = _WORD.findall(piece.decode("utf-8", "surrogatepass")), counts[piece]
        for word in map(str.casefold, words):
            if word in _KNOWN_WORDS:
                known[word] += times
    return known


def _function_words(sample: str) -> dict[str, int]:
    counts = _counts(_words(sample))
    if not sample.isascii():
        lower = sample.lower()
        for language, letters in _TELLING_LETTERS.items():
            counts[language] += min(_MOST_TELLING, sum(map(lower.count, letters)))
    return counts


def _counts(words: Mapping[str, int]) -> dict[str, int]:
    """Return how many of the words are function words of each language."""
    counts = dict.fromkeys(FUNCTION_WORDS, 0)
    for word, times in words.items():
        for language in _LANGUAGES_OF.get(word, ()):
            counts[language] += times
    return counts
