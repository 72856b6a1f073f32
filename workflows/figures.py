"""Writes what was calculated as the JSON that is stored: scores, changes, rankings, engines."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from analytics.change import Change, Row
from analytics.intervals import Interval
from analytics.metrics import Metric, ModeMetrics, PlatformMetrics, platform_metrics, side_by_side
from analytics.observations import Observation
from analytics.rankings import Ranking
from analytics.score import Calculation, Factor, Score
from workflows.identity import Identity
from workflows.observing import Observed

TOP_DOMAINS = 10


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
    identity: Identity, looked: Sequence[Observed], own: Sequence[Observation], configured: Sequence[str]
) -> list[dict[str, Any]]:
    """Return every engine's metrics with how its asks ended and what it cites; `own` is what was seen of the brand."""
    found = platform_metrics(
        identity.brand.id, [one.batch for one in looked], configured, identity.fingerprint
    )
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
