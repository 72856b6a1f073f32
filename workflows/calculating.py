"""Calculates what a batch shows: headline score, per engine, ranking, change, trend points, receipt."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from typing import Any

from analytics.batches import usable
from analytics.change import Change, Row, Side, baseline, compare
from analytics.intervals import Interval
from analytics.metrics import (
    Metric,
    ModeMetrics,
    PlatformMetrics,
    measurement_verdict,
    metrics,
    platform_metrics,
    side_by_side,
)
from analytics.observations import Channel, Observation
from analytics.rankings import Ranking, rank, with_changes
from analytics.receipts import Excluded, Receipt, Versions, receipt_of
from analytics.score import Calculation, Factor, Score, calculate, score
from storage.repositories.results import CalculationDraft, PointDraft
from workflows.identity import Identity
from workflows.observing import Observed, channel_of

TOP_DOMAINS = 10
NO_LOCALE = ""
EVERY_PLATFORM = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything that is stored of one batch."""

    draft: CalculationDraft
    points: tuple[PointDraft, ...]
    days: tuple[date, ...]


def conclude(
    identity: Identity,
    newest_first: Sequence[Observed],
    configured: Sequence[str],
    channel_keys: Mapping[tuple[str, str, str], int],
    calculated_at: datetime,
) -> Outcome:
    """Calculate the first of these batches, with those before it as far as they are needed.

    Pure, and takes some hundred milliseconds for each channel: run it in a thread.
    """
    brand, analysis = identity.brand.id, identity.fingerprint
    calculation = calculate(brand, [one.batch for one in newest_first], analysis)
    looked = [one for one in newest_first if one.batch.id in calculation.batches]
    rankings, changed = against_before(identity, newest_first, calculation, looked)
    receipt = receipt_of(calculation, versions(identity, looked), excluded(looked), calculated_at)
    observations = pooled(identity, looked)
    headline = {
        **headline_of(calculation),
        "change": change_of(changed),
        "measurementVerdict": measurement_verdict(calculation.score, observations, rankings[EVERY_PLATFORM]),
    }
    draft = CalculationDraft(
        receipt_id=receipt.id,
        status=calculation.score.status,
        score=calculation.score.value,
        headline=headline,
        platforms=platforms_of(identity, looked, configured),
        rankings={platform: ranking_of(identity, one) for platform, one in rankings.items()},
        receipt={"receiptId": receipt.id, **receipt.body()},
    )
    newest = newest_first[0]
    points = tuple(points_of(identity, newest, calculation.score, channel_keys))
    return Outcome(draft, points, tuple(sorted({day_of(answer.captured_at) for answer in newest.answers})))


def again(identity: Identity, newest_first: Sequence[Observed], calculated_at: datetime) -> Receipt:
    """Calculate the headline score once more and return only its receipt."""
    calculation = calculate(identity.brand.id, [one.batch for one in newest_first], identity.fingerprint)
    looked = [one for one in newest_first if one.batch.id in calculation.batches]
    return receipt_of(calculation, versions(identity, looked), excluded(looked), calculated_at)


def pooled(identity: Identity, looked: Sequence[Observed]) -> dict[str, list[Observation]]:
    """Return the usable observations of every entity over these batches."""
    return {one.id: usable([seen.batch for seen in looked], one.id) for one in identity.named}


def against_before(
    identity: Identity, newest_first: Sequence[Observed], calculation: Calculation, looked: Sequence[Observed]
) -> tuple[dict[str, Ranking], Change]:
    """Compare with the latest earlier calculation that shares no answer with this one.

    Rankings come by platform, under `EVERY_PLATFORM` for all of them together.
    """
    brand, analysis = identity.brand.id, identity.fingerprint
    after = side_of(identity, calculation, looked)
    rankings = ranked(identity, looked, calculation.platforms)
    rest = [one for one in newest_first if one not in looked]
    if not rest:
        return rankings, compare(None, after)
    earlier = calculate(brand, [one.batch for one in rest], analysis)
    before_looked = [one for one in rest if one.batch.id in earlier.batches]
    before = baseline(after, [side_of(identity, earlier, before_looked)])
    previous = ranked(identity, before_looked, calculation.platforms)
    moved = {platform: with_changes(one, previous[platform]) for platform, one in rankings.items()}
    return moved, compare(before, after)


