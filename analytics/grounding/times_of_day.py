"""Reads times of the day, in digits and in words of six languages: 9:30, half past nine, from nine until four."""

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from analytics.grounding import lexicon, opening_words
from analytics.grounding.measures import MEASURES
from analytics.grounding.numerals import Number, numbers
from analytics.grounding.plain_words import is_plain

TimeAt: TypeAlias = tuple[int, bool, tuple[int, int]]
"""Minute of the day, whether it may be of either half of the day, and where it stands."""
_EXPLICIT: Final = re.compile(
    r"\b(?P<hour>[01]?\d|2[0-4])(?:(?:[:.](?P<minute>[0-5]\d))?\s?(?P<half>[ap])\.?m\b\.?"
    r"|[:](?P<colon>[0-5]\d)(?:\s?(?:uhr|uur|h)\b)?|\s?h\s?(?P<french>[0-5]\d)?(?!\w)"
    r"|[.](?P<dot>[0-5]\d)(?:\s?(?:uhr|uur|h)\b)?"
    r"|\s(?:uhr|uur|o'clock|heures|horas)\b)"
)
_BARE: Final = re.compile(
    r"\b(?P<hour>[01]?\d|2[0-4])\b(?!\s?(?:%|€|euro|stunden|hours|heures|horas|ore\b|uren|jahr|an))"
)
_BARE_RANGE: Final = re.compile(
    r"(?<![:.\d])\b(?P<first>[01]?\d|2[0-4])\s?(?:-|to|bis|a|à|al|alle|tot|and|und)\s?(?=(?:[01]?\d|2[0-4])\b)"
)
_RANGE_AFTER: Final = re.compile(
    r"\s(?:to|until|till|bis|a|jusqu'a|hasta|alle|fino a|tot)\s(?:(?:las|la|le)\s)?"
    r"(?:\d|noon|midi|mittag|mediodia|mezzogiorno)"
)
_IS_HOURS: Final = re.compile(r"\A\d+\s(?:uur|heures|horas)\Z")
_COUNTED: Final = re.compile(r"\s([^\W\d_]{2,})|\s?([%€$£])")
_NOON: Final = 720
_LAST_HOUR: Final = 24
_HALF: Final = re.compile(r"\b(halb|half) \Z")
"""German and Dutch call 5:30 half of the sixth hour."""
_UNTIL_NOON: Final = re.compile(
    r"\b(?:until|till|before|by|bis(?: zum)?|vor|jusqu'a|avant|hasta(?: el)?|antes del?|fino a|entro|prima di|tot|voor)"
    r" (noon|midday|mittag|midi|mediodia|mezzogiorno|twaalf uur)\b"
)
_MAY_LAST: Final = re.compile(r"\s(?:heures?|horas?|uur)")
"""What may be hours that something takes."""
_MIDI: Final = re.compile(r"\s(?:et demie?|e mezz[oa])\b")
_UNITS: Final = (
    *(measure.words for measure in MEASURES),
    *(re.compile(pattern) for pattern in lexicon.CURRENCIES.values()),
)


def times_of(flat: str, languages: Sequence[str], *, bare: bool) -> list[TimeAt]:
    """Return the times in a flat text; `bare` reads plain numbers after `at`, `to`, too."""
    read: dict[int, TimeAt] = {}
    for match in _EXPLICIT.finditer(flat):
        if match["dot"] is not None and not bare:
            continue
        # 20 uur, 20 heures are twenty hours too, unless a word of time stands before them.
        if _IS_HOURS.search(match[0]) and (
            lexicon.AHEAD.match(flat, match.end())
            or not opening_words.TIME_CUE.search(flat, max(0, match.start() - 12), match.start())
        ):
            continue
        hour = int(match["hour"])
        minute = int(match["minute"] or match["colon"] or match["french"] or match["dot"] or 0)
        half = match["half"]
        if half is not None:
            hour = hour % 12 + (12 if half == "p" else 0)
        elif hour < _NOON // 60 and opening_words.IN_LATER_HALF.match(flat, match.end()):
            hour += 12
        read[match.start()] = (hour * 60 + minute, False, match.span())
    read |= _spoken_times(flat, languages, bare=bare)
    if bare:
        for match in _BARE_RANGE.finditer(flat):
            read.setdefault(match.start(), (int(match["first"]) * 60, True, match.span("first")))
        for match in _BARE.finditer(flat):
            taken = any(start <= match.start() < end for _, _, (start, end) in read.values())
            if not taken and opening_words.TIME_CUE.search(flat, max(0, match.start() - 12), match.start()):
                read[match.start()] = (int(match["hour"]) * 60, True, match.span())
        for match in re.finditer(r"\bat (one)\b", flat):
            read.setdefault(match.start(1), (60, True, match.span(1)))
        for match in opening_words.NOON.finditer(flat):
            if opening_words.TIME_CUE.search(flat, max(0, match.start() - 12), match.start()):
                read.setdefault(match.start(), _at_noon(flat, *match.span()))
    else:
        for match in _UNTIL_NOON.finditer(flat):
            read.setdefault(match.start(1), _at_noon(flat, *match.span(1)))
    return [read[start] for start in sorted(read)]


def _at_noon(flat: str, start: int, end: int) -> TimeAt:
    """Return the time that a word for noon stands for, half past where what follows says so."""
    half = _MIDI.match(flat, end)
    return (_NOON, False, (start, end)) if half is None else (_NOON + 30, False, (start, half.end()))


