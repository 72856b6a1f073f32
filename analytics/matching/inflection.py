"""Endings and prefixes that attach to a name: Slavic, Finnic and Turkic cases, Arabic and Hebrew particles."""

import re
from typing import NamedTuple

from analytics.text.scripts import right_edge_is_free

SHORTEST_INFLECTED = 4
SHORTEST_PLURAL = 3
_SHORTEST_PREFIXED = 3
_SHORTEST_SURE_ENDING = 2

_CYRILLIC = re.compile("(?:ой|ей|ом|ем|ам|ями|ами|ах|ях|ов|ью|[аыуиеюяй])")
_POLISH = re.compile("(?:owi|iem|ami|ach|owie|em|ie|ow|om|[aueyi])")
_FINNISH = re.compile("i?(?:ssa|sta|lla|lta|lle|ksi|tta|ten|den|jen|hin|seen|aan|oon|een|iin|uun|ta|na|n|a)")
_TURKISH = re.compile(
    "(?:n[dt][ae]n|[dt][ae]n|n[dt][ae]|[dt][ae]|l[ae]ri?|l[ae]r|y?l[ae]|n?[iu]n|[nys][iu]|[ny][ae]|[iuae])"
)
_ENDINGS = {"pl": _POLISH, "fi": _FINNISH, "tr": _TURKISH}
_PLURAL_AFTER = ("s", "x", "z", "ch", "sh")

_ARABIC_PREFIXES_TEXT = """
و ف ب ل ك س ال وال فال بال كال لل وب ول وك فب فل وبال ولل
"""
_ARABIC_PREFIXES = frozenset(_ARABIC_PREFIXES_TEXT.split())
_HEBREW_PREFIXES_TEXT = """
ו ה ב כ ל מ ש וה וב ול ומ וש וכ שה מה כש שב של לה
"""
_HEBREW_PREFIXES = frozenset(_HEBREW_PREFIXES_TEXT.split())
_LONGEST_PREFIX = 4

# How the consonant before the final -a of a Polish name changes in the locative and genitive (letters folded).
_POLISH_LOCATIVES = {
    "ka": "ce", "ga": "dze", "ta": "cie", "da": "dzie", "ra": "rze", "la": "le", "na": "nie", "sa": "sie", "za": "zie",
    "wa": "wie", "pa": "pie", "ba": "bie", "ma": "mie", "fa": "fie", "cha": "sze",
}  # fmt: skip
_VOWELS = frozenset("aeiouy")
_RUSSIAN_ENDINGS = {
    "а": ("у", "ю", "ы", "и", "е", "ой", "ей"),
    "я": ("у", "ю", "ы", "и", "е", "ой", "ей"),
    "ь": ("я", "ю", "и", "е", "ем", "ью"),
    "й": ("я", "ю", "и", "е", "ем"),
}
_FINNISH_WEAK = {"kk": "k", "pp": "p", "tt": "t", "nk": "ng", "nt": "nn", "lt": "ll"}


class InflectedForm(NamedTuple):
    """A form of a name with a changed ending, and the language that uses it; None if the script identifies it."""

    text: str
    language: str | None


def is_cyrillic(folded: str) -> bool:
    """Return whether all letters are Cyrillic and there are enough of them for safe inflection."""
    if folded.isascii():
        return False
    letters = [char for char in folded if char.isalpha()]
    return len(letters) >= SHORTEST_INFLECTED and all("\u0400" <= char <= "\u052f" for char in letters)


def is_latin(folded: str) -> bool:
    """Return whether all letters are Latin and there are enough of them for safe inflection."""
    letters = sum(map(str.isalpha, folded))
    if folded.isascii():
        return letters >= SHORTEST_INFLECTED
    return letters >= SHORTEST_INFLECTED and all(char < "\u0250" for char in folded if char.isalpha())


def changed_forms(folded: str) -> frozenset[InflectedForm]:
    """Return the forms of a folded name whose last letters change, so that no suffix after the name matches them."""
    forms: set[InflectedForm] = set()
    last = folded[-1:]
    if is_cyrillic(folded):
        forms.update(InflectedForm(folded[:-1] + ending, None) for ending in _RUSSIAN_ENDINGS.get(last, ()))
    elif is_latin(folded):
        forms.update(InflectedForm(text, "pl") for text in _polish(folded))
        weak = _FINNISH_WEAK.get(folded[-3:-1])
        if weak and last in "aeiouy":
            stem = folded[:-3] + weak + last
            forms.update(
                InflectedForm(stem + case, "fi") for case in ("n", "ssa", "sta", "lla", "lta", "lle", "ksi")
            )
    return frozenset(form for form in forms if form.text != folded)