def ranked(identity: Identity, looked: Sequence[Observed], platforms: Iterable[str]) -> dict[str, Ranking]:
    """Rank the brand and its competitors over all platforms, and on each of them."""
    found = pooled(identity, looked)
    brand, analysis = identity.brand.id, identity.fingerprint
    alone = {platform: rank(brand, found, analysis, platform=platform) for platform in platforms}
    return {EVERY_PLATFORM: rank(brand, found, analysis), **alone}


def side_of(identity: Identity, calculation: Calculation, looked: Sequence[Observed]) -> Side:
    """Return a calculation as one side of a comparison."""
    answers = [answer for one in looked for answer in one.answers if answer.valid]
    served: dict[Channel, set[str]] = {}
    for answer in answers:
        served.setdefault(channel_of(answer), set()).add(answer.served_model or "")
    return Side(
        score=calculation.score,
        analysis=identity.fingerprint,
        country=NO_LOCALE,
        language=NO_LOCALE,
        prompts={answer.prompt_id: answer.prompt_sha256 for answer in answers if not answer.branded},
        served={channel: frozenset(models) for channel, models in served.items()},
        observations=usable([one.batch for one in looked], identity.brand.id),
        degraded=frozenset(channel for _, channel in calculation.degraded),
    )


def versions(identity: Identity, looked: Sequence[Observed]) -> Versions:
    """Return what read these answers."""
    by = identity.versions
    parsers = sorted({answer.parser for one in looked for answer in one.answers})
    return Versions(
        model="visibility/1.0.0",
        matcher=by["matcher"],
        alias_set=by["aliasSet"],
        rank=by["rank"],
        tone=by["tone"],
        parsers=tuple(parsers),
        suffix_list=by["suffixList"],
    )


def excluded(looked: Sequence[Observed]) -> Excluded:
    """Count what was looked at and did not count."""
    answers = [answer for one in looked for answer in one.answers]
    own = [mention for one in looked for mention in one.mentions if mention.entity_key == 0]
    return Excluded(
        refused=sum(answer.status == "refused" for answer in answers),
        not_grounded=sum(answer.status == "not_grounded" for answer in answers),
        uncertain=sum(mention.uncertain > 0 and not mention.named for mention in own),
        absence=sum(mention.absences > 0 and not mention.named for mention in own),
        branded=sum(answer.valid and answer.branded for answer in answers),
    )


def bounds(interval: Interval | None) -> dict[str, float] | None:
    """Return an interval as JSON."""
    return None if interval is None else {"low": interval[0], "high": interval[1]}


def score_of(score: Score) -> dict[str, Any]:
    """Return one score as JSON, unrounded."""
    return {
        "status": score.status,
        "score": score.value,
        "interval": bounds(score.interval),
        "confidence": score.confidence,
        "answers": score.answers,
        "prompts": score.prompts,
    }


def factor_of(factor: Factor) -> dict[str, Any]:
    """Return one factor as JSON."""
    return {
        "part": str(factor.part),
        "value": factor.value,
        "interval": bounds(factor.interval),
        "weight": factor.weight,
        "effectiveWeight": factor.effective_weight,
        "samples": factor.samples,
        "reason": factor.reason,
    }


