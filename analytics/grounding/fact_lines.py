"""Claims of the material, each tied to the words around it, and whether one says what a claim of a draft says."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import takewhile
from operator import itemgetter
from typing import cast
from unicodedata import normalize

from analytics.grounding import lexicon
from analytics.grounding.claims import DraftClaim, claims, counted_lists
from analytics.grounding.draft_sentences import DraftSentence, clause_of
from analytics.grounding.facts import Word, WordIndex, is_negative, split_parts, words_of
from analytics.grounding.flattening import flatten
from analytics.grounding.known_contrasts import REFERS
from analytics.grounding.known_texts import KnownText
from analytics.grounding.measures import SPACE
from analytics.grounding.number_bounds import bound_of, per_unit, unit_named
from analytics.grounding.opening_claims import OpeningClaim
from analytics.grounding.sentence_spans import language_of, sentences

_WORD = re.compile(r"[^\W\d_]+")
_HALF_A_DAY = re.compile(lexicon.PER_UNITS["half-day"])
_UNDERSTOOD = frozenset(("number minutes", *(f"number {dimension}" for dimension in SPACE)))
"""Kinds of numbers of which several in a sentence may be of one thing: 20 metres long and 1.1 metres deep."""
_SHORTEST_PHONE = 6
PHONE_DIGITS = 9
MOST_LINES, MOST_WORDS = 200, 30
_SAME_UNIT = 6
_SHORT_UNIT = 4
_DAYS_A_MONTH, _MINUTES_A_DAY, _HALF_DAY = 30, 1440, 720


@dataclass(frozen=True, slots=True)
class FactLine:
    """One claim of the material, with the words that tie it to a sentence: its own part first, then all around it."""

    claim: DraftClaim
    flat: str
    part: WordIndex
    around: WordIndex
    text: WordIndex
    """All words of the text that holds the claim."""
    language: str
    start: int = 0
    """Where its part of the sentence begins."""
    is_elliptic: bool = False
    """Whether the words of an earlier part are understood here too: 45 euros for one, 65 with breakfast."""


def read_fact_lines(known: KnownText, language: str) -> Iterator[FactLine]:
    """Yield what the sentences of a text claim, each tied to the words beside it and to the text's title."""
    text = normalize("NFC", known.text)
    title = flatten(normalize("NFC", known.title))
    own = language_of(text, language)
    whole = WordIndex([*words_of(flatten(text), own), *words_of(title, own)])
    flats = [flatten(text[start:end]) for start, end in sentences(text)]
    claimed = [claims(flat, claim_languages(own, language, language)) + counted_lists(flat) for flat in flats]
    going_on = [
        REFERS.match(flat) is not None and not read for flat, read in zip(flats, claimed, strict=True)
    ]
    for place, (flat, read) in enumerate(zip(flats, claimed, strict=True)):
        if not read:
            continue
        # It covers a check of the panels: what a sentence without a claim of its own says of the thing before it.
        following = zip(flats[place + 1 :], going_on[place + 1 :], strict=True)
        told = [flat, *(text for text, _ in takewhile(itemgetter(1), following))]
        around = WordIndex([word for text in (*told, title) for word in words_of(text, own)])
        parts = list(split_parts(flat))
        heads: dict[str, tuple[int, int]] = {}
        for claim in read:
            low, high = next(
                ((low, high) for low, high in parts if low <= claim.start < high), (0, len(flat))
            )
            head = heads.setdefault(comparable_kind(claim), (low, high))
            said = words_of(flat[low:high], own)
            clause = clause_of(flat, claim.start)[0]
            if clause and all(word.plain for word in said):
                said = words_of(
                    flat[clause:high], own
                )  # the morning ticket, valid until noon, costs 27 euros
            may_be = claim.kind == "amount" or comparable_kind(claim) in _UNDERSTOOD
            is_one = head[0] >= clause or _OTHERWISE.match(flat, low) is not None
            is_elliptic = may_be and head != (low, high) and is_one
            understood = words_of(flat[slice(*head)], own) if is_elliptic else []
            yield FactLine(claim, flat, WordIndex([*said, *understood]), around, whole, own, low, is_elliptic)


def claim_languages(own: str, draft: str, material: str) -> tuple[str, ...]:
    """Return the languages to read a sentence's numbers in: its own, its draft's, the material's, and English."""
    return tuple(dict.fromkeys((own, draft, material, "en")))