def case_pattern(folded: str, language: str) -> str:
    """Return the regex source for a folded word in the grammatical cases of a language, if it has any."""
    word = re.escape(folded)
    if is_cyrillic(folded):
        endings: re.Pattern[str] | None = _CYRILLIC
    else:
        endings = _ENDINGS.get(language) if is_latin(folded) else None
    if endings is None:
        return word
    changed = (form.text for form in changed_forms(folded) if form.language in (language, None))
    return "|".join((f"{word}(?:{endings.pattern})?", *sorted(map(re.escape, changed))))


def _polish(folded: str) -> set[str]:
    stem, last = folded[:-1], folded[-1]
    if last == "o":
        softened = next(
            (stem[:-1] + to for end, to in _POLISH_LOCATIVES.items() if end == f"{stem[-1:]}a"), ""
        )
        return {stem + ending for ending in ("a", "u", "em", "iem")} | ({softened} if softened else set())
    if last != "a":
        softened = next((folded[:-1] + to for end, to in _POLISH_LOCATIVES.items() if end == f"{last}a"), "")
        fleeting = folded[:-2] + last if folded.endswith(("ek", "ec")) else ""
        forms = (
            {fleeting + ending for ending in ("a", "u", "owi", "iem", "em", "i")} if fleeting else set[str]()
        )
        return forms | ({softened} if softened else set())
    forms = {stem + ending for ending in ("i" if stem[-1:] in "kgijl" else "y", "e", "o", "ami", "ach", "om")}
    if stem[-1:] == "j" and stem[-2:-1] in _VOWELS:
        forms.add(f"{stem[:-1]}i")
    changed = next(
        (folded.removesuffix(end) + to for end, to in _POLISH_LOCATIVES.items() if folded.endswith(end)), ""
    )
    return forms | ({changed} if changed else set())


def plural_ends_at(folded: str, start: int, end: int) -> bool:
    """Return whether the word consists of the name and a plural or genitive `s` (`es` after a sibilant)."""
    if (
        folded.startswith("es", end)
        and folded.endswith(_PLURAL_AFTER, start, end)
        and _closes(folded, end + 2)
    ):
        return True
    return folded.startswith("s", end) and _closes(folded, end + 1)


def cyrillic_case_ends_at(folded: str, end: int) -> bool:
    """Return whether a Cyrillic case ending completes the word."""
    return _case_length(_CYRILLIC, folded, end) > 0


def case_languages(folded: str, end: int) -> tuple[tuple[str, ...], bool]:
    """Return the languages in which the rest of the word is a case ending, and whether that ending is unambiguous."""
    lengths = {language: _case_length(endings, folded, end) for language, endings in _ENDINGS.items()}
    languages = tuple(language for language, length in lengths.items() if length)
    return languages, max(lengths.values()) >= _SHORTEST_SURE_ENDING


def _case_length(endings: re.Pattern[str], folded: str, end: int) -> int:
    """Return the length of the ending between `end` and the end of the word, or 0 if that part is not an ending."""
    stop = end
    while stop < len(folded) and stop - end <= SHORTEST_INFLECTED and not _closes(folded, stop):
        stop += 1
    return stop - end if _closes(folded, stop) and endings.fullmatch(folded, end, stop) else 0


def _closes(folded: str, end: int) -> bool:
    return end >= len(folded) or right_edge_is_free(folded[end - 1], folded[end])


def prefix_before(folded: str, start: int, end: int) -> str:
    """Return the Arabic or Hebrew particles (and, in, for, the) attached before a name, or an empty string.

    They may also be attached to names in Latin letters.
    """
    if end - start < _SHORTEST_PREFIXED:
        return ""
    before = folded[start - 1]
    prefixes = (
        _ARABIC_PREFIXES
        if "\u0620" <= before <= "\u064a"
        else _HEBREW_PREFIXES
        if "\u05d0" <= before <= "\u05ea"
        else frozenset[str]()
    )
    at = start
    while at and start - at <= _LONGEST_PREFIX and folded[at - 1].isalpha():
        at -= 1
    return folded[at:start] if folded[at:start] in prefixes else ""


def has_article(prefix: str) -> bool:
    """Return whether Arabic particles end with the article, which foreign proper names do not take: `the caldera`."""
    return prefix.endswith(("ال", "لل"))