def _hours_in_words(flat: str, languages: Sequence[str]) -> list[Number]:
    return [
        number for number in numbers(flat, languages)
        if number.in_words and number.value <= _LAST_HOUR and number.value == int(number.value)
    ]  # fmt: skip


def _spoken_times(flat: str, languages: Sequence[str], *, bare: bool) -> dict[int, TimeAt]:
    """Return start -> the times in words; the second of two times is one where the first is."""
    spoken = _hours_in_words(flat, languages)
    read: dict[int, TimeAt] = {}
    last_end = None
    for place, number in enumerate(spoken):
        said = _spoken_time(flat, number, languages, bare=bare)
        if said is None and last_end is not None and _joins(flat[last_end : number.start]):
            said = _spoken_time(flat, number, languages, bare=bare, is_second=True)
        following = spoken[place + 1] if place + 1 < len(spoken) else None
        if said is None and following is not None and _begins_range(flat, number, following, languages):
            said = _spoken_time(flat, number, languages, bare=bare, is_second=True)
        if said is not None:
            read[said[2][0]] = said
            last_end = said[2][1]
    return read


def _joins(between: str) -> bool:
    return opening_words.BETWEEN_TIMES.fullmatch(between) is not None


def _begins_range(flat: str, first: Number, last: Number, languages: Sequence[str]) -> bool:
    """Tell whether two numbers that count nothing stand as `from` one `to` the other."""
    return (
        opening_words.FROM_TIME.search(flat, max(0, first.start - 20), _before_half(flat, first)) is not None
        and _joins(flat[first.end : last.start])
        and not _counts(flat, last, languages)
    )


def _before_half(flat: str, number: Number) -> int:
    half = _HALF.search(flat, max(0, number.start - 6), number.start)
    return half.start() if half else number.start


def _counts(flat: str, number: Number, languages: Sequence[str]) -> bool:
    """Tell whether a number counts something: people, euros, a word that is no mere grammar."""
    counted = _COUNTED.match(flat, number.end)
    if counted is None or opening_words.HOUR_WORD.match(flat, number.end):
        return False
    word = counted[1] or counted[2]
    if any(unit.fullmatch(word) for unit in _UNITS):
        return True
    return len(word) > 3 and not is_plain(word, languages[0])


def _spoken_time(
    flat: str, number: Number, languages: Sequence[str], *, bare: bool, is_second: bool = False
) -> TimeAt | None:
    """Return the time that an hour in words names, with what stands before and behind it; None without such a word.

    `bare` reads hours after `at`, `to`, too; `is_second` says that a range of times makes it one.
    """
    hour = int(number.value)
    before = {
        minutes: match
        for minutes, pattern in opening_words.PAST.items()
        if (match := pattern.search(flat, max(0, number.start - 16), number.start))
    }
    behind = {
        minutes: match
        for minutes, pattern in opening_words.AND_MINUTES.items()
        if (match := pattern.match(flat, number.end))
    }
    half = _HALF.search(flat, max(0, number.start - 6), number.start) if 1 <= hour <= _NOON // 60 else None
    word = opening_words.HOUR_WORD.match(flat, number.end)
    low = half.start() if half else number.start
    cue = opening_words.TIME_CUE.search(flat, max(0, low - 12), low)
    at_time = opening_words.AT_TIME[languages[0]].search(flat, max(0, low - 14), low)
    counts = _counts(flat, number, languages)
    if languages[0] == "fr" and behind and not (bare or is_second or cue):
        behind = {}  # deux heures et demie may be a span of time
    is_time = (
        before
        or (behind and not counts)
        or (is_second and not counts)
        or (half and not counts and (bare or at_time or cue))
        or (
            bare
            and not counts
            and ((word and not _MAY_LAST.fullmatch(word[0])) or cue or _RANGE_AFTER.match(flat, number.end))
        )
        or (at_time and not counts and (word or languages[0] != "fr"))
        or _is_of_half_day(flat, number.end)
        or (
            not counts
            and opening_words.FROM_TIME.search(flat, max(0, low - 20), low)
            and _RANGE_AFTER.match(flat, word.end() if word else number.end)
        )
    )
    if not is_time or (word and not before and lexicon.AHEAD.match(flat, word.end())):
        return None
    start = min(
        (match.start() for match in (*before.values(), *([half] if half else []))), default=number.start
    )
    end = max((match.end() for match in (*behind.values(), *([word] if word else []))), default=number.end)
    end = max(end, *(match.end() for match in (_part_behind(flat, end),) if match), end)
    minute = hour * 60 + sum((*before, *behind)) - (30 if half else 0)
    either = hour * 60 <= _NOON
    if either and opening_words.IN_LATER_HALF.search(flat, number.end, end):
        minute, either = minute + (_NOON if minute < _NOON else 0), False
    elif either and opening_words.IN_MORNING.search(flat, number.end, end):
        either = False
    return minute, either, (start, end)


def _part_behind(flat: str, end: int) -> re.Match[str] | None:
    return opening_words.IN_MORNING.match(flat, end) or opening_words.IN_LATER_HALF.match(flat, end)


def _is_of_half_day(flat: str, end: int) -> bool:
    return _part_behind(flat, end) is not None