def comparable_kind(claim: DraftClaim) -> str:
    """Return which facts a claim is compared with: those of its kind and, for numbers, of its measure."""
    if (
        claim.kind in ("number", "amount", "share")
        and isinstance(claim.value, tuple)
        and len(claim.value) == 2
    ):
        unit = str(claim.value[1]).replace("months", "minutes").removesuffix(" of either half")
        return f"{claim.kind} {'counted' if unit.startswith('~') or unit == 'people' else unit}"
    return claim.kind


def is_comparable(fact: DraftClaim, claim: DraftClaim) -> bool:
    """Tell whether the values of two claims of one kind have the same form."""
    return not isinstance(claim.value, tuple) or (
        isinstance(fact.value, tuple) and len(fact.value) == len(claim.value)
    )


def has_same_measure(line: FactLine, claim: DraftClaim, flat: str) -> bool:
    """Tell whether a number is bounded and counted as the fact's is, `more than` and `a month`."""
    bound, known = bound_of(flat, claim), bound_of(line.flat, line.claim)
    if bound == "over" and known in ("most", "under", None) and is_negative(flat):
        return True
    if bound == "under" and known in ("over", "least", "from") and is_negative(flat):
        return True
    if bound == "most":
        return known not in ("from", "over", "least")
    if bound == "least" and known in ("least", "from", None):
        return True
    # What is free from 20 euros on and costs something below costs it under 20 euros.
    if bound != known and _is_bounded_alike(bound, line):
        return True
    # A day ahead at least is up to a day ahead.
    if {bound, known} == {"least", "most"}:
        return _is_ahead(flat, claim) and _is_ahead(line.flat, line.claim)
    if bound not in (None, "from") and known not in ((bound, "from") if bound == "over" else (bound,)):
        return False
    per = per_unit(flat, claim) if claim.kind == "amount" else None
    return (
        per is None
        or per in (per_unit(line.flat, line.claim), None)
        or per in map(unit_named, _WORD.findall(_HALF_A_DAY.sub(" ", line.flat)))
    )


def _is_bounded_alike(bound: str | None, line: FactLine) -> bool:
    """Tell whether a fact bounds its number so, or says what holds on that side of it."""
    known = bound_of(line.flat, line.claim)
    return bound is not None and (
        bound == known
        or (bound == "over" and known == "from")
        or (
            known in _TURNED.get(bound, ())
            and (_OTHERWISE.search(line.flat, line.claim.end) is not None or _is_priced_below(line))
        )
    )


def _is_priced_below(line: FactLine) -> bool:
    """Tell whether a fact gives a price first and then from how much on there is none: 8 euros, free from 75."""
    free = lexicon.FREE.search(line.flat)
    return (
        line.claim.kind == "amount"
        and free is not None
        and _PRICE.search(line.flat, 0, min(free.start(), line.claim.start)) is not None
    )


_PRICE = re.compile(r"\d\s?[€$£]|[€$£]\s?\d|\d (?:euros?|pounds?|franken|francs?|dollars?)\b")
_TURNED = {"under": ("from", "least", "over"), "over": ("most", "under")}
"""What the other side of a bound is said with."""
_OTHERWISE = re.compile(
    r"\b(?:below|under|otherwise|less|fewer|above|beyond|darunter|daruber|sonst|ansonsten|andernfalls|weniger|bei mehr"
    r"|(?:en|au)[- ]d(?:essous|essus|eca|ela)|sinon|autrement|por debajo|por encima|si no|de lo contrario|menos"
    r"|(?:al di )?(?:sotto|sopra)|altrimenti|meno|daaronder|daarboven|anders|eronder|erboven|minder)\b"
)
"""What a fact goes on with to say what holds on the other side of a bound."""


def _is_ahead(flat: str, claim: DraftClaim) -> bool:
    """Tell whether a span of time is counted back from something: a day before."""
    return (
        lexicon.AHEAD.match(flat, claim.end) is not None
        or lexicon.AHEAD_IN.search(flat[claim.start : claim.end]) is not None
    )


def relevance(
    line: FactLine,
    claim: DraftClaim,
    flat: str,
    near: Sequence[Word],
    words: Sequence[Word],
    free: Sequence[Word],
) -> int:
    """Return how much of a sentence a fact speaks of; words beside the claim count most.

    `free` are the words of parts that hold no other claim of the kind: they may tell one fact from its neighbour.
    """
    if is_same_unit(line.claim, claim):  # what both count tells neither from the other
        near = [word for word in near if not claim.start <= word.start < claim.end]
    return (
        _SAME_UNIT * is_same_unit(line.claim, claim)
        + 3 * sum(line.part.holds(word) + line.part.holds_itself(word) for word in near[:MOST_WORDS])
        + sum(2 * line.around.holds(word) for word in near[:MOST_WORDS])
        + sum(line.around.holds(word) for word in words[:MOST_WORDS])
        + 2 * _is_bounded_alike(bound_of(flat, claim), line)
        + 2 * sum(line.part.holds(word) for word in free[:MOST_WORDS] if _tells(word))
        - line.is_elliptic
    )