def headline_of(calculation: Calculation) -> dict[str, Any]:
    """Return the headline score with its factors and the same rule on each platform and mode."""
    score = calculation.score
    return {
        **score_of(score),
        "factors": [factor_of(factor) for factor in score.factors],
        "missingAnswers": score.missing_answers,
        "missingPrompts": score.missing_prompts,
        "platforms": {name: score_of(one) for name, one in calculation.platforms.items()},
        "modes": {name: score_of(one) for name, one in calculation.modes.items()},
        "channels": [str(channel) for channel in calculation.channels],
        "batches": list(calculation.batches),
        "degraded": [{"batchId": batch, "channel": str(channel)} for batch, channel in calculation.degraded],
    }


def change_of(change: Change) -> dict[str, Any]:
    """Return the verdict on change with its rows."""
    return {
        "value": change.value,
        "verdict": change.verdict,
        "reason": change.reason,
        "rows": [change_row(row) for row in change.rows],
    }


def change_row(row: Row) -> dict[str, Any]:
    """Return one tested row."""
    return {
        "channel": str(row.channel) if row.channel else None,
        "before": row.before,
        "after": row.after,
        "delta": row.delta,
        "interval": bounds(row.interval),
        "p": row.p,
        "pAdjusted": row.p_adjusted,
        "pairs": row.pairs,
        "prompts": row.prompts,
        "verdict": row.verdict,
        "reason": row.reason,
        "needed": row.needed,
    }


def ranking_of(identity: Identity, ranking: Ranking) -> dict[str, Any]:
    """Return the ranking with names, as it stood."""
    names = {one.id: one.name for one in identity.named}
    return {
        "status": ranking.status,
        "confidence": ranking.confidence,
        "basis": [str(part) for part in ranking.basis],
        "answers": ranking.answers,
        "prompts": ranking.prompts,
        "rows": [
            {
                "entityId": row.entity,
                "name": names[row.entity],
                "isBrand": row.entity == identity.brand.id,
                "rank": row.rank,
                "rankingScore": row.score,
                "interval": bounds(row.interval),
                "presence": row.presence,
                "tiedWithAbove": row.tied_with_above,
                "previousRank": row.previous_rank,
                "rankChange": row.rank_change,
                "direction": row.direction,
            }
            for row in ranking.rows
        ],
    }


def metric_of(metric: Metric) -> dict[str, Any]:
    """Return one metric as JSON."""
    return {
        "value": metric.value,
        "samples": metric.samples,
        "interval": bounds(metric.interval),
        "reason": metric.reason,
    }


def platforms_of(
    identity: Identity, looked: Sequence[Observed], configured: Sequence[str]
) -> list[dict[str, Any]]:
    """Return every engine's metrics with how its asks ended and what it cites."""
    found = platform_metrics(
        identity.brand.id, [one.batch for one in looked], configured, identity.fingerprint
    )
    own = pooled(identity, looked)[identity.brand.id]
    return [platform_of(platform, looked, own) for platform in found]


def never_asked(brand_id: str, platforms: Sequence[str]) -> list[dict[str, Any]]:
    """Return engines that nobody asked about a brand, in the form of those that were."""
    return [platform_of(one, (), ()) for one in platform_metrics(brand_id, (), platforms, "")]


def platform_of(
    platform: PlatformMetrics, looked: Sequence[Observed], own: Sequence[Observation]
) -> dict[str, Any]:
    """Return one engine."""
    beside = side_by_side(own, platform.platform)
    return {
        "platform": platform.platform,
        **mode_of(platform.total, platform.platform, looked),
        "modes": [mode_of(mode, platform.platform, looked) for mode in platform.modes],
        "memoryAndSearch": {
            "both": len(beside.both),
            "memoryOnly": len(beside.memory_only),
            "searchOnly": len(beside.search_only),
            "neither": len(beside.neither),
        },
    }


