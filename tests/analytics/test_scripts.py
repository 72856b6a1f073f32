"""The borders of scripts are those of Unicode's own names and blocks."""

import sys
import unicodedata

import pytest

from analytics.text.folding import is_dropped
from analytics.text.scripts import Script, is_mark, script_of

NAMED = (
    (("KATAKANA ", "HALFWIDTH KATAKANA LETTER"), Script.KATAKANA),
    (("HANGUL ",), Script.HANGUL),
    (
        ("HIRAGANA ", "CJK UNIFIED IDEOGRAPH", "CJK COMPATIBILITY IDEOGRAPH", "HANGZHOU NUMERAL"),
        Script.UNSPACED,
    ),
    (("THAI CHARACTER", "LAO LETTER", "MYANMAR LETTER", "KHMER LETTER"), Script.UNSPACED),
    (
        ("LATIN ", "GREEK ", "CYRILLIC ", "ARABIC LETTER", "HEBREW LETTER", "DEVANAGARI ", "GEORGIAN "),
        Script.SPACED,
    ),
    (("ETHIOPIC SYLLABLE", "MONGOLIAN LETTER", "TIBETAN LETTER", "CHEROKEE LETTER", "TAMIL "), Script.SPACED),
)
"""Beginnings of the names of letters, and the class that their script has."""


def letters() -> list[tuple[str, str]]:
    """Every letter that Unicode names, with its name, but for the archaic kana, which nobody writes today."""
    every = (chr(code) for code in range(sys.maxunicode + 1) if not 0x1AFF0 <= code <= 0x1B16F)
    return [(char, unicodedata.name(char, "")) for char in every if char.isalpha()]


@pytest.mark.parametrize(("names", "script"), NAMED)
def test_a_letter_has_the_script_that_its_name_in_unicode_says(
    names: tuple[str, ...], script: Script
) -> None:
    named = [char for char, name in letters() if name.startswith(names)]
    assert len(named) > 40
    wrong = [f"{ord(char):X}" for char in named if script_of(char) is not script]
    assert wrong == []


def test_folding_drops_formats_variation_selectors_and_print_marks() -> None:
    selectors = ("VARIATION SELECTOR", "MONGOLIAN FREE VARIATION SELECTOR", "COMBINING GRAPHEME JOINER")
    told = {
        char
        for char in map(chr, range(sys.maxunicode + 1))
        if unicodedata.name(char, "").startswith(selectors)
    }
    dropped = {char for char in map(chr, range(sys.maxunicode + 1)) if is_dropped(char)}
    assert told <= dropped
    others = {char for char in dropped - told if unicodedata.category(char) != "Cf"}
    assert others == set("*~`™®©℠\u0640")


def test_hangul_vowels_finals_and_voicing_marks_continue_a_letter() -> None:
    continuing = (
        "HANGUL JUNGSEONG",
        "HANGUL JONGSEONG",
        "HALFWIDTH KATAKANA VOICED",
        "HALFWIDTH KATAKANA SEMI",
    )
    every = [(char, unicodedata.name(char, "")) for char in map(chr, range(0x10000))]
    assert [name for char, name in every if name.startswith(continuing) and not is_mark(char)] == []
    assert [name for char, name in every if name.startswith("HANGUL CHOSEONG") and is_mark(char)] == []


@pytest.mark.parametrize(
    ("inside", "outside", "script"),
    [
        (
            "\u3131",
            "\u3130",
            Script.HANGUL,
        ),  # the first letter of Hangul Compatibility Jamo; 3130 is unassigned
        ("\u318e", "\u318f", Script.HANGUL),  # its last letter
        ("\u17d2", "\u1800", Script.UNSPACED),  # Khmer ends with 17FF; 1800 is the first sign of Mongolian
        ("\u30a1", "\u30a0", Script.KATAKANA),  # 30A0 is a hyphen
    ],
)
def test_a_block_begins_and_ends_where_unicode_says(inside: str, outside: str, script: Script) -> None:
    assert script_of(inside) is script
    assert script_of(outside) is not script
