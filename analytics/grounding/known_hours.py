"""At which hours and on which days facts say that something of the company is open or takes place."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence

from analytics.grounding.claims import DraftClaim
from analytics.grounding.draft_sentences import DraftSentence
from analytics.grounding.fact_lines import FactLine, has_hour, is_time_of
from analytics.grounding.facts import Word, WordIndex, words_of
from analytics.grounding.known_periods import KnownPeriods
from analytics.grounding.opening_claims import OpeningClaim, agrees, is_same_minute, week_of_claims

_LONG = 4
_LABEL = re.compile(r"[^:.!?]{2,40}(?=:)")


def _thing_of(line: FactLine) -> WordIndex:
    """Return the words for what a line gives hours of: those before its colon, or those that say something."""
    label = _LABEL.match(line.flat)
    words = words_of(line.flat if label is None else label[0], line.language)
    return WordIndex([word for word in words if len(word.text) >= _LONG and (label or not word.plain)])


class KnownHours:
    """The hours of the material: of the week of opening, and `lines` of single things."""

    def __init__(
        self,
        lines: Sequence[FactLine],
        week: Mapping[int, set[int]],
        periods: KnownPeriods,
        is_general: Callable[[Word], bool],
    ) -> None:
        self._lines = lines
        self._week = dict(week)
        self._periods = periods
        self._is_general = is_general

    def bear_out(self, claim: OpeningClaim, sentence: DraftSentence) -> bool:
        """Tell whether facts give a sentence's days and hours, those of the thing that it speaks of first."""
        if claim.closed and self._periods.is_closed_then(sentence.flat, claim.days):
            return True
        if self._is_hours_of_thing(claim, sentence):
            return True
        if self._is_out_of_hours(claim, sentence) or self._is_of_another_thing(claim, sentence):
            return False
        return agrees(claim, self._week) and not self._is_known_closed(claim, sentence)

    def is_in_week(self, claim: DraftClaim) -> bool:
        """Tell whether a time is one of the week of opening."""
        return any(is_time_of(times, claim) for times in self._week.values())

    def open_days(self) -> Collection[int]:
        """Return the days of opening, 0 for Monday."""
        return self._week.keys()

    def has_time(self, claim: DraftClaim, sentence: DraftSentence) -> bool:
        """Tell whether a fact gives a time among hours of days, for something that the sentence speaks of."""
        words = [word for word in sentence.words if not word.plain and not self._is_general(word)]
        return any(
            has_hour(line.claim, claim) and any(line.around.holds(word) for word in words)
            for line in self._lines
        )

    def _is_hours_of_thing(self, claim: OpeningClaim, sentence: DraftSentence) -> bool:
        """Tell whether facts give something that the sentence speaks of these days and times, or close it then."""
        words = [word for word in sentence.words if not word.plain and not self._is_general(word)]
        told = [
            line.claim.value
            for line in self._lines
            if isinstance(line.claim.value, OpeningClaim) and any(line.around.holds(word) for word in words)
        ]
        if claim.always:
            return any(
                isinstance(line.claim.value, OpeningClaim)
                and line.claim.value.always
                and any(map(line.part.holds, words))
                for line in self._lines
            )
        closed = frozenset[int]().union(*(hours.days for hours in told if hours.closed))
        if claim.closed:
            low, high = next(part for part in sentence.parts if part[0] <= claim.start < part[1])
            beside = [word for word in sentence.words if low <= word.start < high]
            return bool(claim.days) and (claim.days <= closed or not claim.days & self._days_of(beside))
        return not claim.days & closed and any(
            bool(claim.times)
            and (not claim.days or claim.days <= hours.days or not hours.days)
            and all(any(is_same_minute(time, other) for other in hours.times) for time in claim.times)
            for hours in told
        )

    def _days_of(self, words: Sequence[Word]) -> frozenset[int]:
        """Return the days on which facts give hours to a thing that they name by one of these words, all for none.

        Where facts give a thing days with hours, it is closed on the others.
        """
        told = [
            line.claim.value.days
            for line in self._lines
            if isinstance(line.claim.value, OpeningClaim)
            and line.claim.value.days
            and line.claim.value.times
            and not line.claim.value.closed
            and any(map(_thing_of(line).holds_itself, words))
        ]
        return frozenset[int]().union(*told) if told else frozenset(range(7))

    def _is_out_of_hours(self, claim: OpeningClaim, sentence: DraftSentence) -> bool:
        """Tell whether facts give something that the sentence speaks of days of its own, and these are others."""
        words = [word for word in sentence.words if not word.plain and not self._is_general(word)]
        told = [
            line.claim.value.days
            for line in self._lines
            if isinstance(line.claim.value, OpeningClaim)
            and line.claim.value.days
            and line.claim.value.times
            and any(map(line.around.holds_itself, words))
        ]
        return not claim.closed and bool(told) and not claim.days <= frozenset[int]().union(*told)

    def _is_of_another_thing(self, claim: OpeningClaim, sentence: DraftSentence) -> bool:
        """Tell whether a sentence names what a label gives hours of, and none of these are what it says: Cafe: 8-14."""
        told = [
            line.claim.value
            for line in self._lines
            if isinstance(line.claim.value, OpeningClaim)
            and line.claim.value.times
            and _LABEL.match(line.flat)
            and any(map(_thing_of(line).holds_itself, sentence.words))
        ]
        return bool(claim.times and told) and not agrees(claim, week_of_claims(told))

    def _is_known_closed(self, claim: OpeningClaim, sentence: DraftSentence) -> bool:
        """Tell whether a fact says that what a sentence speaks of is closed on a day that the sentence names."""
        words = [word for word in sentence.words if not word.plain and not self._is_general(word)]
        return not claim.closed and any(
            isinstance(line.claim.value, OpeningClaim)
            and line.claim.value.closed
            and bool(line.claim.value.days & claim.days)
            and any(line.around.holds(word) for word in words)
            for line in self._lines
        )
