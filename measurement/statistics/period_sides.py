"""One period of a brand as one side of a comparison."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from analytics.cell_sums import CellSums
from analytics.change import Side
from analytics.market_sums import EntitySums, MarketSums
from analytics.observation import Channel
from analytics.prompt_means import CellKey
from analytics.score import score
from measurement.extraction.observations import channel_of_cell, is_rated
from measurement.planning.brand_identity import BrandIdentity
from measurement.statistics.period_sums import PeriodSums, channel_of_day, load_period, names_by_channel
from storage.repositories.answers.answer_filters import OF_CHANNEL, AnswerFilter
from storage.repositories.answers.period_readings import BatchFailures
from storage.repositories.brands import Brand
from storage.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Period:
    """The sums of a period, and the requests of its batches that failed."""

    sums: PeriodSums
    failures: Sequence[BatchFailures]

    @property
    def batch_keys(self) -> frozenset[int]:
        """The keys of its batches."""
        return frozenset(day.batch_key for day in self.sums.days)


async def load_compared_period(
    workspace: Workspace, identity: BrandIdentity, chosen: AnswerFilter, later: Collection[int] = ()
) -> Period:
    """Return a period; failed requests of batches that are also in `later` are left to it."""
    sums = await load_period(workspace, identity.brand, chosen, identity.named)
    failed = sorted({day.batch_key for day in sums.days if day.failed and day.batch_key not in later})
    return Period(sums, await workspace.period_readings.failed(failed, chosen) if failed else ())


def channel_differences(before: AnswerFilter, after: AnswerFilter) -> dict[str, str]:
    """Return the platform, mode and country of `after` where `before` names another one."""
    values = ((name, getattr(before, name), getattr(after, name)) for name in sorted(OF_CHANNEL))
    return {
        name: later for name, earlier, later in values if None not in (earlier, later) and earlier != later
    }


MoveChannel: TypeAlias = Callable[[Channel], Channel]


def moved_side(side: Side, move: MoveChannel) -> Side:
    """Return a side whose answers are those of other channels, which makes them pairs of another side's answers."""
    missing: dict[CellKey, float] = {}
    for (prompt, channel), count in side.missing.items():
        missing[prompt, move(channel)] = missing.get((prompt, move(channel)), 0.0) + count
    served: dict[Channel, frozenset[str]] = {}
    for channel, names in side.served.items():
        served[move(channel)] = served.get(move(channel), frozenset()) | names
    return replace(
        side,
        sums=_moved_sums(side.sums, move),
        served=served,
        degraded=frozenset(map(move, side.degraded)),
        missing=missing,
    )


def moved_market(market: MarketSums, move: MoveChannel) -> MarketSums:
    """Return the sums of every entity with their answers in other channels."""
    return MarketSums(
        {name: _moved_sums(sums, move) for name, sums in market.entities.items()},
        {(prompt, move(channel)): names for (prompt, channel), names in market.named_in_prompt.items()},
    )


def _moved_sums(sums: EntitySums, move: MoveChannel) -> EntitySums:
    cells: dict[CellKey, CellSums] = {}
    for (prompt, channel), of_cell in sums.cells.items():
        key = prompt, move(channel)
        cells[key] = cells[key].plus(of_cell) if key in cells else of_cell
    return replace(sums, cells=cells)


async def load_side(
    workspace: Workspace, brand: Brand, identity: BrandIdentity, chosen: AnswerFilter
) -> Side | None:
    """Return a filter's answers as one side of a comparison; None without a rated answer."""
    if brand.revision_key is None:
        return None
    return period_side(identity, await load_compared_period(workspace, identity, chosen))


def period_side(identity: BrandIdentity, period: Period) -> Side | None:
    """Return one period as a side of a comparison, without channels degraded by a batch's failures; pure."""
    sums, brand = period.sums, identity.brand.id
    own = sums.market.entities[brand]
    rated = [key for key, of_cell in own.cells.items() if of_cell.answers]
    if not rated:
        return None
    return Side(
        score=score(brand, own, identity.fingerprint),
        analysis=identity.fingerprint,
        country=_joined(sums, "places"),
        language=_joined(sums, "languages"),
        prompts={prompt: sums.texts[prompt] for prompt, _ in rated},
        served=names_by_channel(sums.days, "served_models", degraded=False),
        sums=own,
        degraded=frozenset(channel_of_day(day) for day in sums.days if day.degraded),
        missing=missing_answers(identity, period),
    )


def _joined(sums: PeriodSums, name: str) -> str:
    """Return all places or languages of answers in one order; answers with different ones are not compared."""
    names = names_by_channel(sums.days, name, degraded=False)
    return ",".join(sorted(frozenset[str]().union(*names.values())))


def missing_answers(identity: BrandIdentity, period: Period) -> dict[CellKey, float]:
    """Count by prompt and channel the rated requests that failed or whose answer was cut off."""
    own = period.sums.market.entities[identity.brand.id]
    counts: Counter[CellKey] = Counter({key: sums.cut_off for key, sums in own.cells.items() if sums.cut_off})
    degraded = {(day.batch_key, channel_of_day(day)) for day in period.sums.days if day.degraded}
    for failures in period.failures:
        channel = channel_of_cell(failures.source, failures.cell)
        if (failures.batch_key, channel) not in degraded and is_rated(
            identity, failures.source, failures.cell
        ):
            counts[failures.cell.prompt_id, channel] += failures.cell.failed
    return {cell: float(count) for cell, count in counts.items()}
