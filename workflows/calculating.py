"""Calculates what a batch shows: headline score, per engine, ranking, change, trend points, receipt."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from analytics.batches import usable
from analytics.change import Change, Side, baseline, compare
from analytics.metrics import (
    measurement_verdict,
)
from analytics.observations import Channel, Observation
from analytics.rankings import Ranking, rank, with_changes
from analytics.receipts import Excluded, Receipt, Versions, receipt_of
from analytics.score import Calculation, calculate
from storage.repositories.results import CalculationDraft, PointDraft
from workflows.figures import change_of, headline_of, platforms_of, ranking_of
from workflows.identity import Identity
from workflows.observing import Observed, channel_of
from workflows.trend_points import day_of, points_of

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
        platforms=platforms_of(identity, looked, observations[identity.brand.id], configured),
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
