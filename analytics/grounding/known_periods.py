"""On which days, in which months and at which time of the day facts say that something is so."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from analytics.grounding import opening_words
from analytics.grounding.draft_sentences import DraftSentence, MissingFact
from analytics.grounding.entailment import Entailment
from analytics.grounding.facts import Word, WordIndex, is_negative, words_of
from analytics.grounding.flattening import flatten
from analytics.grounding.known_texts import KnownText
from analytics.grounding.periods import Period, is_open_then, months_of, open_months, part_of_day, periods
from analytics.grounding.sentence_spans import language_of, sentences
from analytics.grounding.times_of_day import times_of

_NOON = 720
_ONLY = re.compile(r"\b(?:only|nur|seulement|uniquement|solo|solamente|soltanto|alleen|enkel)\b")
_EXCEPT = re.compile(
    r"\b(?:except|apart from|other than|außer|bis auf|ausgenommen|sauf|hormis|excepto|salvo|menos|tranne|eccetto"
    r"|salvo|behalve"
    r"|uitgezonderd)\b"
)
_MONTHLY = re.compile(
    r"\b(?:first|second|third|fourth|last|every other|once a month|monthly|of the month|a month|erste[mnr]?"
    r"|zweite[mnr]?|dritte[mnr]?"
    r"|letzte[mnr]?|im monat|monatlich\w*|premiers?|deuxieme|troisieme|derniers?|du mois|par mois|primer|segundo"
    r"|tercer|ultimo"
    r"|del mes|al mes|prim[ao]|second[ao]|terz[ao]|ultim[ao]|del mese|al mese|eerste|tweede|derde|laatste"
    r"|van de maand|per maand)\b"
)
_A_DAY = re.compile(r"\b(?:(?:a|per|each) day|(?:am|pro) tag|par jour|al dia|al giorno|per dag)\b")
"""What is so a number of times a day is so every day."""


@dataclass(frozen=True, slots=True)
class PeriodLine:
    """A sentence of the material that names days, months or parts of the day, with all its words."""

    named: frozenset[tuple[str, int | str]]
    around: WordIndex
    is_only: bool
    is_except: bool
    is_monthly: bool
    """Whether it is so on one such day of the month: on the first Sunday."""
    denies: bool


class KnownPeriods:
    """The sentences of the material that name days, months or parts of the day, and the week of opening times."""

    def __init__(
        self,
        known: Sequence[KnownText],
        language: str,
        week: Mapping[int, Collection[int]],
        entailment: Entailment,
    ) -> None:
        self._lines = [line for text in known for line in _read_periods(text, language)]
        self._week = week
        self._open_months = frozenset[int]().union(
            *(
                open_months(flatten(normalize("NFC", text.text[start:end])))
                for text in known
                for start, end in sentences(text.text)
            )
        )
        self._entailment = entailment

    def _is_in_open_months(self, period: Period, flat: str, told: Sequence[PeriodLine]) -> bool:
        """Tell whether the months of opening hold a month or a season, or spare it where a sentence says closed.

        Where the sentence speaks of what is open in these months, `told` of it, it need not say that it is.
        """
        if period.kind not in ("season", "month") or not self._open_months:
            return False
        months = months_of(str(period.value)) if period.kind == "season" else {int(period.value)}
        if opening_words.CLOSED.search(flat):
            return not months & self._open_months
        return months <= self._open_months and (
            opening_words.OPENING.search(flat) is not None
            or any(kind == "month" for line in told for kind, _ in line.named)
        )

    def is_closed_then(self, flat: str, days: Collection[int]) -> bool:
        """Tell whether facts say of some days that only another part of them is one of opening: only in the morning."""
        parts = {period.value for period in periods(flat) if period.kind == "part"}
        return bool(parts) and any(
            line.is_only
            and {("day", day) for day in days} <= line.named
            and not any(("part", part) in line.named for part in parts)
            for line in self._lines
        )

    def find_missing(self, sentence: DraftSentence) -> list[MissingFact]:
        """Return the days, months and parts of the day at which something is said to be that no fact names for it."""
        said = periods(sentence.flat)
        named = [
            period
            for period in said
            if self._entailment.claims_at(sentence.flat, period.start, sentence.language)
            and not any(
                (claim.kind in ("hours", "date") or (claim.kind == "number" and period.kind == "part"))
                and claim.start <= period.start < claim.end
                for claim in sentence.claims
            )
        ]
        if not named:
            return []
        specific = [
            word for word in sentence.words if not word.plain and not self._entailment.is_general(word)
        ]
        told = [line for line in self._lines if any(line.around.holds(word) for word in specific)]
        told = _likest(told, specific)
        spoken_of = [word for word in sentence.words if word.meanings or not word.plain]
        denies = is_negative(sentence.flat)
        is_monthly = _MONTHLY.search(sentence.flat) is not None
        days = {int(period.value) for period in said if period.kind == "day"}
        return [
            MissingFact(
                "hours" if period.kind != "month" else "date", sentence.text[period.start : period.end]
            )
            for period in named
            if not any(
                period.named in line.named
                and (not line.denies or denies)
                and (not line.is_monthly or is_monthly or period.kind != "day")
                for line in told
            )
            and not (denies and period.kind == "day" and period.value not in self._week and self._week)
            and not self._is_in_open_months(period, sentence.flat, told)
            # What is so except on some days is so on the others.
            and not (
                period.kind == "day"
                and any(
                    line.is_except
                    and period.named not in line.named
                    and any(map(line.around.holds, spoken_of))
                    for line in self._lines
                )
            )
            # The months that a sentence gives in words of its own are those of any fact; its words are judged too.
            and not (
                (
                    period.kind == "month"
                    or (
                        period.kind == "part"
                        and not specific
                        and opening_words.OPENING.search(sentence.flat) is None
                    )
                )
                and not told
                and any(period.named in line.named for line in self._lines)
            )
            and not (
                is_open_then(period, days, self._week)
                and not any(kind == period.kind for line in told for kind, _ in line.named)
            )
        ]


def _likest(lines: Sequence[PeriodLine], words: Sequence[Word]) -> list[PeriodLine]:
    """Return of the lines that name days those that hold most of some words, and all lines that name none."""
    counts = [sum(map(line.around.holds, words)) for line in lines]
    dated = [any(kind == "day" for kind, _ in line.named) for line in lines]
    most = max((count for count, has_day in zip(counts, dated, strict=True) if has_day), default=0)
    return [
        line
        for line, count, has_day in zip(lines, counts, dated, strict=True)
        if not has_day or count == most
    ]


def _read_periods(known: KnownText, language: str) -> Iterator[PeriodLine]:
    """Yield the sentences of a text that name a day, a month or a part of the day, but for opening times."""
    text = normalize("NFC", known.text)
    title = flatten(normalize("NFC", known.title))
    own = language_of(text, language)
    for flat in (flatten(text[start:end]) for start, end in sentences(text)):
        yield from _read_line(flat, title, own)
        clauses = re.split(r"[,;] ", flat)
        for clause in clauses if len(clauses) > 1 else ():
            yield from _read_line(clause, title, own)


def _read_line(flat: str, title: str, own: str) -> Iterator[PeriodLine]:
    named = frozenset(
        [period.named for period in periods(flat)]
        + ([("day", day) for day in range(7)] if _A_DAY.search(flat) else [])
        + [
            ("part", part_of_day(minute))
            for minute, either, _ in times_of(flat, (own,), bare=True)
            if not either or minute > _NOON
        ]
    )
    if named:
        around = WordIndex([*words_of(flat, own), *words_of(title, own)])
        yield PeriodLine(
            named,
            around,
            _ONLY.search(flat) is not None,
            _EXCEPT.search(flat) is not None,
            _MONTHLY.search(flat) is not None,
            is_negative(flat) and _EXCEPT.search(flat) is None and _ONLY.search(flat) is None,
        )
