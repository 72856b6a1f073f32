"""Filters, periods and pagination of pages: read from the address, kept in every link, given to the tools."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

from measurement.planning.engine_names import MODES, platform_name
from measurement.planning.locales import country_name
from storage.workspace import Workspace

PERIODS: Mapping[str, str] = {"7": "7 days", "28": "28 days", "90": "90 days", "all": "all time"}
DEFAULT_PERIOD = "28"
COMPARISONS: Mapping[str, str] = {
    "before": "previous period",
    "year": "same period last year",
    "none": "nothing",
}
DEFAULT_COMPARISON = "before"
FIRST_DAY = date(2000, 1, 1)
"""Where all time begins: before any AI engine existed."""


def _year_before(day: date) -> date:
    """Return the same day of the year before; 29 February becomes the 28th."""
    return (
        day.replace(year=day.year - 1, day=28)
        if (day.month, day.day) == (2, 29)
        else day.replace(year=day.year - 1)
    )


def parse_page_number(text: str | None) -> int:
    """Return the number of a page, from 1; anything that is no such number is the first."""
    return max(1, int(text)) if text and text.isdecimal() and len(text) < 6 else 1


def count_pages(total: int, page_size: int) -> int:
    """Return how many pages a list of `total` entries has; an empty one has one."""
    return max(1, -(-total // page_size))


TOOL_NAMES: Mapping[str, str] = {
    "platform": "platform",
    "country": "country",
    "mode": "mode",
    "set": "promptSetId",
    "tag": "tag",
    "intent": "intent",
}
"""Names in the address, and what the tools call them."""
LABELS: Mapping[str, str] = {
    "platform": "Engine",
    "country": "Country",
    "mode": "Mode",
    "set": "Prompt set",
    "tag": "Tag",
    "intent": "Intent",
}
ALL: Mapping[str, str] = {
    "platform": "All engines",
    "country": "All countries",
    "mode": "All modes",
    "set": "All prompt sets",
    "tag": "All tags",
    "intent": "All intents",
}
"""What a field of the filter bar shows while it does not narrow the view."""
REVERSED = "The first day is after the last day."
LONGEST_VALUE = 200


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """One field of the filter bar: its values with their words, and the chosen value, empty for all."""

    name: str
    label: str
    options: Mapping[str, str]
    chosen: str

    @property
    def all(self) -> str:
        """What the field shows when nothing is chosen."""
        return ALL[self.name]


@dataclass(frozen=True, slots=True)
class ViewFilters:
    """Period and filters of a page. `since` and `until` are inclusive days; `kept` is other state of the page."""

    path: str
    period: str
    since: date
    until: date
    own_days: bool
    values: Mapping[str, str]
    choices: Sequence[FilterChoice]
    kept: Mapping[str, str]
    unknown: Sequence[str]
    default_period: str = DEFAULT_PERIOD
    comparison: str = DEFAULT_COMPARISON
    own_words: str = ""
    """The period in words, where a page gave it."""
    carried: Mapping[str, str] = field(default_factory=dict[str, str])
    """Filters of the address that this page ignores and keeps in links to other pages."""
    fault: str = ""
    """Why the typed days are not used."""
    typed: tuple[date | None, date | None] = (None, None)
    """The first and last day as typed."""

    @property
    def compares(self) -> bool:
        """Whether this period is compared with an earlier one; nothing lies before all time."""
        return self.comparison != "none" and self.since != FIRST_DAY

    @property
    def comparison_words(self) -> str:
        """What this period is compared with, in words."""
        return f"the {COMPARISONS[self.comparison]}"

    @property
    def comparison_arguments(self) -> dict[str, str]:
        """The earlier period as compare_periods takes it; empty for the one just before."""
        if self.comparison != "year" or not self.compares:
            return {}
        return {
            "compareFrom": _year_before(self.since).isoformat(),
            "compareTo": _year_before(self.until).isoformat(),
        }

    @property
    def period_words(self) -> str:
        """The period as people say it."""
        if self.own_words:
            return self.own_words
        if self.own_days:
            return days_words(self.since, self.until)
        return PERIODS[self.period]

    @property
    def days(self) -> int:
        """Days of the period."""
        return (self.until - self.since).days + 1

    @property
    def arguments(self) -> dict[str, Any]:
        """The filters as the tools take them, with both ends of the period."""
        return {**self.filter_arguments, **self.period_arguments}

    @property
    def filter_arguments(self) -> dict[str, str]:
        """The filters as the tools take them, without the period."""
        return {TOOL_NAMES[name]: value for name, value in self.values.items()}

    @property
    def period_arguments(self) -> dict[str, Any]:
        """Both ends of the period as the tools take them."""
        return {"from": self.since.isoformat(), "to": self.until.isoformat()}

    @property
    def state(self) -> dict[str, str]:
        """The filters as the address holds them."""
        own = {"from": self.since.isoformat(), "to": self.until.isoformat()} if self.own_days else {}
        period = {} if self.own_days or self.period == self.default_period else {"period": self.period}
        compared = {} if self.comparison == DEFAULT_COMPARISON else {"compare": self.comparison}
        return {**period, **own, **compared, **self.carried, **self.values}

    def address(self, path: str | None = None, /, **changes: object) -> str:
        """Return the address of this view, or of another page with the same filters; an empty value goes."""
        same = path is None or path == self.path
        state: dict[str, object] = {**self.state, **(self.kept if same else {}), **changes}
        query = _encode_query(state)
        return f"{path or self.path}?{query}" if query else path or self.path

    def as_file(self, ending: str) -> str:
        """Return the address of the same view as a file, csv or json."""
        path, question, query = self.address().partition("?")
        return f"{path}.{ending}{question}{query}"

    def answers(self, brand_id: str, **chosen: object) -> str:
        """Return the address of the counted answers of this view, narrowed further."""
        exact = {"from": self.since.isoformat(), "to": self.until.isoformat()}
        state: dict[str, object] = {**self.values, **exact, "counted": "1", **chosen}
        return f"/brands/{brand_id}/answers?{_encode_query(state)}"


def days_words(since: date, until: date) -> str:
    """Return a range of days, such as Nov 1 – Nov 28, 2026; the year is repeated only where it differs."""
    year = "" if since.year == until.year else f", {since.year}"
    return f"{since:%b} {since.day}{year} – {until:%b} {until.day}, {until.year}"


def _encode_query(state: Mapping[str, object]) -> str:
    """Return the fields of an address; an empty one is left out."""
    return urlencode({name: value for name, value in state.items() if value not in ("", None)})


def read_view(
    path: str,
    query: Mapping[str, str],
    options: Mapping[str, Mapping[str, str]],
    today: date,
    *,
    kept: Sequence[str] = (),
    fields: Sequence[str] = tuple(LABELS),
    default_period: str = DEFAULT_PERIOD,
) -> ViewFilters:
    """Read the filters of a page; `kept` names other fields of the address that belong to it.

    `options` holds what can be chosen in each field, with its words. A value that it has not is left out and named
    in `unknown`.
    """
    values: dict[str, str] = {}
    unknown: list[str] = []
    for name in fields:
        value = query.get(name, "")[:LONGEST_VALUE]
        if value in options[name]:
            values[name] = value
        elif value:
            unknown.append(f"{LABELS[name].lower()} “{value}”")
    typed = since, until = _parse_day(query.get("from")), _parse_day(query.get("to"))
    fault = REVERSED if since is not None and (until or today) < since else ""
    if fault:
        since = until = None
    own_days = since is not None or until is not None
    period = query.get("period", "") if query.get("period", "") in PERIODS else default_period
    carried = {name: query.get(name, "")[:LONGEST_VALUE] for name in LABELS if name not in fields}
    last = until or today
    first = since or (FIRST_DAY if own_days or period == "all" else last - timedelta(days=int(period) - 1))
    return ViewFilters(
        path=path,
        period=period,
        since=first,
        until=last,
        own_days=own_days,
        values=values,
        choices=[
            FilterChoice(name, LABELS[name], options[name], values.get(name, ""))
            for name in fields
            if len(options[name]) > 1 or name in values
        ],
        kept={name: query.get(name, "")[:LONGEST_VALUE] for name in kept if query.get(name)},
        unknown=unknown,
        default_period=default_period,
        comparison=query["compare"] if query.get("compare") in COMPARISONS else DEFAULT_COMPARISON,
        carried={name: value for name, value in carried.items() if value},
        fault=fault,
        typed=typed,
    )


def _parse_day(text: str | None) -> date | None:
    """Return a day of the address; None for anything else and for days before all time."""
    try:
        day = date.fromisoformat(text or "")
    except ValueError:
        return None
    return max(day, FIRST_DAY)


async def load_options(
    workspace: Workspace, prompt_sets: Sequence[Mapping[str, Any]]
) -> dict[str, Mapping[str, str]]:
    """Return what can be chosen in each field, with its words; prompt sets as their tool lists them."""
    tags, intents = await workspace.prompts.labels()
    return {
        "platform": {name: platform_name(name) for name in sorted(await workspace.simulations.platforms())},
        "country": {code: country_name(code) for code in sorted(await workspace.simulations.countries())},
        "mode": MODES,
        "set": {prompt_set["promptSetId"]: prompt_set["name"] for prompt_set in prompt_sets},
        "tag": {tag: tag for tag in sorted(tags)},
        "intent": {intent: intent for intent in sorted(intents)},
    }
