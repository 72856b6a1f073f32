"""Calls of every read tool, drawn by seed from its own request schema, through the real dispatcher, timed."""

import json
import math
import random
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, NamedTuple

from analytics.metric_names import MetricName
from bench.scale.building import Built
from bench.scale.market import CATEGORIES, COUNTRIES, DAYS, INTENTS, SOURCES, TAGS
from oauth.principal import Caller, Principal, Scope
from storage.database import Database
from tools.calls.dispatch import Dispatcher, Success
from tools.calls.parameters import LONGEST_HISTORY_DAYS
from tools.calls.table import ToolRow
from tools.period_comparison import OTHER_SIDES

LARGE_SHARE = 1 / 3
DEEP = 1_000_000
AROUND = 5_000
"""Number of offsets that pages are drawn from; a single deep page would soon be cached in memory."""
WARM = 2
NO_ROWS = frozenset({"runId", "agentInstanceId", "promptSetId"})
"""Tools that need one of these ids read single rows whose cost does not grow, and the market has no such rows."""


@dataclass(frozen=True, slots=True)
class Served:
    """A served database: its dispatcher and the data that was built in it."""

    name: str
    database: Database
    dispatcher: Dispatcher
    built: Built

    @property
    def caller(self) -> Caller:
        """A caller with every scope and a rate limit too high to reach."""
        principal = Principal(self.built.company_id, "key:bench", frozenset(Scope), 1_000_000_000)
        return Caller(principal, "127.0.0.1")


class Spent(NamedTuple):
    """The cost of one call: elapsed milliseconds, and CPU milliseconds of all threads in this process."""

    milliseconds: float
    processor: float


def quantile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least this share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]


@dataclass(slots=True)
class Timings:
    """Server times of one tool in milliseconds, its response sizes in bytes, and the sizes of its widest responses.

    `processor` holds the CPU milliseconds of the same calls, which other load on the machine affects less. Calls that
    choose answers by more than days, channels and prompts are kept apart, in `others`.
    """

    milliseconds: list[float] = field(default_factory=list[float])
    sizes: list[int] = field(default_factory=list[int])
    widest: list[int] = field(default_factory=list[int])
    processor: list[float] = field(default_factory=list[float])
    apart: "Timings | None" = None

    @property
    def others(self) -> "Timings":
        """Timings of the calls that choose single answers."""
        if self.apart is None:
            self.apart = Timings()
        return self.apart

    def add(self, spent: Spent, outcome: Success) -> None:
        """Take in one call."""
        self.milliseconds.append(spent.milliseconds)
        self.processor.append(spent.processor)
        self.sizes.append(len(outcome.body))

    def quantile(self, share: float) -> float:
        """Return the time that this share of the calls did not exceed; 0 without a call."""
        return quantile(self.milliseconds, share) if self.milliseconds else 0.0

    def processor_quantile(self, share: float) -> float:
        """Return the time of the processor that this share of the calls did not exceed; 0 without a call."""
        return quantile(self.processor, share) if self.processor else 0.0

    @property
    def bytes(self) -> float:
        """Return the median size of an answer; 0 without one."""
        return statistics.median(self.sizes) if self.sizes else 0.0

    @property
    def largest(self) -> int:
        """Return the size of the largest answer."""
        apart = self.apart.sizes if self.apart is not None else []
        return max([*self.sizes, *self.widest, *apart], default=0)


def measured_tools(dispatcher: Dispatcher) -> list[ToolRow]:
    """Return the read tools that the market has rows for."""
    return [
        row
        for row in dispatcher.table.values()
        if row.access == "read" and NO_ROWS.isdisjoint(row.input_schema.get("required", ()))
    ]


UNKNOWN_HERE = frozenset(("itemId", "assignee"))
"""Options that need rows the generated market does not have."""
PERIODS = (7, 30, 66, 180, 366, None)
"""Days that calls ask for; None is a call without a period."""
FILTERS = ("platform", "country", "mode", "promptId", "promptSetId", "tag", "intent")
PERIOD_FIELDS = ("days", "from", "to", "compareFrom", "compareTo")
COUNTS = (0, 0, 1, 1, 1, 2, 2, 3)
"""Filters of a call, beside its period."""
INSTANTS = 0.15
"""Share of periods that cut a day."""
OF_SINGLE_ANSWERS: Mapping[str, frozenset[str]] = {
    "list_answers": frozenset(
        ("outcome", "counted", "citationsKnown", "competitor", "source", "batchIds", "contains")
    ),
    "get_citations": frozenset(("when",)),
}
"""Options that choose answers by what they say, which no sum over days, channels and prompts holds."""
OF_ONE_BRAND = frozenset(("mode", "promptSetId", "promptId", "tag", "intent", "from", "to"))
"""Filters that a ranking takes only with a brand."""


class Drawn(NamedTuple):
    """Arguments of a call, and whether they choose answers by more than days, channels and prompts."""

    arguments: dict[str, Any]
    is_other: bool


