"""Reads on which days and at which times somebody says to be open, in six languages."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from analytics.grounding import opening_words
from analytics.grounding.numerals import numbers
from analytics.grounding.times_of_day import times_of

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
_NOON = 720


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
    is_loose: bool = False
    """Whether the days are named together, `during the week`: not on each of them need all times be so."""


def opening_claims(flat: str, languages: Sequence[str]) -> list[OpeningClaim]:
    """Return what a flat text says of opening, part by part; a part without days takes those before it."""
    always = opening_words.ALWAYS_OPEN.search(flat)
    if always is not None:
        return [OpeningClaim(frozenset(range(7)), (), False, True, *always.span(), (always.span(),))]
    days_named = days_of(flat)
    cued = _is_of_opening(flat, languages) or (
        bool(days_named) and opening_words.CLOSED.search(flat) is not None
    )
    spoken = bool(days_named) and (
        bool(times_of(flat, languages, bare=False)) or _AT_HOUR.search(flat) is not None
    )
    if not cued and not spoken:
        return []
    read: list[OpeningClaim] = []
    carried: frozenset[int] = frozenset()
    for start, end in _parts(flat):
        part = flat[start:end]
        days, spans = day_spans(part)
        is_exception = bool(days) and opening_words.EXCEPT.search(part) is not None
        others = carried - days
        carried = days or carried
        times = times_of(part, languages, bare=cued or spoken or bool(carried))
        if not days and not times:
            continue
        excepted = is_exception and (not times or bool(others))
        closed = excepted or (
            not times
            and (opening_words.CLOSED.search(part) is not None or _is_closed_behind(flat, end, languages))
        )
        if excepted:
            carried = others
            read = [
                replace(opening, days=opening.days - days) if not opening.closed else opening
                for opening in read
            ]
        shifted = tuple(
            (start + first, start + last) for first, last in [*spans, *(span for _, _, span in times)]
        )
        low, high = min(start for start, _ in shifted), max(end for _, end in shifted)
        is_loose = any(pattern.search(part) for pattern in (opening_words.WEEKDAYS, opening_words.WEEKENDS))
        minutes = tuple((minute, either) for minute, either, _ in times)
        if excepted:
            read.append(OpeningClaim(days, (), True, False, low, high, shifted))
            if times:  # daily except Monday 10:00-18:00
                read.append(OpeningClaim(others, minutes, False, False, low, high, shifted, is_loose))
            continue
        claim = OpeningClaim(carried, minutes, closed, False, low, high, shifted, is_loose)
        read = [replace(other, days=other.days - days) if _narrows(claim, other) else other for other in read]
        read.append(claim)
    return read


def _narrows(claim: OpeningClaim, other: OpeningClaim) -> bool:
    """Tell whether some days of an opening have hours in place of its own: daily 10-18, Sunday 12-16.

    Hours beside its own are further ones: Monday to Friday 8-12, Tuesday 14-18.
    """
    if not claim.days < other.days or claim.closed or other.closed:
        return False
    (first, last), (begin, end) = (
        (min(minutes, default=0), max(minutes, default=0))
        for minutes in ([minute for minute, _ in opening.times] for opening in (claim, other))
    )
    return first < end and begin < last


def _is_of_opening(flat: str, languages: Sequence[str]) -> bool:
    """Tell whether a word speaks of opening; hours that are counted do not."""
    counted = {number.end for number in numbers(flat, languages)}
    return any(
        not match[0].startswith("hour") or match.start() - 1 not in counted
        for match in opening_words.OPENING.finditer(flat)
    )


def _is_closed_behind(flat: str, end: int, languages: Sequence[str]) -> bool:
    """Tell whether what follows days says that they are closed: on Monday, the shop is closed."""
    rest = re.split(r"[;\n]", flat[end:], maxsplit=1)[0]
    named = opening_words.CLOSED.search(rest)
    return named is not None and not days_of(rest) and not times_of(rest, languages, bare=True)


def _parts(flat: str) -> list[tuple[int, int]]:
    """Return `[start, end)` of what stands between commas; days without a time belong to the time that follows."""
    parts: list[tuple[int, int]] = []
    for match in _PART.finditer(flat):
        before = flat[slice(*parts[-1])] if parts else ""
        is_open = before and not re.search(r"\d", before) and not opening_words.CLOSED.search(before)
        if (is_open and "\n" not in flat[parts[-1][1] : match.start()] and re.search(r"\d", match[0])) or (
            is_open
            and parts
            and "\n" not in flat[parts[-1][1] : match.start()]
            and len(match[0]) <= _SHORT_DAYS
        ):
            parts[-1] = (parts[-1][0], match.end())
        else:
            parts.append(match.span())
    return [
        piece
        for part in parts
        for half in _split_closing(flat, *part)
        for piece in _split_exception(flat, *half)
    ]


def _split_closing(flat: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return a part, or its two halves when one tells hours of some days and the other closes some, linked by `and`."""
    closed = opening_words.CLOSED.search(flat, start, end)
    if closed is None:
        return [(start, end)]
    before = list(_LINK.finditer(flat, start, closed.start()))[-1:]
    behind = [link for link in [_LINK.search(flat, closed.end(), end)] if link is not None]
    for link in (*before, *behind):
        halves = flat[start : link.start()], flat[link.end() : end]
        opened, shut = halves if link in before else reversed(halves)
        if _FIGURE.search(opened) and not _FIGURE.search(shut) and days_of(opened) and days_of(shut):
            return [(start, link.start()), (link.start(), end)]
    return [(start, end)]


