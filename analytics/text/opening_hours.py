"""Opening hours in running text, as people write them in eight languages.

A text is cut into tokens (days, times, closed, connecting words), and statements are read off the tokens in one pass.
"""

# ruff: noqa: E501  # one line per language keeps the lists comparable
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from analytics.text.folding import without_case

Spans: TypeAlias = frozenset[tuple[int, int]]
"""Times of one day as (open, close) minutes of the day."""
DAYS = (
    ("monday", "mondays", "mon", "montag", "montags", "mo", "lundi", "lundis", "lun", "lunes", "lunedì", "lunedi", "maandag", "ma", "poniedziałek", "poniedziałku", "poniedzialek", "pon", "pn", "segunda-feira", "segunda", "seg"),
    ("tuesday", "tue", "tues", "dienstag", "dienstags", "di", "mardi", "mar", "martes", "martedì", "martedi", "dinsdag", "wtorek", "wtorku", "wt", "terça-feira", "terça", "ter"),
    ("wednesday", "wed", "mittwoch", "mittwochs", "mi", "mercredi", "mer", "miércoles", "miercoles", "mié", "mie", "mercoledì", "mercoledi", "woensdag", "wo", "środa", "środy", "środę", "śr", "quarta-feira", "quarta", "qua"),
    ("thursday", "thu", "thur", "thurs", "donnerstag", "donnerstags", "do", "jeudi", "jeu", "jueves", "jue", "giovedì", "giovedi", "gio", "donderdag", "don", "czwartek", "czwartku", "czw", "quinta-feira", "quinta", "qui"),
    ("friday", "fridays", "fri", "freitag", "freitags", "fr", "vendredi", "ven", "viernes", "vie", "venerdì", "venerdi", "vrijdag", "vr", "piątek", "piątku", "piatek", "pt", "sexta-feira", "sexta", "sex"),
    ("saturday", "saturdays", "sat", "samstag", "samstags", "sonnabend", "sa", "samedi", "sam", "sábado", "sabado", "sáb", "sabato", "sab", "zaterdag", "za", "sobota", "soboty", "sobotę", "sob"),
    ("sunday", "sundays", "sun", "sonntag", "sonntags", "so", "dimanche", "dim", "domingo", "dom", "domenica", "zondag", "zo", "niedziela", "niedzieli", "niedzielę", "ndz", "nd"),
)  # fmt: skip
WORDS_FOR_DAYS = {without_case(name): index for index, names in enumerate(DAYS) for name in names}
DAY = "|".join(sorted((re.escape(name) for name in WORDS_FOR_DAYS), key=len, reverse=True))
DAY_NAMES = {**WORDS_FOR_DAYS, "tu": 1, "th": 3}
"""With English days of two letters; `tu` is one only as the start of a range, being a word in other languages."""
GROUPS = {
    range(
        7
    ): r"daily|every ?day|7 days(?: a week| per week)?|seven days a week|all week|t[äa]glich|jeden tag|tous les jours|7 ?j ?/ ?7|todos los d[íi]as|tutti i giorni|dagelijks|codziennie|todos os dias|m ?[-–] ?su(?:n)?",
    range(6): r"m ?[-–] ?sat?",
    range(
        5
    ): r"weekdays?|werktags|wochentags|en semaine|jours ouvr[ée]s|d[íi]as laborables|giorni feriali|door de week|dni robocze|dias [úu]teis|l ?- ?v|m ?[-–] ?f(?:ri)?",
    range(4): r"m ?[-–] ?th(?:u(?:rs?)?)?",
    range(
        5, 7
    ): r"weekends?|week-ends?|am wochenende|fines? de semana|fine settimana|in het weekend|fins? de semana",
}
CLOSED_WORDS = (
    r"closed|geschlossen|ruhetag|ferm[ée]e?|cerrado|chius[oa]|gesloten|zamkni[ęe]te|nieczynne|fechado"
)
ALL_DAY = r"24 ?hours?|24 ?h(?!\w)|24/7|24 stunden|rund um die uhr|24 ?heures|24 ?horas|24 ?ore|24 ?uur|ca[łl]odobowo"
ALWAYS = re.compile(
    rf"(?<!\w)(?:open(?: for)?|ge[öo]ffnet|ouvert|abierto|aperto|geopend|otwarte|aberto):? (?:{ALL_DAY})",
    re.I,
)
HALF = r"\s?(?:a\.?m\b\.?|p\.?m\b\.?)|[ap](?!\w)"
TOKEN = re.compile(
    rf"(?P<all>(?<!\w)(?:{ALL_DAY}))"
    rf"|(?P<group>(?<!\w)(?:{'|'.join(GROUPS.values())})(?!\w))"
    r"|(?P<time>(?:(?<![\w.,:$€£+#])|(?<=[^\W\d_])(?=\d{1,2}:\d\d))(?:[01]?\d|2[0-4])(?:\s?[:.h]\s?[0-5]\d(?!\d))?(?![\d%€$£]|[.,:]\d))"
    rf"(?P<half>{HALF})?(?P<clock>\s?(?:uhr|uur|heures?|hrs?|horas?|ore|h)(?!\w))?"
    r"|(?P<letter>(?<![\w.’'&])(?-i:[LMXJGVSD])(?!\w)(?=[-–—\s,:.adelyLMXJGVS]{1,14}(?:\d{1,2}[:.h]\d\d|cerrado|ferm[ée]|chius[oa])))"
    rf"|(?P<day>(?<!\w)(?:{DAY}|tu(?=\s?[-–]\s?(?:th|fr|sa)\b)|th)(?:(?!\w)|(?=\d{{1,2}}:\d\d))\.?)"
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
END_OF_DAY = 24 * 60
LATEST_OPENING_HOUR = 6
"""Of `1 to 5 pm` both are in the afternoon; of `9 to 5 pm` only the second."""
WHOLE_WEEK = frozenset(range(7))
SENTENCE = re.compile(r"[^\n]+?(?:[.!?](?=\s|\Z)|\n|\Z)")
CUE = re.compile(
    r"(?<!\w)(?:open(?:s|ing|ed)?|hours?|clos(?:ed|es|ing)|(?:ge)?[öo]ffnet|[öo]ffnungszeiten|geschlossen|ouvert|horaires?|ferm[ée]e?|abierto|horarios?"
    r"|abiert[ao]s?|abren?|cerrado|ouvren?t?|apre|apert[oi]|orari|chius[oa]|geopend|opent|openingstijden|gesloten|otwarte|zamkni[ęe]te|abert[oa]|czynne|fechado)(?!\w)",
    re.I,
)
"""A sentence without one of these is not about opening hours."""
PART = re.compile(r"[^,;]+")
CLOSED = re.compile(rf"(?<!\w)(?:{CLOSED_WORDS}|not open)(?!\w)", re.I)
CERTAIN_DAY = re.compile(r"\w{5,}|(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\.?", re.I)
"""A day that counts without times beside it: `so` and `do` are words as well."""


@dataclass(frozen=True, slots=True)
class Hours:
    """Opening times by day, 0 is Monday, as sets of (open, close) minutes of the day; an empty set is closed."""

    days: Mapping[int, Spans]


@dataclass(frozen=True, slots=True)
class Opening:
    """Days that are open or closed, at `[start, end)` of a text; `spans` are empty where it names no times."""

    days: frozenset[int]
    open: bool
    spans: Spans
    start: int = field(default=0, compare=False, repr=False)
    end: int = field(default=0, compare=False, repr=False)


def visible_hours(text: str) -> Hours:
    """Return the hours of a text such as `Mon - Fri: 9:00 am - 6:00 pm`; the first statement of a day counts."""
    days: dict[int, Spans] = {}
    for stated in hours_entries(text):
        for day in stated.days:
            days.setdefault(day, stated.spans)
    return Hours(days)


def openings(text: str, *, cued: bool = False) -> Iterator[Opening]:
    """Yield what the sentences of a text claim about days: open, closed, or open at certain times.

    `cued` says that the whole text is known to be about opening hours.
    """
    for sentence in SENTENCE.finditer(text):
        if not cued and CUE.search(sentence[0]) is None:
            continue
        at = sentence.start()
        claimed = list(_entries(_tokens(sentence[0]), allow_bare=True))
        for entry in claimed:
            if entry.spans is not None:
                yield Opening(
                    frozenset(entry.days), bool(entry.spans), entry.spans, at + entry.start, at + entry.end
                )
            elif CERTAIN_DAY.match(sentence[0], entry.start):
                parts = (part for part in PART.finditer(sentence[0]) if part.end() > entry.start)
                closed = CLOSED.search(next(parts)[0]) is not None
                yield Opening(
                    frozenset(entry.days), not closed, frozenset(), at + entry.start, at + entry.end
                )
        always = sentence[0].find("24/7")
        if always >= 0 and not claimed:
            yield Opening(WHOLE_WEEK, True, frozenset(), at + always, at + always + len("24/7"))


def hours_entries(text: str) -> Iterator["HoursEntry"]:
    """Yield every statement of times for days; hours before their days count for these.

    Without any, `Open 24 hours` is said of the whole week.
    """
    entry = None
    for entry in _entries(_tokens(text)):
        yield HoursEntry(entry.start, entry.days, entry.spans or frozenset(), entry.end)
    always = ALWAYS.search(text) if entry is None else None
    if always:
        yield HoursEntry(always.start(), tuple(range(7)), frozenset(((0, 24 * 60),)), always.end())


@dataclass(frozen=True, slots=True)
class HoursEntry:
    """One statement at `[start, end)`: days, and their times, which are empty for closed days."""

    start: int
    days: tuple[int, ...]
    spans: Spans
    end: int


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
            token.days = (DAY_NAMES[without_case(match["day"]).rstrip(".")],)
        if kind == "letter":
            token.kind, token.days = "day", (LETTERS[match["letter"]],)
        if kind == "group":
            token.days = next(
                tuple(days) for days, words in GROUPS.items() if re.fullmatch(words, match["group"], re.I)
            )
        tokens.append(token)
    return tokens


class _Entry(NamedTuple):
    """As HoursEntry; `spans` is None for days without any."""

    start: int
    days: tuple[int, ...]
    spans: Spans | None
    end: int


def _entries(tokens: list[_Token], *, allow_bare: bool = False) -> Iterator[_Entry]:
    index = 0
    nothing: Spans = frozenset()
    waiting = nothing
    while index < len(tokens):
        token = tokens[index]
        if token.days:
            days, index = _days(tokens, index)
            spans, closed, behind = _spans(tokens, _past(tokens, index, 3))
            if spans or closed:
                yield _Entry(token.at, days, spans, _end(tokens, behind))
                index, waiting = behind, nothing
            elif waiting or allow_bare:
                yield _Entry(token.at, days, waiting or None, _end(tokens, index))
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


def _spans(tokens: list[_Token], index: int) -> tuple[Spans, bool, int]:
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
    # Italian hours have a slash between times: `8:30/12:30 - 15:00/19:00`.
    is_cut = not is_joined and index + 1 < len(tokens) and tokens[index + 1].text == "/"
    closes_at = index + 2 if is_cut else _past(tokens, until + 1, 2) if is_joined else until
    if closes_at >= len(tokens) or tokens[closes_at].kind != "time":
        return None, index
    opens, closes = tokens[index], tokens[closes_at]
    # Two columns of a table have nothing between them; then both must be times of day.
    if not is_joined and not (_is_exact(opens, is_cut) and _is_exact(closes, is_cut)):
        return None, index
    start = _minutes(opens.text, opens.half or _shared_half(opens.text, closes.half))
    end = _minutes(closes.text, closes.half)
    if start is None or end is None:
        return None, closes_at + 1
    if end in (0, END_OF_DAY - 1):  # midnight, also as `23:59`
        end = END_OF_DAY
    # `9 - 6` closes in the evening, `18:00 - 2:00` on the next day.
    is_evening = not closes.half and end <= start < end + HALF_DAY and end <= HALF_DAY
    return (start, end + HALF_DAY if is_evening else end), closes_at + 1


def _shared_half(opens: str, half: str) -> str:
    """The half of the day of an opening time without one, from its closing time's."""
    hour = re.match(r"\d+", opens)
    is_early = hour is not None and int(hour[0]) <= LATEST_OPENING_HOUR
    return half if half.lower().startswith("a") or (half and is_early) else ""


def _is_exact(token: _Token, is_cut: bool) -> bool:
    """Whether a figure can only be a time of day; beside a slash its minutes may follow a point."""
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