@dataclass(frozen=True, slots=True)
class Stored:
    """What can be asked of a brand: its prompt sets, and the ids, prompts, batches and platforms of newest answers."""

    prompt_sets: tuple[str, ...]
    prompts: tuple[str, ...]
    platforms: tuple[str, ...]
    answers: tuple[str, ...]
    batches: tuple[str, ...]


async def stored_of(served: Served) -> dict[str, Stored]:
    """Return what each followed brand has, by the brand's id."""
    stored: dict[str, Stored] = {}
    for brand in served.built.brands[: served.built.followed]:
        asked = {"brandId": brand.id, "limit": 100}
        _, outcome = await timed(served, "list_answers", asked)
        answers = json.loads(outcome.body)["answers"]
        stored[brand.id] = Stored(
            prompt_sets=tuple(dict.fromkeys(answer["promptSetId"] for answer in answers)),
            prompts=tuple(dict.fromkeys(answer["promptId"] for answer in answers)),
            platforms=tuple(sorted({answer["platform"] for answer in answers})),
            answers=tuple(answer["answerId"] for answer in answers),
            batches=tuple(dict.fromkeys(answer["batchId"] for answer in answers)),
        )
    return stored


class Draws:
    """Draws arguments of tools; on every database of one market, the same call draws the same kind of arguments."""

    def __init__(self, seed: int, built: Built, stored: Mapping[str, Stored]) -> None:
        self._seed = seed
        self._rng = random.Random(seed)
        self._built = built
        self._stored = stored

    def arguments(self, row: ToolRow, turn: int) -> Drawn:
        """Draw what the tool requires, a period, some filters, and each other option half the time."""
        self._rng.seed(f"{self._seed}:{row.name}:{turn}")
        properties: Mapping[str, Mapping[str, Any]] = row.input_schema.get("properties", {})
        required = row.input_schema.get("required", ())
        number = self._brand()
        others = [
            name for name in properties if name not in {*UNKNOWN_HERE, *FILTERS, *PERIOD_FIELDS, *OTHER_SIDES}
        ]
        single = OF_SINGLE_ANSWERS.get(row.name, frozenset())
        chosen = [
            name
            for name in others
            if (self._rng.random() < (0.1 if name in single else 0.5)) or name in required
        ]
        filters = [name for name in FILTERS if name in properties]
        count = self._one(COUNTS)
        while filters and count:
            chosen.append(filters.pop(int(self._rng.random() * len(filters))))
            count -= 1
        drawn = {name: self._value(name, properties[name], number) for name in chosen}
        cuts_days = self._add_period(drawn, properties)
        self._add_other_side(drawn, properties, number)
        if row.name == "get_competitor_rankings" and OF_ONE_BRAND & drawn.keys():
            drawn.setdefault("brandId", self._built.brands[number].id)
        return Drawn(drawn, cuts_days or not single.isdisjoint(drawn))

    def _one(self, values: Sequence[Any]) -> Any:
        """Draw one with a single random number, so that lists of other lengths leave later draws alike."""
        return values[int(self._rng.random() * len(values))]

    def _add_period(self, drawn: dict[str, Any], properties: Mapping[str, Any]) -> bool:
        """Add a period as the tool takes it; return whether it begins or ends within a day."""
        period, form, cut, compares = self._one(PERIODS), *(self._rng.random() for _ in range(3))
        if "metricDays" in drawn or period is None:
            return False
        last_day = self._built.last_day
        first_day = last_day - timedelta(days=period - 1)
        if "compareFrom" in properties and compares < 0.5:
            before = first_day - timedelta(days=1)
            drawn["compareFrom"] = (before - timedelta(days=period - 1)).isoformat()
            drawn["compareTo"] = before.isoformat()
            form = 1.0
        if "days" in properties and (form < 0.5 or "from" not in properties):
            drawn["days"] = period
        elif "from" in properties:
            cuts = cut < INSTANTS
            drawn["from"] = f"{first_day}T07:30:00Z" if cuts else first_day.isoformat()
            drawn["to"] = f"{last_day}T16:45:00Z" if cuts else last_day.isoformat()
            return cuts
        return False

    def _add_other_side(self, drawn: dict[str, Any], properties: Mapping[str, Any], number: int) -> None:
        """Compare with another value of one filter half of the time, where the tool can and one was drawn."""
        pairs = [
            (other, field) for other, field in OTHER_SIDES.items() if other in properties and field in drawn
        ]
        if not pairs or self._rng.random() < 0.5:
            return
        other, field = self._one(pairs)
        value = self._value(field, properties[field], number)
        if value != drawn[field]:
            drawn[other] = value

    def widest(self, row: ToolRow) -> dict[str, Any]:
        """Ask the tool for as much as it takes of the large brand: the longest page and period, every detail."""
        drawn: dict[str, Any] = {}
        required = row.input_schema.get("required", ())
        properties = row.input_schema.get("properties", {})
        for name, schema in properties.items():
            if name == "days":  # a comparison needs as many days before
                drawn[name] = DAYS // 2 if "compareFrom" in properties else LONGEST_HISTORY_DAYS
            elif "maximum" in schema and "ffset" not in name:
                drawn[name] = int(schema["maximum"])
            elif schema.get("type") == "boolean":
                drawn[name] = True
            elif name == "detail":
                drawn[name] = "full"
            elif name in required or name == "brandId":
                drawn[name] = self._value(name, schema, 0)
        return drawn

    def _value(self, name: str, schema: Mapping[str, Any], number: int) -> Any:
        rng, brand = self._rng, self._built.brands[number]
        stored = self._stored[brand.id]
        if name in ("limit", "repositoryLimit", "mentionsLimit"):
            return 1 + int(rng.random() * min(100, int(schema.get("maximum", 100))))
        if name == "metricDays":
            return self._one((7, 30, 90))
        if name == "batchIds":
            return [self._one(stored.batches)]
        chosen: dict[str, Sequence[Any]] = {
            "brandId": (brand.id, brand.name),
            "competitor": self._built.watched[number].rivals,
            "answerId": stored.answers,
            "promptId": stored.prompts,
            "promptSetId": stored.prompt_sets,
            "offset": (0, 0, 0, 20, 50, 200),
            "promptsOffset": (0, 0, 20),
            "findingsOffset": (0, 0, 20),
            "bodyOffset": (0, 0, 200),
            "platform": stored.platforms,
            "mentionsPlatform": stored.platforms,
            "country": COUNTRIES,
            "source": SOURCES,
            "tag": TAGS,
            "intent": INTENTS,
            "metricName": [str(metric) for metric in MetricName],
            "category": CATEGORIES,
            "repositoryCategory": CATEGORIES,
            **dict.fromkeys(
                ("query", "contains"), ("warranty", "service part", "explains 7", "nothing of the kind")
            ),
            "workflowId": ("ai_shop_checkup",),
        }
        if name in chosen:
            return self._one(chosen[name])
        if "enum" in schema:
            return self._one(schema["enum"])
        if schema.get("type") == "boolean":
            return rng.random() < 0.5
        raise LookupError(f"nothing to draw for the field {name}: add it to bench/scale/calls.py")

    def _brand(self) -> int:
        """Draw the number of a followed brand. One call in three is about the large brand."""
        large, other = self._rng.random() < LARGE_SHARE, self._rng.random()
        return 0 if large else int(other * self._built.followed)


