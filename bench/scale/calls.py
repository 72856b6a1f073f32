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
from bench.scale.market import CATEGORIES, DAYS, INTENTS, SOURCES, TAGS
from oauth.principal import Caller, Principal, Scope
from storage.database import Database
from tools.calls.dispatch import Dispatcher, Success
from tools.calls.parameters import LONGEST_HISTORY_DAYS
from tools.calls.table import ToolRow

LARGE_SHARE = 1 / 3
DEEP = 1_000_000
AROUND = 5_000
"""Number of offsets that pages are drawn from; a single deep page would soon be cached in memory."""
WARM = 5
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

    `processor` holds the CPU milliseconds of the same calls, which other load on the machine affects less.
    """

    milliseconds: list[float] = field(default_factory=list[float])
    sizes: list[int] = field(default_factory=list[int])
    widest: list[int] = field(default_factory=list[int])
    processor: list[float] = field(default_factory=list[float])

    def add(self, spent: Spent, outcome: Success) -> None:
        """Take in one call."""
        self.milliseconds.append(spent.milliseconds)
        self.processor.append(spent.processor)
        self.sizes.append(len(outcome.body))

    def quantile(self, share: float) -> float:
        """Return the time that this share of the calls did not exceed."""
        return quantile(self.milliseconds, share)

    def processor_quantile(self, share: float) -> float:
        """Return the time of the processor that this share of the calls did not exceed; 0 without a call."""
        return quantile(self.processor, share) if self.processor else 0.0

    @property
    def bytes(self) -> float:
        """Return the median size of an answer."""
        return statistics.median(self.sizes)

    @property
    def largest(self) -> int:
        """Return the size of the largest answer."""
        return max([*self.sizes, *self.widest], default=0)


def measured_tools(dispatcher: Dispatcher) -> list[ToolRow]:
    """Return the read tools that the market has rows for."""
    return [
        row
        for row in dispatcher.table.values()
        if row.access == "read" and NO_ROWS.isdisjoint(row.input_schema.get("required", ()))
    ]


UNKNOWN_HERE = frozenset(("batchIds", "itemId", "assignee"))
"""Options that a caller copies from a result of the same call's brand, of which the generated market has no list, and
people, of whom it has none."""


OF_ONE_BRAND = frozenset(("mode", "promptSetId", "promptId", "tag", "intent", "from", "to"))
"""Filters that a ranking takes only with a brand."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What can be asked of a brand: its prompt set, and the ids, prompts and platforms of newest answers."""

    prompt_set: str
    prompts: tuple[str, ...]
    platforms: tuple[str, ...]
    answers: tuple[str, ...]


async def stored_of(served: Served) -> dict[str, Stored]:
    """Return what each followed brand has, by the brand's id."""
    stored: dict[str, Stored] = {}
    for brand in served.built.brands[: served.built.followed]:
        asked = {"brandId": brand.id, "limit": 100}
        _, outcome = await timed(served, "list_answers", asked)
        answers = json.loads(outcome.body)["answers"]
        stored[brand.id] = Stored(
            prompt_set=answers[0]["promptSetId"],
            prompts=tuple(dict.fromkeys(answer["promptId"] for answer in answers)),
            platforms=tuple(sorted({answer["platform"] for answer in answers})),
            answers=tuple(answer["answerId"] for answer in answers),
        )
    return stored


class Draws:
    """Draws arguments of a tool, the same for every database of one market."""

    def __init__(self, seed: int, built: Built, stored: Mapping[str, Stored]) -> None:
        self._rng = random.Random(seed)
        self._built = built
        self._stored = stored

    def arguments(self, row: ToolRow) -> dict[str, Any]:
        """Draw what the tool requires, and each of its options half the time, all about one brand."""
        required = row.input_schema.get("required", ())
        number = self._brand()
        drawn = {
            name: self._value(name, schema, number)
            for name, schema in row.input_schema.get("properties", {}).items()
            if name in required or (name not in UNKNOWN_HERE and self._rng.random() < 0.5)
        }
        if row.name == "get_competitor_rankings" and OF_ONE_BRAND & drawn.keys():
            drawn.setdefault("brandId", self._built.brands[number].id)
        return drawn

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
        stored, last_day = self._stored[brand.id], self._built.last_day
        if name in ("limit", "repositoryLimit", "mentionsLimit"):
            return rng.randint(1, min(100, int(schema.get("maximum", 100))))
        if name in ("days", "metricDays"):
            return rng.choice((7, 30, min(90, int(schema.get("maximum", 90)))))
        chosen: dict[str, Sequence[Any]] = {
            "brandId": (brand.id, brand.name),
            "competitor": self._built.watched[number].rivals,
            "answerId": stored.answers,
            "promptId": stored.prompts,
            "promptSetId": (stored.prompt_set,),
            "offset": (0, 0, 0, 20, 50, 200),
            "promptsOffset": (0, 0, 20),
            "findingsOffset": (0, 0, 20),
            "bodyOffset": (0, 0, 200),
            "platform": stored.platforms,
            "mentionsPlatform": stored.platforms,
            "country": ("DE",),
            "source": SOURCES,
            "tag": TAGS,
            "intent": INTENTS,
            "from": [(last_day - timedelta(days=days)).isoformat() for days in (7, 30, 90)],
            "to": [(last_day - timedelta(days=days)).isoformat() for days in (0, 1, 2)],
            "compareFrom": [(last_day - timedelta(days=days)).isoformat() for days in (280, 240)],
            "compareTo": [(last_day - timedelta(days=days)).isoformat() for days in (200, 192)],
            "metricName": [str(metric) for metric in MetricName],
            "category": CATEGORIES,
            "repositoryCategory": CATEGORIES,
            "query": ("warranty", "service part", "explains 7", "nothing of the kind"),
            "workflowId": ("ai_shop_checkup",),
        }
        if name in chosen:
            return rng.choice(chosen[name])
        if "enum" in schema:
            return rng.choice(schema["enum"])
        if schema.get("type") == "boolean":
            return rng.random() < 0.5
        raise LookupError(f"nothing to draw for the field {name}: add it to bench/scale/calls.py")

    def _brand(self) -> int:
        """Draw the number of a followed brand. One call in three is about the large brand."""
        large = self._rng.random() < LARGE_SHARE
        return 0 if large else self._rng.randrange(self._built.followed)


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

    Returns timings by tool and database name.
    """
    rows = measured_tools(served[0].dispatcher)
    timings = {row.name: {service.name: Timings() for service in served} for row in rows}
    draws = [Draws(seed, service.built, await stored_of(service)) for service in served]
    for turn in range(calls + WARM):
        for row in rows:
            for service, draw in zip(served, draws, strict=True):
                spent, outcome = await timed(service, row.name, draw.arguments(row))
                if turn >= WARM:
                    timings[row.name][service.name].add(spent, outcome)
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


async def read_deep(served: Served, offsets: Sequence[int], calls: int, seed: int) -> dict[int, Timings]:
    """Page through the large brand's mentions around each offset, in turn."""
    rng = random.Random(seed)
    found = {offset: Timings() for offset in offsets}
    brand = served.built.brands[0].id
    for turn in range(calls + WARM):
        for offset, timings in found.items():
            around = offset + rng.randrange(AROUND) if offset else 0
            arguments = {"brandId": brand, "offset": around, "limit": 50}
            spent, outcome = await timed(served, "get_brand_mentions", arguments)
            if b'"mentions":[]' in outcome.body:
                raise RuntimeError(f"there is no mention at offset {around}")
            if turn >= WARM:
                timings.add(spent, outcome)
    return found
