"""Finds what reads like the name of a person, so that a draft names nobody whom nobody has vouched for."""

import re
from collections.abc import Iterator

# Bounded, so that a letter repeated ten thousand times is not read again from each of its places.
WORD = r"[A-ZÀ-ÖØ-ÞĀ-Ž][^\W\d_]{0,40}(?:['’-][^\W\d_]{1,40}){0,4}\.?"
PARTICLES = frozenset(("de", "da", "di", "del", "van", "von", "der", "den", "la", "le", "bin", "al"))
SEQUENCE = re.compile(
    rf"{WORD}(?:[ \t]{{1,4}}(?:(?:{'|'.join(sorted(PARTICLES))})[ \t]{{1,4}}){{0,2}}{WORD}){{1,8}}"
)
ADDRESSED = (
    "Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Sir|Dame|Herrn?|Frau|Monsieur|Madame|Se[ñn]ora?|Signora?"  # before a name
)
CALLING = (
    "ask(?: for)?|meet|contact|e-?mail|speak (?:to|with)|talk (?:to|with)|says|said|by|owner|founder|manager|director"
    "|mechanic|technician|advisor|adviser|salesman|saleswoman|Inhaber|Inhaberin|Geschäftsführer"
)
SINGLE = (
    re.compile(rf"\b(?:{ADDRESSED})\.?[ \t]+({WORD})"),
    re.compile(rf"\b(?i:{CALLING})[ \t,:]+({WORD})"),
)
COMMON_WORDS = (
    "a an and are as at but by call come contact discover every find for from get have here how if in is it its learn "
    "let more most my no not of on or our out read see she so that the their then there these they this to visit was "
    "we what when where which who why will with you your all any ask "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december "
    "das ein eine und oder aber wir sie ihr ihre unser unsere bei mit für im zu"
)
COMMON = frozenset(COMMON_WORDS.split())
LOWER = re.compile(r"(?<!\w)[^\W\d_A-ZÀ-Þ][^\W\d_]*")
LETTERS = re.compile(r"[^\W_]+")


def unknown_persons(draft: str, material: str) -> list[str]:
    """Return what reads like a person's name in a draft and does not stand in the material, each once.

    A name is two or more capitalised words in a row, a word after a form of address, or one after words such as
    "ask for" or "owner". Words that the draft or the material also writes in lower case are no names, nor are
    function words, days and months. It errs towards refusing: a foreign product's name is found too.
    """
    plain = frozenset(LOWER.findall(f"{draft}\n{material}")) - PARTICLES
    known = fold_words(material)
    unknown_names = dict.fromkeys(name for name in candidates(draft, plain) if fold_words(name) not in known)
    return [
        name for name in unknown_names if not any(name != other and name in other for other in unknown_names)
    ]


def candidates(draft: str, plain: frozenset[str]) -> Iterator[str]:
    """Yield what reads like a name: rows of capitalised words first, then single ones."""
    for match in SEQUENCE.finditer(draft):
        yield from rows(match[0].split(), plain)
    for pattern in SINGLE:
        for match in pattern.finditer(draft):
            name = match[1].rstrip(".")
            if is_name(name, plain):
                yield name


def rows(words: list[str], plain: frozenset[str]) -> Iterator[str]:
    """Yield the longest rows of two or more words of which each may be a part of a name, particles between them."""
    row: list[str] = []
    for word in [*words, ""]:
        part = word.rstrip(".")
        if is_name(part, plain) or (row and word in PARTICLES):
            row.append(part)
            continue
        while row and row[-1] in PARTICLES:
            row.pop()
        if len(row) > 1:
            yield " ".join(row)
        row = []


def is_name(word: str, plain: frozenset[str]) -> bool:
    """Tell whether a capitalised word may be a part of a person's name; what is all capitals is an abbreviation."""
    folded = word.casefold()
    if not word or word in PARTICLES or (word.isupper() and len(word) > 1):
        return False
    return folded not in COMMON and folded not in plain


def fold_words(text: str) -> str:
    """Return the words of a text, case folded, with one blank before and after each."""
    return f" {' '.join(LETTERS.findall(text.casefold()))} "