async def timed(served: Served, tool: str, arguments: Mapping[str, Any]) -> tuple[Spent, Success]:
    """Call a tool once and return its cost and result. Raises RuntimeError on an error: the draw was wrong."""
    began, processor = time.perf_counter(), time.process_time()
    outcome = await served.dispatcher.call(tool, arguments, served.caller)
    spent = Spent((time.perf_counter() - began) * 1000, (time.process_time() - processor) * 1000)
    if not isinstance(outcome, Success):
        raise RuntimeError(f"{tool} rejected {dict(arguments)}: {outcome.message}")
    return spent, outcome


async def read_all(served: Sequence[Served], calls: int, seed: int) -> dict[str, dict[str, Timings]]:
    """Call every read tool `calls` times on each database, in turn, so that load spikes affect all databases alike.

    Returns timings by tool and database name. The first turns are not timed: they load modules that start-up spares.
    """
    rows = measured_tools(served[0].dispatcher)
    timings = {row.name: {service.name: Timings() for service in served} for row in rows}
    draws = [Draws(seed, service.built, await stored_of(service)) for service in served]
    for turn in range(-WARM, calls):
        for row in rows:
            for service, draw in zip(served, draws, strict=True):
                drawn = draw.arguments(row, turn)
                spent, outcome = await timed(service, row.name, drawn.arguments)
                if turn >= 0:
                    of_tool = timings[row.name][service.name]
                    (of_tool.others if drawn.is_other else of_tool).add(spent, outcome)
    for row in rows:
        for service, draw in zip(served, draws, strict=True):
            _, outcome = await timed(service, row.name, draw.widest(row))
            timings[row.name][service.name].widest.append(len(outcome.body))
    return timings


async def mentions_of(served: Served) -> int:
    """Return how many mentions the large brand has."""
    arguments = {"brandId": served.built.brands[0].id, "limit": 1}
    _, outcome = await timed(served, "get_brand_mentions", arguments)
    return int(json.loads(outcome.body)["total"])


async def read_deep(
    served: Served, offsets: Sequence[int], calls: int, seed: int, around: int = AROUND
) -> dict[int, Timings]:
    """Page through the large brand's mentions around each offset, in turn."""
    rng = random.Random(seed)
    found = {offset: Timings() for offset in offsets}
    brand = served.built.brands[0].id
    for turn in range(calls + WARM):
        for offset, timings in found.items():
            at = offset + rng.randrange(around) if offset else 0
            arguments = {"brandId": brand, "offset": at, "limit": 50}
            spent, outcome = await timed(served, "get_brand_mentions", arguments)
            if b'"mentions":[]' in outcome.body:
                raise RuntimeError(f"there is no mention at offset {at}")
            if turn >= WARM:
                timings.add(spent, outcome)
    return found
