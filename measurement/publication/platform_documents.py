"""The stored metrics of every AI engine that was queried about a brand."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from analytics.market_sums import EntitySums, MarketSums
from analytics.measured_batches import MeasuredBatches
from analytics.metrics import (
    MetricName,
    ModeValues,
    PlatformStatus,
    PlatformValues,
    platform_metrics,
    side_by_side,
)
from analytics.observation import Channel
from engines.engine import SUPPLIED
from measurement.extraction.channel_facts import ChannelFacts
from measurement.planning.brand_identity import BrandIdentity
from measurement.publication.result_documents import IntervalPairDocument, ResultDocument

TOP_DOMAINS = 10


class MetricDocument(ResultDocument):
    """One metric, unrounded, with the number of things it rests on."""

    value: float | None
    samples: int
    intervals: IntervalPairDocument | None
    reason: str | None


class AskCountsDocument(ResultDocument):
    """How the planned asks ended; counts."""

    planned: int
    valid: int
    refused: int
    empty: int
    failed: int
    not_grounded: int
    truncated: int


class CitedDomainDocument(ResultDocument):
    """A registrable domain with the number of answers that cite it."""

    domain: str
    owner: str
    answers: int


class LookCountsDocument(ResultDocument):
    """Looks at what people see that rates count.

    None at a question that names the brand or through a degraded channel.
    """

    shown: int
    not_shown: int
    named: int
    """Of those shown, the ones that name the brand."""


class EngineDocument(ResultDocument):
    """Metrics of one engine, whole or in one mode."""

    mode: str | None
    status: PlatformStatus
    reason: str | None
    metrics: Mapping[MetricName, MetricDocument]
    presence: MetricDocument
    asked: AskCountsDocument
    search_rate: float | None
    uncertain: int
    absences: int
    served_models: tuple[str, ...]
    last_measured: datetime | None
    domains: tuple[CitedDomainDocument, ...]
    looks: LookCountsDocument | None = None
    """Only for AI surfaces; None for an engine that is queried directly."""


class MemoryAndSearchDocument(ResultDocument):
    """How many prompts asked in both modes name the brand in both, in one or in neither."""

    both: int
    memory_only: int
    search_only: int
    neither: int


class PlatformDocument(EngineDocument):
    """One engine with each of its modes."""

    platform: str
    modes: tuple[EngineDocument, ...]
    memory_and_search: MemoryAndSearchDocument


class PlatformsDocument(ResultDocument):
    """Every engine that was asked about a brand or was configured at the time, by name."""

    schema_version: Literal[2] = 2
    platforms: tuple[PlatformDocument, ...]


def platforms_document(
    identity: BrandIdentity,
    current: MeasuredBatches,
    facts: Mapping[Channel, ChannelFacts],
    configured: Sequence[str],
    earlier: EntitySums | None = None,
) -> PlatformsDocument:
    """Return every engine's metrics, request outcomes and citations.

    `facts` are those of the measured answers by channel, and `earlier` answers of the brand count as repeats.
    """
    brand = identity.brand.id
    platforms = platform_metrics(brand, current, configured, identity.fingerprint, earlier)
    own = current.market.entities[brand]
    return PlatformsDocument(
        platforms=tuple(platform_document(platform, facts, own) for platform in platforms)
    )


def never_asked(brand_id: str, platforms: Sequence[str]) -> list[PlatformDocument]:
    """Return engines that were never queried about a brand, in the same form as the others."""
    nothing = MeasuredBatches(MarketSums({}), {}, ())
    return [
        platform_document(platform, {}, EntitySums({}))
        for platform in platform_metrics(brand_id, nothing, platforms, "")
    ]


def platform_document(
    platform: PlatformValues, facts: Mapping[Channel, ChannelFacts], own: EntitySums
) -> PlatformDocument:
    """Return one engine with its modes."""
    beside = side_by_side(own, platform.platform)
    return PlatformDocument(
        **dict(engine_document(platform.total, platform.platform, facts)),
        platform=platform.platform,
        modes=tuple(engine_document(mode, platform.platform, facts) for mode in platform.modes),
        memory_and_search=MemoryAndSearchDocument(
            both=len(beside.both),
            memory_only=len(beside.memory_only),
            search_only=len(beside.search_only),
            neither=len(beside.neither),
        ),
    )


def engine_document(
    values: ModeValues, platform: str, facts: Mapping[Channel, ChannelFacts]
) -> EngineDocument:
    """Return one mode of one engine or, for mode None, the whole engine."""
    shown, searching = ChannelFacts(), ChannelFacts()
    for channel, of_channel in facts.items():
        if channel.platform == platform and values.mode in (None, channel.mode):
            shown.add(of_channel)
            if channel.mode == "readiness":
                searching.add(of_channel)
    most_cited = sorted(shown.domains.items(), key=lambda item: (-item[1], item[0]))[:TOP_DOMAINS]
    return EngineDocument(
        mode=values.mode,
        status=values.status,
        reason=values.reason,
        metrics={name: MetricDocument.of(metric) for name, metric in values.metrics.items()},
        presence=MetricDocument.of(values.presence),
        asked=AskCountsDocument.of(values.asked),
        search_rate=searching.searched / searching.answers if searching.answers else None,
        uncertain=shown.uncertain,
        absences=shown.absences,
        served_models=tuple(sorted(shown.served_models)),
        last_measured=values.last_measured,
        domains=tuple(
            CitedDomainDocument(domain=domain, owner=owner, answers=count)
            for (domain, owner), count in most_cited
        ),
        looks=LookCountsDocument.of(shown) if SUPPLIED in platform else None,
    )
