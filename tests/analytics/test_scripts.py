"""The borders of scripts are those of Unicode's own blocks."""

import pytest

from analytics.text.scripts import Script, script_of


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
