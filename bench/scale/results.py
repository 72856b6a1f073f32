"""What the days that were not imported add up to: daily counts, points of trends, calculations."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol

from sqlalchemy import BigInteger, Connection, LargeBinary, Table, select, type_coerce

from analytics.metric_names import MEASURED
from bench.scale.answering import Drawn
from bench.scale.bulk import Bulk, check_columns, row_of
from bench.scale.market import CHANNELS
from bench.scale.texts import PooledMention
from storage.encoding import packed, unpacked
from storage.tables.columns import EPOCH, PackedJson, UtcTime, domain_owner
from storage.tables.prompts import run_batches
from storage.tables.results import country_calculations, daily_rollups, metric_points, score_calculations
from storage.tables.totals import channel_days

MILLION = 1_000_000
VALUES = re.compile(r'("(?:value|low|high|score|rankingScore|presence)":)(\d+\.\d+(?:e-?\d+)?)')
DEGRADED_AT = 5
"""A channel is degraded if more than one request in five brought no whole answer."""

for table, names in (
    (
        metric_points,
        "revision_key metric channel_key day batch_key value samples low high prompts_low prompts_high noise_source",
    ),
    (
        daily_rollups,
        "revision_key entity_key day channel_key valid named scored_valid scored_named ranked rank_sum measurable"
        " cited_own",
    ),
):
    check_columns(table, names.split())


class Identifiers(Protocol):
    """Draws identifiers and digests."""

    def id(self) -> str:
        """Return an identifier."""
        ...

    def digest(self) -> str:
        """Return a digest."""
        ...


@dataclass(slots=True)
class Counts:
    """Counts of one entity in one channel; `scored` ones leave out prompts that name the brand."""

    named: int = 0
    scored_named: int = 0
    ranked: int = 0
    rank_sum: int = 0
    cited_own: int = 0
    seen: int = 0
    prominence: int = 0

    def plus(self, other: "Counts") -> "Counts":
        """Return the counts of both."""
        return Counts(*(getattr(self, name) + getattr(other, name) for name in Counts.__slots__))


@dataclass(slots=True)
class Batch:
    """What the answers of one batch add up to, by channel, and by entity and channel."""

    key: int
    entities: list[list[Counts]]
    failed: list[int]
    ends: list[dict[str, int]]
    scored: list[int]
    measurable: list[int]
    models: list[set[str]]
    newest: list[int | None]
    domains: list[Counter[tuple[str, int]]]
    """Answers by each domain that they cite and its stored owner class."""

    @property
    def degraded(self) -> list[bool]:
        """Whether each channel failed too often."""
        return [
            DEGRADED_AT * (failed + ends.get("truncated", 0)) > failed + sum(ends.values())
            for failed, ends in zip(self.failed, self.ends, strict=True)
        ]

    def add_answer(self, drawn: Drawn, is_branded: bool, is_measurable: bool, domains: str) -> None:
        """Count an answer, with its domains as they are stored."""
        channel = drawn.channel
        self.domains[channel].update(json.loads(domains).items())
        ends = self.ends[channel]
        if not drawn.is_valid:
            end = "truncated" if drawn.is_truncated else drawn.status
            ends[end] = ends.get(end, 0) + 1
            return
        ends["valid"] = ends.get("valid", 0) + 1
        self.scored[channel] += not is_branded
        self.measurable[channel] += is_measurable
        self.models[channel].add(drawn.model)
        self.newest[channel] = drawn.moment

    def add_mention(self, channel: int, found: PooledMention, cites: bool, is_branded: bool) -> None:
        """Count what a valid answer says of an entity."""
        counts = self.entities[found.entity][channel]
        counts.seen += 1
        if cites:
            counts.cited_own += 1
        _, rank, _, _, _, named = found.numbers
        if not named:
            return
        counts.named += 1
        if not is_branded:
            counts.scored_named += 1
            counts.prominence += found.prominence
        if rank is not None:
            counts.ranked += 1
            counts.rank_sum += rank

    def add_citation(self, channel: int, entity: int, is_measurable: bool) -> None:
        """Count a valid answer that cites an entity's site without a word about it."""
        counts = self.entities[entity][channel]
        counts.seen += 1
        counts.cited_own += is_measurable


@dataclass(slots=True)
class Day:
    """The batches of a brand on one day."""

    entities: int
    channels: int
    batches: list[Batch] = field(default_factory=list[Batch])

    def batch(self, key: int) -> Batch:
        """Return the counts of a new batch."""
        channels = range(self.channels)
        added = Batch(
            key,
            [[Counts() for _ in channels] for _ in range(self.entities)],
            [0 for _ in channels],
            [{} for _ in channels],
            [0 for _ in channels],
            [0 for _ in channels],
            [set() for _ in channels],
            [None for _ in channels],
            [Counter() for _ in channels],
        )
        self.batches.append(added)
        return added