def _tells(word: Word) -> bool:
    """Tell whether a word may tell one fact from its neighbour: one with a meaning, or a month."""
    return bool(word.meanings) or not word.plain or word.text in lexicon.MONTH_OF


def is_same_unit(fact: DraftClaim, claim: DraftClaim) -> bool:
    """Tell whether two numbers count the same things, which is more than the same measure."""
    if claim.kind != "number" or not isinstance(fact.value, tuple) or not isinstance(claim.value, tuple):
        return False
    unit, other = str(fact.value[1]), str(claim.value[1])
    if unit.lstrip("~") in ("", "minutes", "months"):
        return False
    return unit == other or (
        min(len(unit), len(other)) > _SHORT_UNIT and (unit.startswith(other) or other.startswith(unit))
    )


def only_same_unit(lines: Sequence[FactLine], claim: DraftClaim) -> Sequence[FactLine]:
    """Return the facts that a number competes with: those that count the same things, if there are any.

    Of spans in another measure only those of the same length compete: a month with thirty days, not with an hour.
    """
    if claim.kind != "number" or not isinstance(claim.value, tuple):
        return lines
    # How many things a line lists says nothing but of such things.
    lines = [line for line in lines if line.claim.start < line.claim.end or is_same_unit(line.claim, claim)]
    alike = [line for line in lines if is_same_unit(line.claim, claim)]
    if alike and claim.value[1] != "people":
        return alike
    return [
        line for line in lines
        if not _is_other_span(line.claim.value, claim.value) or has_same_value(line.claim, claim)
    ]  # fmt: skip


def _is_other_span(value: object, other: tuple[object, ...]) -> bool:
    """Tell whether two spans are of other lengths by far: months and days, or days and hours."""
    if not isinstance(value, tuple):
        return False
    span = cast("tuple[object, ...]", value)
    if {span[1], other[1]} == {"minutes", "months"}:
        return True
    lengths = [
        length[0] for length in (span, other) if length[1] == "minutes" and isinstance(length[0], Decimal)
    ]
    return len(lengths) == 2 and min(lengths) < _MINUTES_A_DAY <= max(lengths)


def covers(line: FactLine, content: Sequence[Word]) -> bool:
    """Tell whether a fact speaks of most of what a sentence says is the best, free or certified."""
    return holds_most(line.around, content)


def holds_most(index: WordIndex, content: Sequence[Word]) -> bool:
    """Tell whether two thirds of some words stand in an index."""
    return 3 * sum(index.holds(word) for word in content) >= 2 * len(content)


def has_same_value(fact: DraftClaim, claim: DraftClaim) -> bool:
    """Tell whether two claims of one kind say the same amount; boasts and promises are the same in any words."""
    if isinstance(fact.value, tuple) and isinstance(claim.value, tuple):
        if len(fact.value) != 2 or len(claim.value) != 2:
            return fact.value == claim.value
        if str(claim.value[1]).startswith("clock"):
            return _is_same_time(fact.value, claim.value)
        if {fact.value[1], claim.value[1]} == {"minutes", "months"}:
            return _is_same_span(fact.value, claim.value)
        if fact.value[1] == claim.value[1] == "minutes" and {fact.value[0], claim.value[0]} in _SAID_OF_WEEKS:
            return True
        return fact.value[0] == claim.value[0] and (
            fact.value[1] == claim.value[1] or _is_noun(fact.value[1], claim.value[1])
        )
    if claim.kind in ("number", "share", "amount", "date"):
        return fact.value == claim.value
    if not isinstance(fact.value, str) or not isinstance(claim.value, str):
        return False
    # Money that comes back is no gift.
    return bool(lexicon.REFUND.search(fact.value)) == bool(lexicon.REFUND.search(claim.value))


def has_hour(fact: DraftClaim, claim: DraftClaim) -> bool:
    """Tell whether hours of days hold a time."""
    if not isinstance(fact.value, OpeningClaim) or not isinstance(claim.value, tuple):
        return False
    return any(
        _is_same_time((Decimal(minute), "half" if either else ""), claim.value)
        for minute, either in fact.value.times
    )


