"""Opening hours of departments in a page's text, and as schema.org marks them up."""

# ruff: noqa: E501  # one line per language keeps the lists comparable
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Any, cast

from analytics.text.opening_hours import Hours, Spans, hours_entries
from readiness.reading.structured_data import texts, values

SCHEMA_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SHORT_DAYS = {name[:2]: name for name in SCHEMA_DAYS}
SHORT_DAY = re.compile(rf"\b(?:{'|'.join(SHORT_DAYS)})\b", re.I)
"""The two letters of schema.org; `we` and `su` are words elsewhere."""
SECONDS = re.compile(r"(?<=\d:\d\d):\d\d(?!\d)")
OFFSET = re.compile(r"(?:Z|[+-]\d\d:\d\d)$")
ALWAYS = re.compile(r"(?:Mo-Su )?24/7|(?:Mo-Su )?24 hours?", re.I)
LONGEST_SPECIAL = timedelta(days=7)
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
    """Opening hours of a schema.org node: openingHoursSpecification, or the openingHours text.

    Both are read like visible text, because sites write times and days in every form there. Hours of special days,
    which are valid for a week or less or differ from hours without dates, do not count.
    """
    specified = [
        cast(dict[str, Any], value)
        for value in values(dict(node), "openingHoursSpecification")
        if isinstance(value, dict)
    ]
    ordinary = _joined(_specification(item) for item in specified if not _is_dated(item))
    seasonal = _joined(
        _specification(item) for item in specified if _is_dated(item) and not _is_special(item)
    )
    written = _joined(map(_written, texts(dict(node), "openingHours")))
    days = {**seasonal, **ordinary}
    for day, spans in written.items():
        days.setdefault(day, set()).update(spans)
    return Hours({day: frozenset(spans) for day, spans in days.items()})


def _joined(parts: Iterable[Mapping[int, Spans]]) -> dict[int, set[tuple[int, int]]]:
    days: dict[int, set[tuple[int, int]]] = {}
    for part in parts:
        for day, spans in part.items():
            days.setdefault(day, set()).update(spans)
    return days


def _is_dated(item: Mapping[str, Any]) -> bool:
    return bool(texts(dict(item), "validFrom") or texts(dict(item), "validThrough"))


def _is_special(item: Mapping[str, Any]) -> bool:
    """Whether hours are valid for a week or less."""
    try:
        first, last = (
            date.fromisoformat(texts(dict(item), name)[0][:10]) for name in ("validFrom", "validThrough")
        )
    except (IndexError, ValueError):
        return False
    return last - first <= LONGEST_SPECIAL


def _specification(item: Mapping[str, Any]) -> Mapping[int, Spans]:
    """The hours of one openingHoursSpecification; equal times mean closed."""
    opens, closes = (
        OFFSET.sub("", " ".join(texts(dict(item), name)[:1]).strip()) for name in ("opens", "closes")
    )
    names = ", ".join(re.split("[/#]", name)[-1] for name in texts(dict(item), "dayOfWeek"))
    if opens and opens == closes:
        return _written(f"{names} closed")
    return _written(f"{names} {opens} - {closes}") if opens and closes else {}


def _written(text: str) -> dict[int, Spans]:
    """Hours such as `Mo-Fr 09:00-18:00, Sa 09:00-13:00`, as schema.org and site builders write them."""
    plain = SECONDS.sub("", " ".join(text.replace(",", ", ").split())[:500])
    if ALWAYS.fullmatch(plain):
        return dict.fromkeys(range(7), frozenset({(0, 24 * 60)}))
    days: dict[int, Spans] = {}
    for entry in hours_entries(SHORT_DAY.sub(lambda match: SHORT_DAYS[match[0].capitalize()], plain)):
        for day in entry.days:
            days[day] = days.get(day, frozenset()) | entry.spans
    return days