@dataclass(frozen=True, slots=True)
class Calculated:
    """The calculation of an imported batch, as it is stored; days that were drawn take its form."""

    day: date
    batch_id: str
    score: Mapping[str, Any]
    countries: Sequence[Mapping[str, Any]]
    noise: Sequence[Sequence[Any]]
    """Points of other metrics than the six."""


class Results:
    """Writes the results of one brand's batches."""

    def __init__(
        self,
        company_id: str,
        brand_key: int,
        revision_key: int,
        entity_keys: Sequence[int],
        country_keys: Mapping[str, int],
        form: Calculated | None,
    ) -> None:
        self._company_id = company_id
        self._brand_key = brand_key
        self._revision_key = revision_key
        self._entity_keys = entity_keys
        self._country_keys = country_keys
        self._form = form

    def write_counts(self, bulk: Bulk, channel_keys: Sequence[int], day: date, of_day: Day) -> None:
        """Write the daily counts: of every entity that was seen, in every channel with a valid answer."""
        seen = [
            entity
            for entity in range(of_day.entities)
            if entity == 0
            or any(counts.seen for batch in of_day.batches for counts in batch.entities[entity])
        ]
        for channel in range(of_day.channels):
            valid = sum(batch.ends[channel].get("valid", 0) for batch in of_day.batches)
            if not valid:
                continue
            scored = sum(batch.scored[channel] for batch in of_day.batches)
            measurable = sum(batch.measurable[channel] for batch in of_day.batches)
            for entity in seen:
                counts = Counts()
                for batch in of_day.batches:
                    counts = counts.plus(batch.entities[entity][channel])
                place = self._revision_key, self._entity_keys[entity], day.isoformat(), channel_keys[channel]
                named = valid, counts.named, scored, counts.scored_named, counts.ranked, counts.rank_sum
                bulk.rows("daily_rollups").append((*place, *named, measurable, counts.cited_own))

    def write(
        self,
        bulk: Bulk,
        channel_keys: Sequence[int],
        day: date,
        batch: tuple[int, str, int],
        ids: Identifiers,
        of_batch: Batch,
    ) -> None:
        """Write the points and the calculation of one batch, given as its key, id and end."""
        self._write_channel_days(bulk, channel_keys, day, of_batch)
        usable = [channel for channel, bad in enumerate(of_batch.degraded) if not bad]
        every = range(len(of_batch.failed))
        score = self._write_points(bulk, 0, day, of_batch, usable, every)
        for channel in every:
            self._write_points(
                bulk, channel_keys[channel], day, of_batch, [channel] if channel in usable else [], [channel]
            )
        for country, key in self._country_keys.items():
            there = [channel for channel in every if CHANNELS[channel][2] == country]
            if there:
                chosen = [channel for channel in there if channel in usable]
                self._write_points(bulk, key, day, of_batch, chosen, there)
        form = self._form
        if form is None:
            return
        batch_key, batch_id, ended = batch
        before = form.score["score"]
        ratio = score / before if before and score is not None else 1.0
        change = changed(form, batch_id, day, ratio)
        given: dict[str, Any] = {"batch_key": batch_key, "calculated_at": ended}
        bulk.keys["score_calculations"] += 1
        own = given | {
            "key": bulk.keys["score_calculations"],
            "id": ids.id(),
            "receipt_id": f"rc_{ids.digest()}",
        }
        if before is not None and score is not None:
            own["score"] = score
        bulk.rows("score_calculations").append(calculation(score_calculations, form.score, own, change))
        for of_country in form.countries:
            bulk.keys["country_calculations"] += 1
            own = given | {"key": bulk.keys["country_calculations"]}
            bulk.rows("country_calculations").append(
                calculation(country_calculations, of_country, own, change)
            )
        bulk.rows("metric_points").extend(
            (row[0], row[1], row[2], day.isoformat(), batch_key, *row[5:]) for row in form.noise
        )

    def _write_points(
        self,
        bulk: Bulk,
        channel_key: int,
        day: date,
        of_batch: Batch,
        usable: Sequence[int],
        every: Sequence[int],
    ) -> float | None:
        """Write the six metrics of some channels; return the score, or None if nothing can be measured."""
        add = bulk.rows("metric_points").append

        def put(metric: str, value: float, samples: int, width: float | None = None) -> None:
            bounds: tuple[float | None, ...] = (None, None, None, None)
            if width is not None:
                scale = 100.0 if metric == "visibilityScore" else 1.0
                bounds = tuple(min(scale, max(0.0, value + step * width)) for step in (-1.0, 1.0, -0.6, 0.6))
            source = None if width is None else "channels"
            place = self._revision_key, metric, channel_key, day.isoformat(), of_batch.key
            add((*place, value, samples, *bounds, source))

        valid = sum(of_batch.ends[channel].get("valid", 0) for channel in every)
        if valid:
            put("mentionCount", float(sum(of_batch.entities[0][channel].named for channel in every)), valid)
        own = Counts()
        for channel in usable:
            own = own.plus(of_batch.entities[0][channel])
        scored = sum(of_batch.scored[channel] for channel in usable)
        measurable = sum(of_batch.measurable[channel] for channel in usable)
        voices = sum(of_entity[channel].scored_named for of_entity in of_batch.entities for channel in usable)
        if voices:
            put("shareOfVoice", own.scored_named / voices, voices, 0.9 / voices**0.5)
        if own.ranked:
            put("averagePosition", own.rank_sum / own.ranked, own.ranked)
        cited = own.cited_own / measurable if measurable else None
        if cited is not None:
            put("citationRate", cited, measurable, 0.9 / measurable**0.5)
        if not scored:
            return None
        parts = [
            (0.5, own.scored_named / scored),
            (0.25, own.prominence / MILLION / scored),
            (0.25, cited),
        ]
        known = [(weight, value) for weight, value in parts if value is not None]
        score = 100 * sum(weight * value for weight, value in known) / sum(weight for weight, _ in known)
        put("visibilityScore", score, scored, 60 / scored**0.5)
        return score

    def _write_channel_days(
        self, bulk: Bulk, channel_keys: Sequence[int], day: date, of_batch: Batch
    ) -> None:
        for channel, is_degraded in enumerate(of_batch.degraded):
            ends, failed = of_batch.ends[channel], of_batch.failed[channel]
            answered = sum(ends.values())
            known = bool(ends.get("valid"))
            values = {
                "revision_key": self._revision_key,
                "day": (day - EPOCH.date()).days,
                "batch_key": of_batch.key,
                "channel_key": channel_keys[channel],
                "company_id": self._company_id,
                "degraded": is_degraded,
                "planned": answered + failed,
                "failed": failed,
                **{
                    name: ends.get(name, 0)
                    for name in ("valid", "refused", "empty", "not_grounded", "truncated")
                },
                "answers": answered,
                **dict.fromkeys(
                    ("served_models", "requested_models"),
                    json.dumps(sorted(of_batch.models[channel]), separators=(",", ":")),
                ),
                "places": json.dumps([CHANNELS[channel][2]] if known else []),
                "languages": '[""]' if known else "[]",
                "last_valid_at": of_batch.newest[channel],
                "domains": json.dumps(by_owner(of_batch.domains[channel]), separators=(",", ":")),
            }
            bulk.rows("channel_days").append(row_of(channel_days, values))


