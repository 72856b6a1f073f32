import pkgutil
import re
import time
from collections import deque
from collections.abc import Iterator
from importlib import import_module
from typing import Any, cast

import pytest

import analytics
import measurement.extraction.tone_judging
from analytics.accuracy.values import values
from analytics.matching.homonyms import homonym_of
from analytics.matching.negation_cues import cue_words

SMALL, LARGE = 10_000, 20_000
QUARTER, SIXTEENTH = SMALL // 4, SMALL // 16
QUICK_SECONDS = 0.02
"""A square takes longer for 10 KB; only what does is timed again, with less and with more."""
QUICK_QUARTER_SECONDS = QUICK_SECONDS / 16
"""A square that takes less for 2.5 KB takes less than QUICK_SECONDS for 10 KB. What grows faster takes longer from the
beginning: a cube over the repetitions of a piece of 25 characters has a million steps in 2.5 KB."""
QUICK_SIXTEENTH_SECONDS = QUICK_QUARTER_SECONDS / 16
"""The same again for 625 bytes."""
MOST_GROWTH, TRIES = 2.6, 4
MOST_GROWTH_OF_QUARTER = 5.1
"""What grows by 2.6 from 10 to 20 KB, partly with the text and partly with its square, grows by this from 2.5 to 10 KB."""
MOST_GROWTH_OF_SIXTEENTH = 4.3
"""The same growth again, from 625 bytes to 2.5 KB; what chance makes larger is compared with more text."""
PIECES = (
    " ", "\n", "\t", "a", "A", "1", "-", ".", ",", "$", "(", "[", "*", "_", "|", "#", "\0", "丰", "。", "a ", "a.", "A.", "1,", "1 ",
    "1.", "(1", "$1", "Ab ", "a-", "site-a.", "in Ab, ", "1 111", "no a ", "not ", "(a", "[1]", "[^", "1:1 ", "x@", "@a.", "``` ", "1\n",
    "◆, ", "◆ and ", "&#", "\\", "'s ", "no information ", "nothing about ", "n't ", "keine ", "没有", "정보", "نتائج ", "नहीं ", "情報",
)  # fmt: skip


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Every expression that the package compiles, by where it stands."""
    modules = [
        import_module(module.name) for module in pkgutil.walk_packages(analytics.__path__, "analytics.")
    ]
    for module in (*modules, measurement.extraction.tone_judging):
        for name, value in vars(module).items():
            yield from within(f"{module.__name__}.{name}", value)
    for language, words in cue_words().items():
        yield from within(f"cue words {language}", vars(words))
    homonym = homonym_of("apple")
    assert homonym is not None
    yield "apple.brand", homonym.brand
    yield "apple.other", homonym.other


def within(name: str, value: object) -> Iterator[tuple[str, re.Pattern[str]]]:
    if isinstance(value, re.Pattern):
        pattern = cast("re.Pattern[Any]", value)
        if isinstance(pattern.pattern, str):
            yield name, pattern
    elif isinstance(value, dict):
        for key, inner in cast("dict[object, object]", value).items():
            yield from within(f"{name}.{key}", key)
            yield from within(f"{name}.{key}", inner)


def seconds(pattern: re.Pattern[str], text: str) -> float:
    began = time.process_time()
    deque(pattern.finditer(text), maxlen=0)
    return time.process_time() - began


def growth(pattern: re.Pattern[str], piece: str) -> float:
    """How much longer twice the text takes, the least of some tries; 0 for what is over at once, or grows so with less."""
    if seconds(pattern, (piece * SIXTEENTH)[:SIXTEENTH]) < QUICK_SIXTEENTH_SECONDS:
        return 0.0
    quarter = seconds(pattern, (piece * QUARTER)[:QUARTER])
    if quarter < QUICK_QUARTER_SECONDS:
        return 0.0
    sixteenth = min(seconds(pattern, (piece * SIXTEENTH)[:SIXTEENTH]) for _ in range(2))
    if quarter > MOST_GROWTH_OF_SIXTEENTH * sixteenth:
        quarter = min(quarter, seconds(pattern, (piece * QUARTER)[:QUARTER]))
    if quarter <= MOST_GROWTH_OF_SIXTEENTH * sixteenth:
        return 0.0
    whole = seconds(pattern, (piece * SMALL)[:SMALL])
    if whole < QUICK_SECONDS or whole <= MOST_GROWTH_OF_QUARTER * quarter:
        return 0.0
    least = 100.0
    for _ in range(TRIES):
        small = seconds(pattern, (piece * SMALL)[:SMALL])
        least = min(least, seconds(pattern, (piece * LARGE)[:LARGE]) / small)
        if least <= MOST_GROWTH:
            break
    return least


ALL = sorted({pattern: name for name, pattern in patterns()}.items(), key=lambda item: item[1])


@pytest.mark.parametrize("pattern", [pattern for pattern, _ in ALL], ids=[name for _, name in ALL])
def test_time_of_every_expression_grows_with_its_text_only(pattern: re.Pattern[str]) -> None:
    own = set(re.findall(r"[^\W\d_]{3,}", pattern.pattern)[:40:8])
    for piece in (*PIECES, *(f"{word} " for word in sorted(own))):
        assert growth(pattern, piece) <= MOST_GROWTH, piece


def test_ten_kilobytes_of_digits_hold_no_price_and_take_no_time() -> None:
    began = time.process_time()
    assert [value for value in values("1" * SMALL) if value.kind == "price"] == []
    assert time.process_time() - began < 1