def mode_of(mode: ModeMetrics, platform: str, looked: Sequence[Observed]) -> dict[str, Any]:
    """Return one mode of one engine, or the whole engine."""
    answers = [
        answer
        for one in looked
        for answer in one.answers
        if answer.platform == platform and mode.mode in (None, answer.mode)
    ]
    keys = {answer.key for answer in answers}
    own = [
        mention
        for one in looked
        for mention in one.mentions
        if mention.entity_key == 0 and mention.answer_key in keys
    ]
    grounded = [answer for answer in answers if answer.mode == "readiness"]
    domains = Counter(pair for answer in answers for pair in answer.domains.items())
    return {
        "mode": mode.mode,
        "status": mode.status,
        "reason": mode.reason,
        "metrics": {str(name): metric_of(metric) for name, metric in mode.metrics.items()},
        "presence": metric_of(mode.presence),
        "asked": asdict(mode.asked),
        "searchRate": sum(one.retrieval == "searched" for one in grounded) / len(grounded)
        if grounded
        else None,
        "uncertain": sum(mention.uncertain for mention in own),
        "absences": sum(mention.absences for mention in own),
        "servedModels": sorted({answer.served_model for answer in answers if answer.served_model}),
        "lastMeasured": mode.last_measured.isoformat() if mode.last_measured else None,
        "domains": [
            {"domain": domain, "owner": owner, "answers": count}
            for (domain, owner), count in sorted(domains.items(), key=lambda one: (-one[1], one[0]))[
                :TOP_DOMAINS
            ]
        ],
    }


def points_of(
    identity: Identity, newest: Observed, headline: Score, channel_keys: Mapping[tuple[str, str, str], int]
) -> list[PointDraft]:
    """Return the trend points of one batch, for all channels (key 0) and for each.

    A batch that was asked for stands on one day, that of its newest answer. An import holds answers of many
    days, so each of its days is measured on its own.
    """
    if newest.source.source != "import":
        day = day_of(newest.batch.captured_at)
        return day_points(identity, newest, day, None, channel_keys, headline)
    days = sorted({day_of(answer.captured_at) for answer in newest.answers})
    return [point for day in days for point in day_points(identity, newest, day, day, channel_keys, None)]


def day_points(
    identity: Identity,
    newest: Observed,
    day: date,
    only: date | None,
    channel_keys: Mapping[tuple[str, str, str], int],
    headline: Score | None,
) -> list[PointDraft]:
    """Return the points of one day; `headline` is the stored score when it covers the whole batch."""
    chosen = {
        entity: [seen for seen in found if only in (None, day_of(seen.captured_at))]
        for entity, found in newest.batch.observations.items()
    }
    left_out = set(newest.batch.degraded)
    channels = sorted({seen.channel for seen in chosen[identity.brand.id]})
    points = metric_points(identity, chosen, left_out, 0, day, headline)
    for channel in channels:
        here = {
            entity: [seen for seen in found if seen.channel == channel] for entity, found in chosen.items()
        }
        key = channel_keys[channel.platform, channel.mode, newest.source.source]
        points += metric_points(identity, here, left_out, key, day, None)
    return points


def metric_points(
    identity: Identity,
    chosen: Mapping[str, Sequence[Observation]],
    left_out: set[Channel],
    channel_key: int,
    day: date,
    headline: Score | None,
) -> list[PointDraft]:
    """Return the six metrics of these observations; what could not be measured leaves a gap."""
    brand, analysis = identity.brand.id, identity.fingerprint
    kept = {
        entity: [seen for seen in found if seen.channel not in left_out] for entity, found in chosen.items()
    }
    found = metrics(brand, kept, chosen[brand], headline or score(brand, kept[brand], analysis), analysis)
    return [
        PointDraft(
            metric=str(name),
            channel_key=channel_key,
            day=day,
            value=float(metric.value),
            samples=metric.samples,
            low=metric.interval[0] if metric.interval else None,
            high=metric.interval[1] if metric.interval else None,
        )
        for name, metric in found.items()
        if metric.value is not None
    ]


def day_of(moment: datetime) -> date:
    """Return the UTC day of an instant."""
    return moment.astimezone(UTC).date()
