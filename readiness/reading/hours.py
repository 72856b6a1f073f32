"""Opening hours: as people write them in eight languages, and as schema.org marks them up.

A text is cut into tokens (days, times, closed, connecting words), and statements are read off the tokens: one pass,
whatever the text is.
"""

# ruff: noqa: E501  # one line per language keeps the lists comparable
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any, cast

from readiness.reading import vocabulary
from readiness.reading.structured_data import texts, values

SCHEMA_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DAY_NAMES = {name: index for index, names in enumerate(vocabulary.DAYS) for name in names}
DAY = "|".join(sorted((re.escape(name) for name in DAY_NAMES), key=len, reverse=True))
GROUPS = {
    range(
        7
    ): r"daily|every ?day|7 days(?: a week| per week)?|seven days a week|all week|t[äa]glich|jeden tag|tous les jours|7 ?j ?/ ?7|todos los d[íi]as|tutti i giorni|dagelijks|codziennie|todos os dias",
    range(
        5
    ): r"weekdays?|werktags|wochentags|en semaine|jours ouvr[ée]s|d[íi]as laborables|giorni feriali|door de week|dni robocze|dias [úu]teis|l ?- ?v",
    range(
        5, 7
    ): r"weekends?|week-ends?|am wochenende|fines? de semana|fine settimana|in het weekend|fins? de semana",
}
CLOSED_WORDS = (
    r"closed|geschlossen|ruhetag|ferm[ée]e?|cerrado|chius[oa]|gesloten|zamkni[ęe]te|nieczynne|fechado"
)
ALL_DAY = r"24 ?hours?|24 ?h(?!\w)|24/7|24 stunden|rund um die uhr|24 ?heures|24 ?horas|24 ?ore|24 ?uur|ca[łl]odobowo"
HALF = r"\s?(?:a\.?m\b\.?|p\.?m\b\.?)|[ap](?!\w)"
TOKEN = re.compile(
    rf"(?P<all>(?<!\w)(?:{ALL_DAY}))"
    rf"|(?P<group>(?<!\w)(?:{'|'.join(GROUPS.values())})(?!\w))"
    r"|(?P<time>(?<![\w.,:$€£+#])(?:[01]?\d|2[0-4])(?:\s?[:.h]\s?[0-5]\d(?!\d))?(?![\d%€$£]|[.,:]\d))"
    rf"(?P<half>{HALF})?(?P<clock>\s?(?:uhr|uur|heures?|hrs?|horas?|ore|h)(?!\w))?"
    r"|(?P<letter>(?<![\w.’'&])(?-i:[LMXJGVSD])(?!\w)(?=[-–—\s,:.adelyLMXJGVS]{1,14}(?:\d{1,2}[:.h]\d\d|cerrado|ferm[ée]|chius[oa])))"
    rf"|(?P<day>(?<!\w)(?:{DAY})(?!\w)\.?)"
    rf"|(?P<closed>(?<!\w)(?:{CLOSED_WORDS})(?!\w))"
    r"|(?P<until>[-–—‑−]|(?<!\w)(?:to|until|till?|through|thru|bis|à|au|al?|alle|tot en met|tot|t/m|do|às|ate|até|hasta|fino alle)(?!\w))"
    r"|(?P<also>[,&/+;]|(?<!\w)(?:and|und|et|y|e|en|i|oraz|sowie)(?!\w))"
    r"|(?P<filler>[:()|.]|(?<!\w)(?:from|open|hours?|von|ab|um|ge[öo]ffnet|uhr|de|du|des|le|les|ouvert|abierto|dal?|dalle|aperto|lo?s|las|van|uur|geopend|od|w|godz\w{0,5}\.?|otwarte|das|aberto|at)(?!\w))"
    r"|(?P<other>\w+|[^\w\s])",
    re.I,
)
LETTERS = {"L": 0, "M": 1, "X": 2, "J": 3, "G": 3, "V": 4, "S": 5, "D": 6}
"""Days as Spanish, French and Italian doors have them: only right before hours."""
SOFT = ("also", "filler", "until")
MOST_SPANS = 4
HALF_DAY = 12 * 60
LABEL_REACH = 90


