"""Opening hours of departments in a page's text, and as schema.org marks them up."""

# ruff: noqa: E501  # one line per language keeps the lists comparable
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, cast

from analytics.text.opening_hours import Hours, Spans, hours_entries
from readiness.reading.structured_data import texts, values

SCHEMA_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
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
class StatedHours:
    """One statement of opening hours at `[start, end)` of its text.

    `department` is the one named before it, None where none is.
    """

    hours: Hours
    department: Department | None
    start: int
    end: int


@lru_cache(maxsize=32)  # several checks ask the same pages of one site
def hours_statements(text: str) -> tuple[StatedHours, ...]:
    """Every statement of opening hours: a day that comes again, or another department's name, begins a new one."""
    statements: list[StatedHours] = []
    days: dict[int, Spans] = {}
    start, department, end, stop = 0, None, 0, 0
    for entry in hours_entries(text):
        at, stated = entry.start, entry.days
        named = _department(text[max(end, at - LABEL_REACH) : at])
        is_elsewhere = _is_place(text[stop : min(at, stop + LABEL_REACH)])
        if days and (named or any(day in days for day in stated)):
            statements.append(StatedHours(Hours(days), department, start, stop))
            named = named or (department if is_elsewhere else None)
            days = {}
        if not days:
            start, department = at, named
        days |= dict.fromkeys(stated, entry.spans)
        end, stop = at + 1, entry.end
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
    match = re.match(r"([01]?\d|2[0-4]):([0-5]\d)", text)
    return int(match[1]) * 60 + int(match[2]) if match else None