def is_time_of(minutes: Iterable[int], claim: DraftClaim) -> bool:
    """Tell whether a time is one of these minutes of the day."""
    return isinstance(claim.value, tuple) and any(
        _is_same_time((Decimal(minute), "clock"), claim.value) for minute in minutes
    )


def _is_same_time(value: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Tell whether two times are the same, or may be where one is of either half of the day."""
    minutes = [moment[0] for moment in (value, other) if isinstance(moment[0], Decimal)]
    is_open = any(str(moment[1]).endswith("half") for moment in (value, other))
    return len({minute % _HALF_DAY if is_open else minute for minute in minutes}) == 1


def _is_same_span(span: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Tell whether a span in months is one in days, as people count them: four weeks are a month, 52 a year."""
    months, minutes = (span, other) if span[1] == "months" else (other, span)
    thirties, number, days = _in_days(months), months[0], _in_days(minutes)
    if thirties is None or days is None or not isinstance(number, Decimal):
        return False
    weeks = number * _WEEKS_A_MONTH if number <= _FEW_MONTHS else None
    return days in (thirties, weeks, _LONG_SPANS.get(int(number)))


_SAID_OF_WEEKS = ({Decimal(20160), Decimal(21600)}, {Decimal(10080), Decimal(11520)})
"""Fifteen days are two weeks in French, Spanish and Italian, and eight days are one."""
_WEEKS_A_MONTH, _FEW_MONTHS = 28, 3
_LONG_SPANS = {3: 91, 6: 182, 12: 365}
"""Days of half a year and the like, where a month is more than thirty days."""


def _in_days(span: tuple[object, ...]) -> Decimal | None:
    """Return a span of minutes or months in days; a month is thirty, as people count them."""
    value, unit = span[0], span[1]
    if not isinstance(value, Decimal):
        return None
    return value * _DAYS_A_MONTH if unit == "months" else value / _MINUTES_A_DAY


def _is_noun(unit: object, other: object) -> bool:
    """Tell whether at least one of two units is no measure of its own, so that the words around must decide."""
    return all(isinstance(name, str) and (name.startswith("~") or name == "people") for name in (unit, other))


def is_difference(claim: DraftClaim, flat: str, lines: Sequence[FactLine]) -> bool:
    """Tell whether an amount is said to be the difference of two that stand in one sentence of the facts."""
    if not _MORE.match(flat, claim.end):
        return False
    told: dict[str, set[Decimal]] = {}
    for line in lines[:MOST_LINES]:
        if isinstance(line.claim.value, tuple) and isinstance(line.claim.value[0], Decimal):
            told.setdefault(line.flat, set()).add(line.claim.value[0])
    wanted = claim.value[0] if isinstance(claim.value, tuple) else None
    return any(high - low == wanted for values in told.values() for high in values for low in values)


_MORE = re.compile(
    r"\s?(?:more|less|extra|cheaper|dearer|mehr|weniger|aufpreis|teurer|gunstiger|de (?:plus|moins)|mas|menos"
    r"|(?:in|di) (?:piu|meno)|meer|minder|duurder|goedkoper)\b"
)


def is_same_phone(number: str, other: str) -> bool:
    """Tell whether two numbers end alike, prefixes of country and trunk aside."""
    length = min(PHONE_DIGITS, len(number.lstrip("0")), len(other.lstrip("0")))
    return length >= _SHORTEST_PHONE and number[-length:] == other[-length:]


def is_alone(line: FactLine, lines: Sequence[FactLine]) -> bool:
    """Tell whether a text gives no other value of a fact's measure: its four hours are those of all that it says."""
    return all(has_same_value(other.claim, line.claim) for other in lines if other.text is line.text)


def is_set_against(line: FactLine, claim: DraftClaim, sentence: DraftSentence) -> bool:
    """Tell whether a sentence names a fact's value too, as what a claim stands instead of: 12 euros instead of 15."""
    return any(
        other.kind == claim.kind
        and other.value != claim.value
        and has_same_value(line.claim, other)
        and _INSTEAD.fullmatch(sentence.flat[min(claim.end, other.end) : max(claim.start, other.start)])
        is not None
        for other in sentence.claims
    )


_INSTEAD = re.compile(
    r"\s(?:down |up )?(?:to|instead of|rather than|not|auf|statt|au lieu de|en lugar de|en vez de|invece di"
    r"|in plaats van|naar)"
    r"\s(?:[€$£]\s?)?"
)