_LINK = re.compile(r"\b(?:and|but|und|aber|et|mais|y|pero|e|ma|en|maar|i)\b")
_FIGURE = re.compile(r"\d")


def _split_exception(flat: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return a part, or what stands before and behind the word that takes days out of it."""
    match = opening_words.EXCEPT.search(flat, start, end)
    if match is None or not days_of(flat[match.start() : end]) or not flat[start : match.start()].strip():
        return [(start, end)]
    return [(start, match.start()), (match.start(), end)]


_SHORT_DAYS = 12
"""Characters of one more day in a list, ` Dienstag` or ` Di`."""


def days_of(flat: str) -> frozenset[int]:
    """Return the days of the week that a flat text names, ranges filled."""
    return day_spans(flat)[0]


def day_spans(flat: str) -> tuple[frozenset[int], list[tuple[int, int]]]:
    """Return the days that a flat text names, and where."""
    named: list[tuple[int, int, int]] = []
    for match in opening_words.DAYS.finditer(flat):
        word = next(value for value in match.groupdict().values() if value)
        named.append((int((match.lastgroup or "d0")[1:]), *match.span()))
        if word.rstrip("s") in opening_words.SHORT_DAY and not _beside_time(flat, *match.span()):
            named.pop()
    days = {day for day, _, _ in named}
    for (first, _, end), (last, start, _) in pairwise(named):
        if opening_words.RANGE.match(flat[end:start]):
            days |= {(first + step) % 7 for step in range((last - first) % 7 + 1)}
    spans = [(start, end) for _, start, end in named]
    for pattern, group in (
        (opening_words.EVERY_DAY, range(7)), (opening_words.WEEKDAYS, range(5)), (opening_words.WEEKENDS, range(5, 7)),
    ):  # fmt: skip
        for match in pattern.finditer(flat):
            # During the week, Tuesday to Friday, says which days of the week.
            if pattern is not opening_words.WEEKDAYS or not _has_range(flat, named):
                days |= set(group)
            spans.append(match.span())
    return frozenset(days), spans


def _has_range(flat: str, named: Sequence[tuple[int, int, int]]) -> bool:
    return any(opening_words.RANGE.match(flat[end:start]) for (_, _, end), (_, start, _) in pairwise(named))


def _beside_time(flat: str, start: int, end: int) -> bool:
    """Tell whether an abbreviation of a day stands beside digits, a range or another abbreviation."""
    following = flat[end : end + _BESIDE]
    after = _DIGIT_AFTER.match(following)
    before = _RANGE_BEFORE.search(flat[max(0, start - 6) : start])
    return (after is not None or before is not None) and _TIME_AFTER.match(following) is not None


def week_of(flat_lines: Sequence[str], languages: Sequence[str]) -> dict[int, set[int]]:
    """Return day -> the minutes at which flat lines say that it opens or closes."""
    return week_of_claims([claim for line in flat_lines for claim in opening_claims(line, languages)])


def week_of_claims(claims: Sequence[OpeningClaim]) -> dict[int, set[int]]:
    """Return day -> the minutes at which it opens or closes, of days that are not closed."""
    week: dict[int, set[int]] = {}
    for claim in claims:
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
    if claim.days and not claim.is_loose:
        return all(_same_time(time, week[day]) for time in claim.times for day in claim.days if week[day])
    return all(any(_same_time(time, week[day]) for day in claim.days or week) for time in claim.times)


def is_same_minute(time: tuple[int, bool], other: tuple[int, bool]) -> bool:
    """Tell whether two times are the same, or may be where one is of either half of the day."""
    apart = time[0] - other[0]
    return apart == 0 or ((time[1] or other[1]) and apart % _NOON == 0)


def _same_time(time: tuple[int, bool], known: set[int]) -> bool:
    minute, either = time
    return minute in known or (either and any(minute % _NOON == other % _NOON for other in known))
