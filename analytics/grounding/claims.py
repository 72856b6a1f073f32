"""Finds what a sentence claims: amounts, numbers, dates, hours, contacts, boasts, and words of law and medicine."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal, TypeAlias

from analytics.grounding import lexicon, rival_words
from analytics.grounding.measures import measure_at
from analytics.grounding.named_days import named_days
from analytics.grounding.numerals import Number, numbers
from analytics.grounding.opening_claims import OpeningClaim, opening_claims
from analytics.grounding.price_shares import price_shares
from analytics.grounding.times_of_day import times_of
from analytics.grounding.web_addresses import URL, plain_address
from analytics.text.phones import phones

ClaimKind: TypeAlias = Literal[
    "address", "phone", "amount", "share", "number", "date", "hours", "superlative", "free offer", "duration",
    "legal", "certificate", "award", "medical", "rival", "name", "statement",
]  # fmt: skip
ClaimValue: TypeAlias = "str | tuple[Decimal, str] | tuple[int | None, int, int] | OpeningClaim"

LIST_NUMBER = re.compile(r"(?:(?<=\n)|(?<=[.!?:] )|\A)[ \t#*>-]*\d{1,2}[.)](?=\s)")
_LISTED = re.compile(r"\s[^:.!?\n]{2,40}:\s([^:.!?\n]+)")
_ITEM_END = re.compile(
    r",\s(?:(?:and|und|et|y|e|en|or|oder|ou|o|of)\s)?|\s(?:and|und|et|y|e|en|or|oder|ou|o|of)\s"
)
_MONTH = "|".join(lexicon.MONTH_OF)
_DATE = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:\.|st|nd|rd|th|er|º|°)? (?:de |di )?(?P<month>{_MONTH})"
    r"(?:,? (?:de |del )?(?P<year>(?:1[6-9]|20)\d\d))?\b"
    rf"|\b(?P<m2>{_MONTH}) (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<y2>(?:1[6-9]|20)\d\d))?\b"
    r"|\b(?P<y3>\d{4})-(?P<m3>\d\d)-(?P<d3>\d\d)\b|\b(?P<d4>\d{1,2})[./](?P<m4>\d{1,2})[./](?P<y4>(?:19"
    r"|20)\d\d)\b"
)
_CODE = re.compile(r"(?<![\w.@/-])(?!co2|h2o|m[23]\b)[a-z]{1,2}\d{1,2}(?![\w-]|\.\w)")
"""A name of a letter and a digit: B2, A4."""
_DAY_BEFORE = re.compile(
    r"(?<![\w.,])(\d{1,2})(?:\.|st|nd|rd|th|er|º|°)?(?:,| (?:and|und|et|y|e|en)(?: (?:le|el|il|the|am))?) \Z"
)
_CUES: Mapping[ClaimKind, re.Pattern[str]] = {
    "superlative": lexicon.SUPERLATIVE,
    "free offer": lexicon.FREE,
    "duration": lexicon.LIFETIME,
    "legal": lexicon.LEGAL,
    "certificate": lexicon.CERTIFIED,
    "award": lexicon.AWARD,
    "medical": lexicon.MEDICAL,
    "rival": rival_words.RIVALS,
}
_FALSE_FRIENDS: Mapping[str, frozenset[str]] = {
    "fr": frozenset(("pain", "pains", "cure", "cures", "recover")),
    "it": frozenset(("offerte", "offerta", "cure")),
    "nl": frozenset(("offerte", "offertes", "premie")),
    "es": frozenset(("cure", "cures", "offerte")),
}
"""What is a boast or a word of medicine in one language and an everyday word in another: bread, an offer."""
_SPOKEN_SPANS = {span: re.compile(rf"\b(?:{pattern})\b") for span, pattern in lexicon.SPOKEN_SPANS.items()}
_CURRENCIES = {name: re.compile(pattern) for name, pattern in lexicon.CURRENCIES.items()}
_WHOLE_CURRENCIES = {
    name: re.compile(rf"(?:{pattern})(?!\w)") for name, pattern in lexicon.CURRENCIES.items()
}
_BEFORE = re.compile(r"(us\$|[$€£¥]|eur|usd|gbp|chf)\s?\Z")
_TO_NEXT = re.compile(
    r"([\w.,]{1,40}?)(?:\s?-\s?|\s(?:to|or|and|instead of|rather than|bis|auf|oder|und|statt|a|ou|et|au lieu de|o|y"
    r"|en lugar de"
    r"|e|invece di|tot|of|en|naar|in plaats van)\s(?:[€$£]\s?)?)"
)
_OF = re.compile(r" (?:de |di |d')")
"""What stands between a number and what it counts: una ventina di minuti."""
_AGE_OF = re.compile(
    r"\b(?:ages? (?:of|from)|aged|alter von|l'age de|ages? de|agee?s? de|edad de|los|eta di|leeftijd van"
    r"|turn(?:s|ed|ing)?|cumpl\w+|compi\w+(?: i)?)\s\Z"
)
_MONTHS_A_YEAR = 12
"""What makes years of a number: from the age of five."""
_TEAM_OF = re.compile(
    r"\b(?:(?:team|staff|crew|group|equipe|equipo|squadra|gruppe|groupe|grupo|gruppo) (?:of|von|de|di|van)|(?:we are"
    r"|wir sind zu"
    r"|nous sommes|somos|siamo in|zijn we met|we zijn met|wij zijn met|employs?|beschaftigen|employons))\s\Z"
)
"""What stands before a number of people who are not named as such."""
_HALF_BEHIND = re.compile(r"\s(?:and a half|et demie?|y medi[oa]|e mezz[oa]|en een half)\b")
_HALF = Decimal("0.5")
_SHORT_YEAR = re.compile(r"(?<![\w'])'(\d\d)(?![\d'])(?!s\b)")
_LATEST_SHORT_YEAR = 40
_YEAR_FIRST, _YEAR_LAST = 1600, 2100
_FEWEST_PHONE_DIGITS = 7
_MOST_COUNTED = 10
_CENTS = 100
_CENTS_LINK = re.compile(r" (?:(?:e|y|et|und|and|con|en) )?")
_LIST = re.compile(r"([^\W\d_][^\W\d_ ]{2,30})\s?:\s([^:.!?\n\d]{6,200})\.?")
_FEWEST_LISTED, _WORDS_LISTED = 2, 3
_IDIOM = re.compile(
    r"(?:a )?(?:hundred|thousand|million) (?:and one )?(?:little |small |other )?(?:things|questions|details|ideas"
    r"|reasons)"
    r"|one more (?:thing|worry|reason|step)|(?:tausend|hundert) (?:kleine )?(?:dinge|fragen|kleinigkeiten|ideen)"
    r"|(?:mille|cent) (?:petites )?(?:choses|questions|idees|details)|mil (?:cosas|preguntas|detalles)"
    r"|(?<=grazie )mille|mille (?:cose|domande|dettagli)|duizend (?:dingen|vragen|details)"
)
"""Many, said with a number."""
_WITH = re.compile(r",? (?:with|mit|avec|con|met) [^\W\d_]+ ")
"""What stands before an amount whose currency is understood: 22 euros, with washing 26."""
_PRICED = re.compile(
    r"(?: [^.;:!?,\d]{0,40})?,[^.;:!?,\d]{0,60} (?:a|for|costs?|is|kostet|fur|por|voor|cuesta|costa|kost"
    r"|coute|fianza de"
    r"|cauzione di|caution de|kaution von|deposit of)\s"
)
"""The same where another thing is named: the bag of 250 grams at 19 euros, that of 500 at 36."""
_STOP = re.compile(r"\s{0,9}(?:[.,;)]|\Z)")
_OTHER_PART = re.compile(r"(?:[^.;:!?\d,]{0,60},){1,2} [^.;:!?\d,]{1,60} ")
"""What stands between two numbers of one list: another thing is named before the second."""
_INSTEAD_OF = re.compile(
    r"\s(?:instead of|rather than|not|statt|au lieu de|en lugar de|en vez de|invece di|in plaats van)\s"
)
_LEGS = re.compile(r"[- ]?(?:legged|beinig\w*|zampe|pattes|patas|voeter\w*)\b")
"""What makes a number a word for dogs and cats."""


@dataclass(frozen=True, slots=True)
class DraftClaim:
    """One thing that a sentence says is so, at `[start, end)`; `value` is in a form that compares."""

    kind: ClaimKind
    value: ClaimValue
    start: int
    end: int
    factor: Decimal = Decimal(1)
    """By what the number that is written was multiplied to give the value: 60 for hours."""


def claims(flat: str, languages: Sequence[str]) -> list[DraftClaim]:
    """Return what a flat text claims, names aside; `languages` are those to read number words in, its own first."""
    claimed: list[DraftClaim] = []
    rest = flat
    for match in URL.finditer(flat):
        end = match.start() + len(match[0].rstrip(".,;:!?"))
        claimed.append(DraftClaim("address", plain_address(match[0]), match.start(), end))
        rest = _blank(rest, *match.span())
    for match in LIST_NUMBER.finditer(rest):
        rest = _blank(rest, *match.span())
    for match in _CODE.finditer(rest):
        claimed.append(DraftClaim("name", match[0], *match.span()))
        rest = _blank(rest, *match.span())
    for phone in phones(rest):
        claimed.append(DraftClaim("phone", phone.digits, phone.start, phone.end))
        rest = _blank(rest, phone.start, phone.end)
    for match in _DATE.finditer(rest):
        year, month, _ = date = _date(match)
        claimed.append(DraftClaim("date", date, *match.span()))
        rest = _blank(rest, *match.span())
        place = match.start()
        while (before := _DAY_BEFORE.search(rest, max(0, place - 16), place)) is not None:
            place = before.start(1)  # 24 and 25 December
            claimed.append(DraftClaim("date", (year, month, int(before[1])), *before.span(1)))
            rest = _blank(rest, *before.span(1))
    for day, start, end in named_days(rest):
        claimed.append(DraftClaim("date", day, start, end))
        rest = _blank(rest, start, end)
    for match in _SHORT_YEAR.finditer(rest):
        year = int(match[1]) + (2000 if int(match[1]) < _LATEST_SHORT_YEAR else 1900)
        claimed.append(DraftClaim("date", (Decimal(year), "year"), *match.span()))
        rest = _blank(rest, *match.span())
    for opening in opening_claims(rest, languages):
        claimed.append(DraftClaim("hours", opening, opening.start, opening.end))
        for start, end in opening.spans:
            rest = _blank(rest, start, end)
    for minute, either, (start, end) in times_of(rest, languages, bare=False):
        clock = "clock of either half" if either else "clock"
        claimed.append(DraftClaim("number", (Decimal(minute), clock), start, end))
        rest = _blank(rest, start, end)
    for percent, start, end in price_shares(rest):
        claimed.append(DraftClaim("share", (Decimal(percent), "PCT"), start, end))
        rest = _blank(rest, start, end)
    for match in lexicon.SHARE.finditer(rest):
        claimed.append(DraftClaim("share", match[0], *match.span()))
        rest = _blank(rest, *match.span())
    claimed += [
        DraftClaim("number", match.lastgroup or match[0], *match.span())
        for match in lexicon.MANY.finditer(rest)
    ]
    for (count, dimension), pattern in _SPOKEN_SPANS.items():
        for match in pattern.finditer(rest):
            claimed.append(DraftClaim("number", (Decimal(count), dimension), *match.span()))
            rest = _blank(rest, *match.span())
    counted = [
        _counted(rest, number) for number in numbers(rest, languages) if not _counts_text(rest, number)
    ]
    # The hundred of a percentage counts nothing: dieci per cento.
    shares = [(claim.start, claim.end) for claim in counted if claim.kind == "share"]
    counted = [_with_unit_before(flat, claim, counted) for claim in counted]
    claimed += _with_units_understood(
        flat,
        [
            _with_unit_behind(flat, claim, counted)
            for claim in counted
            if not any(start < claim.start < end for start, end in shares)
        ],
    )
    claimed = [claim for claim in claimed if not _is_per_unit(flat, claim, counted)]
    own = _FALSE_FRIENDS.get(languages[0], frozenset[str]())
    for kind, cue in _CUES.items():
        claimed += [
            DraftClaim(kind, match[0], *match.span()) for match in cue.finditer(rest) if match[0] not in own
        ]
    return sorted(claimed, key=lambda claim: claim.start)


def _is_per_unit(flat: str, claim: DraftClaim, counted: Sequence[DraftClaim]) -> bool:
    """Tell whether a span without a number is only what an amount is counted for: 28 pounds an hour."""
    if claim.kind != "number" or flat[claim.start : claim.start + 1].isdigit():
        return False
    return any(
        amount.kind == "amount"
        and (per := lexicon.PER.match(flat, amount.end)) is not None
        and per.start() <= claim.start
        and claim.end == per.end()
        for amount in counted
    )


def _with_units_understood(flat: str, counted: Sequence[DraftClaim]) -> list[DraftClaim]:
    """Return numbers that count nothing with what the one before them counts: six swimmers, in a big group eight."""
    read: list[DraftClaim] = []
    for claim in _with_cents(flat, counted):
        before = read[-1] if read else None
        number, unit = claim.value if isinstance(claim.value, tuple) and len(claim.value) == 2 else (None, "")
        if (
            before is not None
            and unit == "~"
            and isinstance(number, Decimal)
            and isinstance(before.value, tuple)
            and before.kind == claim.kind == "number"
            and _STOP.match(flat, claim.end)
            and _OTHER_PART.fullmatch(flat, before.end, claim.start)
        ):
            claim = replace(claim, value=(number * before.factor, str(before.value[1])), factor=before.factor)
        read.append(claim)
    return read


def _with_cents(flat: str, counted: Sequence[DraftClaim]) -> list[DraftClaim]:
    """Return amounts with the cents that are said behind the currency, `three euros forty`."""
    joined: list[DraftClaim] = []
    for claim in counted:
        before = joined[-1] if joined else None
        cents = _plain_number(claim)
        amount = before.value if before is not None and before.kind == "amount" else None
        if (
            before
            and isinstance(amount, tuple)
            and cents is not None
            and _CENTS_LINK.fullmatch(flat, before.end, claim.start)
        ):
            whole, currency = amount[0], amount[1]
            if isinstance(whole, Decimal) and isinstance(currency, str):
                joined[-1] = DraftClaim("amount", (whole + cents / _CENTS, currency), before.start, claim.end)
                continue
        joined.append(claim)
    return joined


def _with_unit_behind(flat: str, claim: DraftClaim, counted: Sequence[DraftClaim]) -> DraftClaim:
    """Return a number that counts what the next one counts with its unit: from 15 to 12 euros."""
    link = _TO_NEXT.match(flat, claim.start)
    if link is None or not isinstance(claim.value, tuple) or not str(claim.value[1]).startswith("~"):
        return claim
    following = next((number for number in counted if number.start == link.end()), None)
    if following is None or not isinstance(following.value, tuple) or following.value[1] == "~":
        return claim
    value = claim.value[0]
    if not isinstance(value, Decimal) or len(following.value) != 2:
        return claim
    unit = str(following.value[1])
    if following.kind == "number":
        value *= following.factor
    return DraftClaim(following.kind, (value, unit), claim.start, link.end(1))


def _with_unit_before(flat: str, claim: DraftClaim, counted: Sequence[DraftClaim]) -> DraftClaim:
    """Return a number that stands for an amount, named before it, with its currency: 140 euros instead of 95."""
    before = next((number for number in reversed(counted) if number.end <= claim.start), None)
    if before is None or before.kind != "amount" or not isinstance(before.value, tuple):
        return claim
    if not isinstance(claim.value, tuple):
        return claim
    gap = flat[before.end : claim.start]
    counts_nothing = claim.value[1] == "~" and _STOP.match(flat, claim.end) is not None
    is_priced = counts_nothing and (_WITH.fullmatch(gap) or _PRICED.fullmatch(gap))
    if not (_INSTEAD_OF.fullmatch(gap) or is_priced):
        return claim
    value, currency = claim.value[0], before.value[1]
    if claim.kind != "number" or not isinstance(value, Decimal) or not isinstance(currency, str):
        return claim
    return DraftClaim("amount", (value, currency), claim.start, claim.end)


def _plain_number(claim: DraftClaim) -> Decimal | None:
    """Return a number below a hundred that counts nothing, None for anything else."""
    if claim.kind != "number" or not isinstance(claim.value, tuple) or claim.value[1] != "~":
        return None
    value = claim.value[0]
    return value if isinstance(value, Decimal) and value < _CENTS else None


def _counted(flat: str, number: Number) -> DraftClaim:
    """Return a number with what it counts."""
    before = _BEFORE.search(flat, max(0, number.start - 4), number.start)
    linked = _OF.match(flat, number.end) if number.in_words else None
    behind = (
        linked.end() if linked else number.end + (1 if flat[number.end : number.end + 1] in (" ", "-") else 0)
    )
    after = lexicon.UNIT_WORD.match(flat, behind)
    for currency, pattern in _CURRENCIES.items():
        told = (before is not None and pattern.fullmatch(before[1])) or (
            after is not None and (pattern.fullmatch(after[0]) or pattern.match(flat, after.start()))
        )
        if told:
            kind: ClaimKind = "share" if currency == "PCT" else "amount"
            # What stands behind belongs to the amount only where it is the currency.
            is_behind = after is not None and pattern.match(flat, after.start()) is not None
            start = before.start() if before is not None and not is_behind else number.start
            unit = _WHOLE_CURRENCIES[currency].match(flat, after.start()) if after and is_behind else None
            end = unit.end() if unit else after.end() if after and is_behind else number.end
            half = _HALF_BEHIND.match(flat, end) if is_behind else None
            value, end = (number.value + _HALF, half.end()) if half else (number.value, end)
            return DraftClaim(kind, (value, currency), start, end)
    is_year = (
        not number.in_words
        and number.value == int(number.value)
        and (_YEAR_FIRST <= number.value < _YEAR_LAST and "," not in flat[number.start : number.end])
    )
    measured = None if is_year else measure_at(flat, behind)
    if measured is not None:
        measure, end = measured
        half = _HALF_BEHIND.match(flat, end)
        value, end = (number.value + _HALF, half.end()) if half else (number.value, end)
        return DraftClaim(
            "number", (value * measure.factor, measure.dimension), number.start, end, measure.factor
        )
    if is_year:
        return DraftClaim("date", (number.value, "year"), number.start, number.end)
    if _AGE_OF.search(flat, max(0, number.start - 24), number.start):
        return DraftClaim("number", (number.value * _MONTHS_A_YEAR, "months"), number.start, number.end)
    if _TEAM_OF.search(flat, max(0, number.start - 24), number.start):
        return DraftClaim("number", (number.value, "people"), number.start, number.end)
    unit = after[0] if after else ""
    return DraftClaim(
        "number", (number.value, f"~{unit[:5]}"), number.start, after.end() if after else number.end
    )


def counted_lists(flat: str) -> list[DraftClaim]:
    """Return how many things a line of a flat text lists behind a name for them: `languages: english, polish`."""
    match = _LIST.fullmatch(flat.strip())
    items = _ITEM_END.split(match[2].strip(" .")) if match else []
    if not _FEWEST_LISTED <= len(items) <= _MOST_COUNTED or any(
        len(item.split()) > _WORDS_LISTED for item in items
    ):
        return []
    label = match[1].rsplit(" ", 1)[-1] if match else ""
    place = flat.find(":")
    return [DraftClaim("number", (Decimal(len(items)), f"~{label[:5]}"), place, place)]


def _counts_text(flat: str, number: Number) -> bool:
    """Tell whether a small number counts parts of the text itself: three steps, five questions."""
    if _IDIOM.match(flat, number.start):
        return True
    if number.value > _MOST_COUNTED:
        return False
    if _LEGS.match(flat, number.end):
        return True
    listed = _LISTED.match(flat, number.end)
    if listed is not None and len(_ITEM_END.split(listed[1])) == number.value:
        return True
    return re.match(rf"\s(?:[^\W\d_]+\s)?(?:{lexicon.STRUCTURE.pattern})\b", flat[number.end :]) is not None


def _date(match: re.Match[str]) -> tuple[int | None, int, int]:
    groups = match.groupdict()
    year = groups["year"] or groups["y2"] or groups["y3"] or groups["y4"]
    month = groups["month"] or groups["m2"] or groups["m3"] or groups["m4"] or "0"
    day = groups["day"] or groups["d2"] or groups["d3"] or groups["d4"] or "0"
    return int(year) if year else None, lexicon.MONTH_OF.get(month) or int(month), int(day)


def _blank(text: str, start: int, end: int) -> str:
    return f"{text[:start]}{' ' * (end - start)}{text[end:]}"