class Department(StrEnum):
    """Whose hours a statement gives."""

    SERVICE = "service"
    SALES = "sales"
    PARTS = "parts"


DEPARTMENT = re.compile(
    r"(?<!\w)(?:(?P<both>sales (?:and|&|\+) service|verkauf (?:und|&) (?:werkstatt|service)|vente et atelier)"
    r"|(?P<service>service|repairs?|workshop|werkstatt\w{0,12}|werkst[äa]tten?|reparatur\w{0,8}|kundendienst|atelier|apr[èe]s-vente|taller|servicio|posventa|officina|assistenza|werkplaats\w{0,8}|serwis\w{0,3}|warsztat\w{0,2}|oficina)"
    r"|(?P<sales>sales|showroom|verkauf\w{0,10}|vente|ventas|vendita|verkoop|salon|sprzeda[żz]\w{0,3}|vendas)"
    r"|(?P<parts>parts|teile\w{0,8}|ersatzteil\w{0,10}|pi[èe]ces|recambios|ricambi|onderdelen|cz[ęe][śs]ci|pe[çc]as))(?!\w)",
    re.I,
)

LABEL_END = re.compile(
    r"(?:[\s:,|()/–-]|department|dept\.?|cent(?:er|re)s?|hours?|opening|times?|[öo]ffnungszeiten|zeiten|abteilung|team|annahme|horaires?|horarios?|orari"
    r"|openingstijden|godziny(?: otwarcia)?|of operation|are|we|is|from|open|ge[öo]ffnet|ouvert|the|our|du|de|von){0,12}",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Hours:
    """Opening times by day, 0 is Monday, as sets of (open, close) minutes of the day; an empty set is closed."""

    days: Mapping[int, frozenset[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class StatedHours:
    """One statement of opening hours and where it stands in its text.

    `department` is the one named before it, None where none is.
    """

    hours: Hours
    department: Department | None
    start: int
    end: int


def visible_hours(text: str) -> Hours:
    """Opening hours of a text such as `Mon - Fri: 9:00 am - 6:00 pm`; the first statement of a day counts."""
    days: dict[int, frozenset[tuple[int, int]]] = {}
    for _, stated, spans, _ in _entries(text):
        for day in stated:
            days.setdefault(day, spans)
    return Hours(days)


@lru_cache(maxsize=32)  # several checks ask the same pages of one site
def hours_statements(text: str) -> tuple[StatedHours, ...]:
    """Every statement of opening hours: a day that comes again, or another department's name, begins a new one."""
    statements: list[StatedHours] = []
    days: dict[int, frozenset[tuple[int, int]]] = {}
    start, department, end, stop = 0, None, 0, 0
    for at, stated, spans, behind in _entries(text):
        named = _department(text[max(end, at - LABEL_REACH) : at])
        is_elsewhere = _is_place(text[stop : min(at, stop + LABEL_REACH)])
        if days and (named or any(day in days for day in stated)):
            statements.append(StatedHours(Hours(days), department, start, stop))
            named = named or (department if is_elsewhere else None)
            days = {}
        if not days:
            start, department = at, named
        days |= dict.fromkeys(stated, spans)
        end, stop = at + 1, behind
    if days:
        statements.append(StatedHours(Hours(days), department, start, stop))
    return tuple(statements)


def _department(before: str) -> Department | None:
    """The department named last in a text; one that names sales and service together names none."""
    matches = list(DEPARTMENT.finditer(before))
    name = matches[-1].lastgroup if matches else None
    after = before[matches[-1].end() :] if matches else ""
    if not matches or name == "both" or not (LABEL_END.fullmatch(after) or _is_place(after)):
        return None
    return Department(cast(str, name))


def _is_place(label: str) -> bool:
    """Whether a label before hours is the name of a branch, such as `Bad Hersfeld:`."""
    words = label.strip(" .,;|").removesuffix(":").split()
    is_label = label.rstrip().endswith(":") and 1 <= len(words) <= 3
    return is_label and all(word[0].isupper() for word in words) and not LABEL_END.fullmatch(label)


@dataclass(slots=True)
class _Token:
    kind: str
    text: str
    at: int
    half: str = ""
    clock: bool = False
    days: tuple[int, ...] = field(default_factory=tuple[int, ...])


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    for match in TOKEN.finditer(text):
        kind = "time" if match["time"] else next(name for name, value in match.groupdict().items() if value)
        token = _Token(kind, match[0], match.start(), (match["half"] or "").strip(), bool(match["clock"]))
        if kind == "day":
            token.days = (DAY_NAMES[match["day"].lower().rstrip(".")],)
        if kind == "letter":
            token.kind, token.days = "day", (LETTERS[match["letter"]],)
        if kind == "group":
            token.days = next(
                tuple(days) for days, words in GROUPS.items() if re.fullmatch(words, match["group"], re.I)
            )
        tokens.append(token)
    return tokens


def _entries(text: str) -> Iterator[tuple[int, tuple[int, ...], frozenset[tuple[int, int]], int]]:
    """Yield place, days, spans and end of every statement; hours that stand before their days count for these."""
    tokens = _tokens(text)
    index = 0
    nothing: frozenset[tuple[int, int]] = frozenset()
    waiting = nothing
    while index < len(tokens):
        token = tokens[index]
        if token.days:
            at, days, index = token.at, *_days(tokens, index)
            spans, closed, behind = _spans(tokens, _past(tokens, index, 3))
            if spans or closed:
                yield at, days, spans, _end(tokens, behind)
                index, waiting = behind, nothing
            elif waiting:
                yield at, days, waiting, _end(tokens, index)
                waiting = nothing
        elif token.kind in ("time", "all"):
            waiting, _, behind = _spans(tokens, index)
            index = max(behind, index + 1)
        else:
            waiting = waiting if token.kind in SOFT else nothing
            index += 1


def _end(tokens: list[_Token], index: int) -> int:
    """Where the token before an index ends."""
    last = tokens[index - 1]
    return last.at + len(last.text)


def _past(tokens: list[_Token], index: int, most: int) -> int:
    """Index behind at most `most` connecting words."""
    for _ in range(most):
        if index < len(tokens) and tokens[index].kind in SOFT:
            index += 1
    return index


def _days(tokens: list[_Token], index: int) -> tuple[tuple[int, ...], int]:
    """Days of an expression such as `Mon, Wed - Fri`, and the index behind it."""
    days = list(tokens[index].days)
    index += 1
    while index < len(tokens):
        following = _past(tokens, index, 2)
        between = tokens[index:following]
        if not between and tokens[index].text.lower() == "do":  # Dutch for Thursday, Polish for until
            between, following = tokens[index : index + 1], index + 1
        if following >= len(tokens) or not tokens[following].days:
            break
        if not between or any(token.text == ":" for token in between):
            break
        first, last = days[-1], tokens[following].days[-1]
        if any(token.kind == "until" or token.text.lower() == "do" for token in between):
            days += [day % 7 for day in range(first, last + 1 if last >= first else last + 8)]
        else:
            days += tokens[following].days
        index = following + 1
    return tuple(dict.fromkeys(days)), index


def _spans(tokens: list[_Token], index: int) -> tuple[frozenset[tuple[int, int]], bool, int]:
    """Spans of time from an index on, whether it says closed instead, and the index behind them."""
    spans: list[tuple[int, int]] = []
    while index < len(tokens) and len(spans) < MOST_SPANS:
        token = tokens[index]
        if token.kind == "closed" and not spans:
            return frozenset(), True, index + 1
        if token.kind == "all":
            spans.append((0, 24 * 60))
            index += 1
        else:
            span, behind = _span(tokens, index)
            if span is None:
                break
            spans.append(span)
            index = behind
        following = _past(tokens, index, 3)
        if following >= len(tokens) or tokens[following].kind != "time":
            break
        index, held = following, index
        if _span(tokens, index)[0] is None:
            index = held
            break
    return frozenset(spans), False, index


def _span(tokens: list[_Token], index: int) -> tuple[tuple[int, int] | None, int]:
    if index >= len(tokens) or tokens[index].kind != "time":
        return None, index
    until = index + 1
    while until < len(tokens) and until < index + 3 and tokens[until].kind == "filler":
        until += 1
    is_joined = until < len(tokens) and (tokens[until].kind == "until" or tokens[until].text.lower() == "do")
    # A slash stands between hours in Italy: `8:30/12:30 - 15:00/19:00`.
    is_cut = not is_joined and index + 1 < len(tokens) and tokens[index + 1].text == "/"
    closes_at = index + 2 if is_cut else _past(tokens, until + 1, 2) if is_joined else until
    if closes_at >= len(tokens) or tokens[closes_at].kind != "time":
        return None, index
    opens, closes = tokens[index], tokens[closes_at]
    # Two columns of a table have nothing between them; then both must look like times of day.
    if not is_joined and not (_is_exact(opens, is_cut) and _is_exact(closes, is_cut)):
        return None, index
    start = _minutes(opens.text, opens.half or (closes.half if closes.half.lower().startswith("a") else ""))
    end = _minutes(closes.text, closes.half)
    if start is None or end is None:
        return None, closes_at + 1
    # `9 - 6` closes in the evening.
    is_evening = not closes.half and end <= start and end <= HALF_DAY
    return (start, end + HALF_DAY if is_evening else end), closes_at + 1


def _is_exact(token: _Token, is_cut: bool) -> bool:
    """Whether a figure can only be a time of day; beside a slash its minutes may stand behind a point."""
    return bool(token.half or token.clock or ":" in token.text or (is_cut and "." in token.text))


def _minutes(text: str, half: str) -> int | None:
    match = re.match(r"(\d{1,2})(?:\s?[:.hH]\s?(\d{2}))?", text)
    if match is None:
        return None
    hour, minute = int(match[1]), int(match[2] or 0)
    if half.lower().startswith("p") and hour < 12:
        hour += 12
    if half.lower().startswith("a") and hour == 12:
        hour = 0
    return hour * 60 + minute if hour <= 24 and minute < 60 else None


def structured_hours(node: Mapping[str, Any]) -> Hours:
    """Opening hours of a schema.org node: openingHoursSpecification, or the openingHours text."""
    days: dict[int, set[tuple[int, int]]] = {}
    for value in values(dict(node), "openingHoursSpecification"):
        if not isinstance(value, dict):
            continue
        item = cast(dict[str, Any], value)
        opens = _clock(next(iter(texts(item, "opens")), ""))
        closes = _clock(next(iter(texts(item, "closes")), ""))
        for name in texts(item, "dayOfWeek"):
            day = name.rpartition("/")[2].capitalize()
            if day in SCHEMA_DAYS and opens is not None and closes is not None:
                spans = days.setdefault(SCHEMA_DAYS.index(day), set())
                if opens != closes:
                    spans.add((opens, closes))
    for text in texts(dict(node), "openingHours"):
        for day, spans in _compact(text).items():
            days.setdefault(day, set()).update(spans)
    return Hours({day: frozenset(spans) for day, spans in days.items()})


COMPACT = re.compile(r"([A-Za-z, -]{2,60}?)[ :]{1,2}(\d{1,2}:\d{2})(?::00)? ?[-–] ?(\d{1,2}:\d{2})(?::00)?")


def _compact(text: str) -> dict[int, set[tuple[int, int]]]:
    """`Mo-Fr 09:00-18:00, Sa 09:00-13:00` as schema.org writes it."""
    short = {name[:2]: index for index, name in enumerate(SCHEMA_DAYS)}
    days: dict[int, set[tuple[int, int]]] = {}
    for match in COMPACT.finditer(" ".join(text.split())[:500]):
        opens, closes = _clock(match[2]), _clock(match[3])
        for part in match[1].split(","):
            ends = [short.get(piece.strip().capitalize()[:2]) for piece in part.split("-")]
            if None in ends or opens is None or closes is None:
                continue
            first, last = cast(int, ends[0]), cast(int, ends[-1])
            for day in range(first, last + 1 if last >= first else last + 8):
                days.setdefault(day % 7, set()).add((opens, closes))
    return days


def _clock(text: str) -> int | None:
    match = re.match(r"(\d{1,2}):(\d{2})", text)
    return _minutes(match[0], "") if match else None
