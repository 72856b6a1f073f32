"""Reads on which days and at which times somebody says to be open, in six languages."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from analytics.grounding import lexicon
from analytics.grounding.numerals import Number, numbers
from analytics.grounding.plain_words import is_plain

_EXPLICIT = re.compile(
    r"\b(?P<hour>[01]?\d|2[0-4])(?:(?:[:.](?P<minute>[0-5]\d))?\s?(?P<half>[ap])\.?m\b\.?"
    r"|[:](?P<colon>[0-5]\d)(?:\s?(?:uhr|uur|h)\b)?|\s?h\s?(?P<french>[0-5]\d)?(?!\w)"
    r"|[.](?P<dot>[0-5]\d)(?:\s?(?:uhr|uur|h)\b)?"
    r"|\s(?:uhr|uur|o'clock|heures|horas)\b)"
)
_BARE = re.compile(
    r"\b(?P<hour>[01]?\d|2[0-4])\b(?!\s?(?:%|€|euro|stunden|hours|heures|horas|ore\b|uren|jahr|an))"
)
_BARE_RANGE = re.compile(
    r"(?<![:.\d])\b(?P<first>[01]?\d|2[0-4])\s?(?:-|to|bis|a|à|al|alle|tot|and|und)\s?(?=(?:[01]?\d|2[0-4])\b)"
)
_RANGE_AFTER = re.compile(
    r"\s(?:to|until|till|bis|a|jusqu'a|hasta|alle|fino a|tot)\s(?:(?:las|la|le)\s)?"
    r"(?:\d|noon|midi|mittag|mediodia|mezzogiorno)"
)
_FROM = re.compile(r"\b(?:from|von|de|des|dalle|van) (?:las |la |le )?\Z")
_IS_HOURS = re.compile(r"\A\d+\s(?:uur|heures|horas)\Z")
_PART = re.compile(r"[^,;\n]+")
_BESIDE = 40
"""Characters after an abbreviation in which a time has to begin for it to name a day."""
_DIGIT_AFTER = re.compile(
    r"(?:\.?\s{0,3}(?:[-:,&+/]|to|bis|a|t/m|und|and|et|y|e"
    r"|en)\s{0,3}[a-z]{2,3}\b){0,6}\.?\s{0,3}[-:,]?\s{0,3}\d"
)
_RANGE_BEFORE = re.compile(r"(?:[-,&+/]|to|bis|t/m|und|and|et|y|e|en)\s{0,4}\Z")
_TIME_AFTER = re.compile(r"\.?\s{0,4}(?:[-:,&+/\d]|to\b|bis\b|t/m|und\b|and\b|et\b|y\b|en\b)")
_AT_HOUR = re.compile(
    r"\b(?:alle|a las|um|om) \d{1,2}(?:[.:]\d\d)?\b(?! ?(?:%|€|euro|min|stund|or[ae]\b|person|jahr|ann|anos|uren"
    r"|dag|giorn))"
)
_COUNTED = re.compile(r"\s([^\W\d_]{4,})")
_NOON = 720
_HALF = re.compile(r"\b(?:um|ab|bis|gegen|von|om|vanaf|tot|van) (halb|half) \Z")
"""German and Dutch call 5:30 half of the sixth hour."""


@dataclass(frozen=True, slots=True)
class OpeningClaim:
    """Days (0 is Monday) with minutes of the day; `halves` says which times may be of either half of the day."""

    days: frozenset[int]
    times: tuple[tuple[int, bool], ...]
    closed: bool
    always: bool
    start: int
    end: int
    spans: tuple[tuple[int, int], ...]


def opening_claims(flat: str, languages: Sequence[str]) -> list[OpeningClaim]:
    """Return what a flat text says of opening, part by part; a part without days takes those before it."""
    always = lexicon.ALWAYS_OPEN.search(flat)
    if always is not None:
        return [OpeningClaim(frozenset(range(7)), (), False, True, *always.span(), (always.span(),))]
    days_named = days_of(flat)
    cued = lexicon.OPENING.search(flat) is not None
    spoken = bool(days_named) and (_spoken_hours(flat, languages) or _AT_HOUR.search(flat) is not None)
    if not cued and not spoken and not (days_named and _EXPLICIT.search(flat)):
        return []
    read: list[OpeningClaim] = []
    carried: frozenset[int] = frozenset()
    for start, end in _parts(flat):
        part = flat[start:end]
        days, spans = day_spans(part)
        carried = days or carried
        times = times_of(part, languages, bare=cued or spoken or bool(carried))
        if not days and not times:
            continue
        closed = not times and (
            lexicon.CLOSED.search(part) is not None or _is_closed_behind(flat, end, languages)
        )
        shifted = tuple(
            (start + first, start + last) for first, last in [*spans, *(span for _, _, span in times)]
        )
        low, high = min(start for start, _ in shifted), max(end for _, end in shifted)
        minutes = tuple((minute, either) for minute, either, _ in times)
        read.append(OpeningClaim(carried, minutes, closed, False, low, high, shifted))
    return read


def _is_closed_behind(flat: str, end: int, languages: Sequence[str]) -> bool:
    """Tell whether what follows days says that they are closed: on Monday, the shop is closed."""
    rest = re.split(r"[;\n]", flat[end:], maxsplit=1)[0]
    named = lexicon.CLOSED.search(rest)
    return named is not None and not days_of(rest) and not times_of(rest, languages, bare=True)


def _parts(flat: str) -> list[tuple[int, int]]:
    """Return `[start, end)` of what stands between commas; days without a time belong to the time that follows."""
    parts: list[tuple[int, int]] = []
    for match in _PART.finditer(flat):
        before = flat[slice(*parts[-1])] if parts else ""
        is_open = before and not re.search(r"\d", before) and not lexicon.CLOSED.search(before)
        if (is_open and "\n" not in flat[parts[-1][1] : match.start()] and re.search(r"\d", match[0])) or (
            is_open
            and parts
            and "\n" not in flat[parts[-1][1] : match.start()]
            and len(match[0]) <= _SHORT_DAYS
        ):
            parts[-1] = (parts[-1][0], match.end())
        else:
            parts.append(match.span())
    return parts


_SHORT_DAYS = 12
"""Characters of one more day in a list, ` Dienstag` or ` Di`."""


def days_of(flat: str) -> frozenset[int]:
    """Return the days of the week that a flat text names, ranges filled."""
    return day_spans(flat)[0]


def day_spans(flat: str) -> tuple[frozenset[int], list[tuple[int, int]]]:
    """Return the days that a flat text names, and where."""
    named: list[tuple[int, int, int]] = []
    for match in lexicon.DAYS.finditer(flat):
        word = next(value for value in match.groupdict().values() if value)
        named.append((int((match.lastgroup or "d0")[1:]), *match.span()))
        if word.rstrip("s") in lexicon.SHORT_DAY and not _beside_time(flat, *match.span()):
            named.pop()
    days = {day for day, _, _ in named}
    for (first, _, end), (last, start, _) in pairwise(named):
        if lexicon.RANGE.match(flat[end:start]):
            days |= {(first + step) % 7 for step in range((last - first) % 7 + 1)}
    spans = [(start, end) for _, start, end in named]
    for pattern, group in (
        (lexicon.EVERY_DAY, range(7)), (lexicon.WEEKDAYS, range(5)), (lexicon.WEEKENDS, range(5, 7)),
    ):  # fmt: skip
        for match in pattern.finditer(flat):
            days |= set(group)
            spans.append(match.span())
    return frozenset(days), spans


def _beside_time(flat: str, start: int, end: int) -> bool:
    """Tell whether an abbreviation of a day stands beside digits, a range or another abbreviation."""
    following = flat[end : end + _BESIDE]
    after = _DIGIT_AFTER.match(following)
    before = _RANGE_BEFORE.search(flat[max(0, start - 6) : start])
    return (after is not None or before is not None) and _TIME_AFTER.match(following) is not None


def times_of(flat: str, languages: Sequence[str], *, bare: bool) -> list[tuple[int, bool, tuple[int, int]]]:
    """Return (minute of the day, whether of either half, span); `bare` reads plain numbers after `at`, `to`, too."""
    read: dict[int, tuple[int, bool, tuple[int, int]]] = {}
    for match in _EXPLICIT.finditer(flat):
        if match["dot"] is not None and not bare:
            continue
        # 20 uur, 20 heures are twenty hours too, unless a word of time stands before them.
        if _IS_HOURS.search(match[0]) and not lexicon.TIME_CUE.search(
            flat, max(0, match.start() - 12), match.start()
        ):
            continue
        hour = int(match["hour"])
        minute = int(match["minute"] or match["colon"] or match["french"] or match["dot"] or 0)
        half = match["half"]
        if half is not None:
            hour = hour % 12 + (12 if half == "p" else 0)
        read[match.start()] = (hour * 60 + minute, False, match.span())
    spoken = [number for number in numbers(flat, languages) if number.in_words and number.value <= 24]
    for number in spoken:
        read = _spoken_time(flat, number, languages, bare=bare) | read
    for number in spoken:
        half = _HALF.search(flat, max(0, number.start - 18), number.start)
        if half is not None and 1 <= number.value <= _NOON // 60:
            read[half.start(1)] = (int(number.value) * 60 - 30, True, (half.start(1), number.end))
    if bare:
        for match in _BARE_RANGE.finditer(flat):
            read.setdefault(match.start(), (int(match["first"]) * 60, True, match.span("first")))
        for match in _BARE.finditer(flat):
            taken = any(start <= match.start() < end for _, _, (start, end) in read.values())
            if not taken and lexicon.TIME_CUE.search(flat, max(0, match.start() - 12), match.start()):
                read[match.start()] = (int(match["hour"]) * 60, True, match.span())
        for match in re.finditer(r"\bat (one)\b", flat):
            read.setdefault(match.start(1), (60, True, match.span(1)))
        for match in lexicon.NOON.finditer(flat):
            if lexicon.TIME_CUE.search(flat, max(0, match.start() - 12), match.start()):
                read.setdefault(match.start(), (_NOON, False, match.span()))
    return [read[start] for start in sorted(read)]


_TimeAt: TypeAlias = tuple[int, bool, tuple[int, int]]


def _spoken_time(flat: str, number: Number, languages: Sequence[str], *, bare: bool) -> dict[int, _TimeAt]:
    """Return the time that an hour in words names, with what stands before and behind it; none without such a word.

    `bare` reads hours after `at`, `to`, too.
    """
    before = {
        minutes: match
        for minutes, pattern in lexicon.PAST.items()
        if (match := pattern.search(flat, max(0, number.start - 16), number.start))
    }
    behind = {
        minutes: match
        for minutes, pattern in lexicon.AND_MINUTES.items()
        if (match := pattern.match(flat, number.end))
    }
    word = lexicon.HOUR_WORD.match(flat, number.end)
    counted = _COUNTED.match(flat, number.end)
    if counted is not None and (
        lexicon.PEOPLE.fullmatch(counted[1]) or not is_plain(counted[1], languages[0])
    ):
        bare = False
    begins = _RANGE_AFTER.match(flat, number.end)
    cue = lexicon.TIME_CUE.search(flat, max(0, number.start - 12), number.start)
    if not (before or behind or (bare and (word or cue or begins))):
        return {}
    start = min((match.start() for match in before.values()), default=number.start)
    end = max((match.end() for match in (*behind.values(), *([word] if word else []))), default=number.end)
    minute = int(number.value) * 60 + sum((*before, *behind))
    return {start: (minute, number.value * 60 <= _NOON, (start, end))}


def _spoken_hours(flat: str, languages: Sequence[str]) -> bool:
    """Tell whether an hour stands in words with what makes it one: `neun Uhr`, or from eight to five."""
    spoken = [number for number in numbers(flat, languages) if number.in_words and number.value <= 24]
    return any(lexicon.HOUR_WORD.match(flat, number.end) for number in spoken) or any(
        _FROM.search(flat, max(0, first.start - 8), first.start)
        and lexicon.RANGE.match(flat[first.end : last.start])
        for first, last in pairwise(spoken)
    )


def week_of(flat_lines: Sequence[str], languages: Sequence[str]) -> dict[int, set[int]]:
    """Return day -> minutes that stand beside it, of the lines that speak of opening; closed days are out."""
    week: dict[int, set[int]] = {}
    for line in flat_lines:
        for claim in opening_claims(line, languages):
            for day in () if claim.closed else claim.days:
                week.setdefault(day, set()).update(minute for minute, _ in claim.times)
    return week


def agrees(claim: OpeningClaim, week: dict[int, set[int]]) -> bool:
    """Tell whether a week holds what is claimed: a day that it does not name is closed."""
    if not week or claim.always:
        return False
    if claim.closed:
        return not claim.days & week.keys()
    if claim.days and not claim.days <= week.keys():
        return False
    days = claim.days or week.keys()
    return all(any(_same_time(time, week[day]) for day in days) for time in claim.times)


def _same_time(time: tuple[int, bool], known: set[int]) -> bool:
    minute, either = time
    return minute in known or (either and any(minute % _NOON == other % _NOON for other in known))