def by_owner(domains: Mapping[tuple[str, int], int]) -> dict[str, dict[str, int]]:
    """Return counts of domains by owner class and domain."""
    found: dict[str, dict[str, int]] = {}
    for (domain, owner), answers in sorted(domains.items()):
        found.setdefault(domain_owner(owner), {})[domain] = answers
    return found


def changed(form: Calculated, batch_id: str, day: date, ratio: float) -> Callable[[bytes], bytes]:
    """Return what gives a document of the form the identity of another batch, and its rates."""

    def scaled(found: re.Match[str]) -> str:
        value = float(found[2])
        most = 1.0 if value <= 1 else 100.0 if value <= 100 else float("inf")
        return f"{found[1]}{min(most, value * ratio)}"

    def change(stored: bytes) -> bytes:
        document = (
            unpacked(stored).replace(form.batch_id, batch_id).replace(form.day.isoformat(), day.isoformat())
        )
        return packed(VALUES.sub(scaled, document))

    return change


def calculation(
    table: Table, form: Mapping[str, Any], given: Mapping[str, Any], change: Callable[[bytes], bytes]
) -> tuple[Any, ...]:
    """Return the row of a calculation in the form of another one."""
    return tuple(
        given[column.name]
        if column.name in given
        else change(form[column.name])
        if isinstance(column.type, PackedJson)
        else form[column.name]
        for column in table.c
    )


def stored_rows(connection: Connection, table: Table, batch_key: int) -> list[dict[str, Any]]:
    """Return the rows of a batch as the database holds them, with packed documents and whole microseconds."""
    columns = [
        type_coerce(column, LargeBinary()).label(column.name)
        if isinstance(column.type, PackedJson)
        else type_coerce(column, BigInteger()).label(column.name)
        if isinstance(column.type, UtcTime)
        else column
        for column in table.c
    ]
    rows = connection.execute(select(*columns).where(table.c.batch_key == batch_key)).mappings()
    return [dict(row) for row in rows]


def calculated(connection: Connection, batch_key: int, day: date) -> Calculated | None:
    """Return the stored calculation of a batch; None if it has none."""
    scores = stored_rows(connection, score_calculations, batch_key)
    if not scores:
        return None
    batch_id = connection.execute(select(run_batches.c.id).where(run_batches.c.key == batch_key)).scalar_one()
    noise = [
        tuple(row.values())
        for row in stored_rows(connection, metric_points, batch_key)
        if row["metric"] not in MEASURED
    ]
    return Calculated(
        day, batch_id, scores[0], stored_rows(connection, country_calculations, batch_key), noise
    )
