"""The platform tool: metrics of each AI engine that was asked about a brand."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any

from pydantic import Field

from analytics.metric_names import MEASURED
from analytics.metric_names import MetricName as Metric
from analytics.metrics import NEVER_ASKED, shown
from engines.engine import SUPPLIED
from measurement.publication.channel_health import share
from measurement.publication.platform_documents import (
    AskCountsDocument,
    EngineDocument,
    LookCountsDocument,
    MemoryAndSearchDocument,
    MetricDocument,
    PlatformDocument,
    PlatformsDocument,
    never_asked,
)
from measurement.publication.receipt_document import ReceiptDocument
from measurement.statistics.filtered_results import filtered_results
from measurement.statistics.judged_metrics import JudgedMentions, load_judged
from storage.repositories.brands import Brand
from storage.repositories.health import ChannelHealthRow
from storage.workspace import Workspace
from tools.calls.call import Call, NamedBrand, ThisCall
from tools.calls.filters import (
    FILTERED_NOTICE,
    ChosenAnswers,
    is_stored,
    nothing_chosen,
    nothing_from,
)
from tools.calls.parameters import BrandId, Detail
from tools.calls.table import ToolFamily
from tools.calls.wire import (
    Intervals,
    Measurement,
    Wire,
    intervals_view,
    measurement_of,
    notice,
    untrusted_fields,
)

family = ToolFamily()
HOW_TO_JUDGE = "Run a workflow with the agent tone_judge to judge tone and recommendations."


class MetricValue(Wire):
    """One metric with what it rests on."""

    value: float | None
    samples: int
    intervals: Intervals | None
    reason: str | None = Field(description="Why there is no value, or null.")


class AskCounts(Wire):
    """Outcome of the planned requests."""

    planned: int
    valid: int
    refused: int
    empty: int
    failed: int
    notGrounded: int
    truncated: int = Field(description="Cut off before their end: counted as missing, like failed ones.")
    notShown: int = Field(default=0, description="Observed, and no answer was shown.")


class SurfaceRates(Wire):
    """Rates of AI surface observations; each has its own denominator."""

    shown: float | None = Field(description="Share of observed pages that showed an answer.")
    namedWhenShown: float | None = Field(description="Of the answers shown, those that name the brand.")
    namedOfAllSearches: float | None = Field(description="shown times namedWhenShown.")
    searches: int = Field(default=0, description="Observed pages: the denominator of shown.")


class CitedDomain(Wire):
    """A registrable domain that answers cite."""

    domain: str
    owner: str = Field(description="owned, competitor or third_party.")
    answers: int


class EngineMetrics(Wire):
    """Metrics of one engine, whole or in one mode."""

    status: str = Field(description="measured, degraded or not_measured.")
    reason: str | None
    visibilityScore: MetricValue
    mentionCount: MetricValue
    shareOfVoice: MetricValue
    averagePosition: MetricValue
    citationRate: MetricValue
    sentiment: MetricValue = Field(description="0 to 100, 50 is neutral; needs a judge.")
    recommendationRate: MetricValue = Field(
        description="Share of judged mentions that recommend the brand; needs a judge."
    )
    presence: MetricValue = Field(description="Share of answers that name the brand.")
    asked: AskCounts
    seen: SurfaceRates | None = Field(
        default=None, description="For AI surfaces observed through a data provider; else null."
    )
    searchRate: float | None
    uncertainMentions: int
    absenceMentions: int
    servedModels: list[str]
    lastMeasured: datetime | None
    citedDomains: list[CitedDomain]


class ChannelHealthView(Wire):
    """How a channel behaved in the newest batch that asked it; a falling number may be the tool's fault."""

    batchId: str
    failedShare: float | None = Field(description="Failed requests among the planned ones.")
    refusedShare: float | None = Field(description="Declined answers among all answers.")
    validShare: float | None = Field(description="Valid answers among the planned requests.")
    searchRate: float | None = Field(description="Answers that searched the web.")
    citationShare: float | None = Field(description="Answers that cite anything.")
    servedModels: list[str]
    medianLatencyMs: int | None
    alerts: list[str] = Field(
        description="failures, citations_vanished, searches_dropped, served_model_changed or no_credential."
    )


class ModeMetrics(EngineMetrics):
    """One mode of an engine."""

    mode: str
    health: ChannelHealthView | None


class MemoryAndSearch(Wire):
    """Prompts asked in both modes, by where the brand was named."""

    both: int
    memoryOnly: int
    searchOnly: int
    neither: int


class PlatformMetrics(EngineMetrics):
    """One engine."""

    platform: str
    modes: list[ModeMetrics]
    memoryAndSearch: MemoryAndSearch


class AllPlatformMetrics(Wire):
    """Every engine that was asked about a brand or is configured."""

    brandId: str
    country: str | None = Field(description="The country it is restricted to, or null.")
    calculatedAt: datetime | None
    platforms: list[PlatformMetrics]
    judgedBy: list[str] = Field(
        description="Judges of sentiment and recommendationRate; none without a judge."
    )
    measurement: Measurement
    notice: str | None
    untrusted: list[str] = untrusted_fields(
        "platforms[].citedDomains[].domain",
        "platforms[].modes[].citedDomains[].domain",
        "platforms[].servedModels",
        "platforms[].modes[].servedModels",
    )


@family.read("Get platform metrics")
async def get_platform_metrics(
    brandId: BrandId, brand: NamedBrand, call: ThisCall, chosen: ChosenAnswers, detail: Detail = "full"
) -> AllPlatformMetrics:
    """Return visibility, mentions and tone of a brand on each AI engine. For prompts by engine use
    get_prompt_results."""
    workspace = await call.workspace()
    country = chosen.country
    stored = is_stored(chosen)
    if stored:
        document, calculated_at, receipt = await _stored_platforms(workspace, brand, country)
        receipt_id, batch_ids = (receipt.receipt_id, receipt.batches) if receipt else (None, ())
    else:
        results = await filtered_results(workspace, brand, chosen, call.now(), "platforms")
        document = PlatformsDocument.model_validate(results.document if results else {"platforms": ()})
        calculated_at, batch_ids = (results.calculated_at, results.batch_ids) if results else (None, ())
        receipt_id = None
    asked = list(document.platforms)
    whole = not chosen.names
    listed = await _listed_platforms(call, workspace.company_id, brand, asked) if whole else asked
    answers = sum(platform.asked.valid for platform in asked)
    health = {
        (channel.platform, channel.mode): channel
        for channel in await workspace.health.latest(brand.key)
        if country in (None, channel.country)
    }
    if asked:
        said = None if stored else f"{FILTERED_NOTICE} asked counts the channels as a whole."
    else:
        said = nothing_from(country, brand.name) if stored else nothing_chosen(brand.name)
    judged = await load_judged(workspace, brand, chosen, batch_ids)
    views = [platform_view(platform, health, judged) for platform in listed]
    return AllPlatformMetrics(
        brandId=brand.id,
        country=country,
        calculatedAt=calculated_at,
        platforms=[_compact_platform(view) for view in views] if detail == "compact" else views,
        judgedBy=list(judged.judges),
        measurement=await measurement_of(workspace, brand, answers, None, receipt_id, batch_ids),
        notice=" ".join(filter(None, [said, notice([platform.platform for platform in asked])])) or None,
    )


async def _stored_platforms(
    workspace: Workspace, brand: Brand, country: str | None
) -> tuple[PlatformsDocument, datetime | None, ReceiptDocument | None]:
    """Return the newest metrics of each engine, whole or of one country, when they were made, and their receipt."""
    nothing = PlatformsDocument(platforms=())
    if not brand.revision_key:
        return nothing, None, None
    if country is not None:
        result = await workspace.country_results.newest(brand.key, brand.revision_key, country)
        stored = (result.platforms, result.calculated_at, result.receipt) if result else None
    else:
        stored = await workspace.results.platforms(brand.key, brand.revision_key)
    if stored is None:
        return nothing, None, None
    return PlatformsDocument.model_validate(stored[0]), stored[1], ReceiptDocument.model_validate(stored[2])


async def _listed_platforms(
    call: Call, company_id: str, brand: Brand, stored: Sequence[PlatformDocument]
) -> list[PlatformDocument]:
    """Return the engines that were asked, then as not measured those that could be asked today and never were."""
    if call.engines is None:
        return list(stored)
    name = attrgetter("platform")
    asked = [platform for platform in stored if platform.reason != NEVER_ASKED]
    known = {platform.platform for platform in asked}
    missing = [name for name in await call.engines.platforms(company_id) if name not in known]
    return [*sorted(asked, key=name), *sorted(never_asked(brand.id, missing), key=name)]


def platform_view(
    stored: PlatformDocument, health: Mapping[tuple[str, str], ChannelHealthRow], judged: JudgedMentions
) -> PlatformMetrics:
    """Return one engine as it is shown; it is degraded where one of its channels is under an alert."""
    is_surface = SUPPLIED in stored.platform
    of_engine = judged.where(lambda count: count.platform == stored.platform)
    modes = [
        _mode_view(
            mode,
            health.get((stored.platform, mode.mode or "")),
            is_surface,
            of_engine.where(lambda count, mode=mode: count.mode == mode.mode),
        )
        for mode in stored.modes
    ]
    fields = _engine_fields(stored, is_surface, of_engine)
    alerted = next((mode for mode in modes if mode.health and mode.health.alerts), None)
    if alerted and stored.status == "measured":
        fields |= {"status": "degraded", "reason": alerted.reason}
    return PlatformMetrics(
        platform=stored.platform,
        modes=modes,
        memoryAndSearch=_memory_and_search_view(stored.memory_and_search),
        **fields,
    )


COMPACT_DOMAINS = 3


def _compact_platform(view: PlatformMetrics) -> PlatformMetrics:
    """Return an engine without its modes apart, and with the sources it cites most."""
    return view.model_copy(update={"modes": [], "citedDomains": view.citedDomains[:COMPACT_DOMAINS]})


def _mode_view(
    stored: EngineDocument, health: ChannelHealthRow | None, is_surface: bool, judged: JudgedMentions
) -> ModeMetrics:
    fields = _engine_fields(stored, is_surface, judged)
    if health and health.alerts and stored.status == "measured":
        fields |= {"status": "degraded", "reason": health.alerts[0]}
    return ModeMetrics(mode=stored.mode or "", health=_health_view(health) if health else None, **fields)


def _memory_and_search_view(stored: MemoryAndSearchDocument) -> MemoryAndSearch:
    return MemoryAndSearch(
        both=stored.both, memoryOnly=stored.memory_only, searchOnly=stored.search_only, neither=stored.neither
    )


def _health_view(health: ChannelHealthRow) -> ChannelHealthView:
    return ChannelHealthView(
        batchId=health.batch_id,
        failedShare=share(health.failed, health.planned),
        refusedShare=share(health.refused, health.answered),
        validShare=share(health.valid, health.planned),
        searchRate=share(health.searched, health.answered) if health.mode == "readiness" else None,
        citationShare=share(health.citing, health.measurable),
        servedModels=list(health.served_models),
        medianLatencyMs=health.median_latency_ms,
        alerts=list(health.alerts),
    )


def _engine_fields(stored: EngineDocument, is_surface: bool, judged: JudgedMentions) -> dict[str, Any]:
    """Return what an engine and each of its modes have in common."""
    asked = stored.asked
    return {
        "status": stored.status,
        "reason": stored.reason,
        **{str(name): _metric_value(name, stored.metrics[name]) for name in MEASURED},
        **{
            str(name): _metric_value(name, MetricDocument.of(metric))
            for name, metric in judged.metrics().items()
        },
        "presence": _metric_value(None, stored.presence),
        "asked": AskCounts(
            planned=asked.planned,
            valid=asked.valid,
            refused=asked.refused,
            empty=asked.empty,
            failed=asked.failed,
            notGrounded=asked.not_grounded,
            truncated=asked.truncated,
            notShown=not_shown(stored.asked),
        ),
        "seen": _surface_rates(stored) if is_surface else None,
        "searchRate": stored.search_rate,
        "uncertainMentions": stored.uncertain,
        "absenceMentions": stored.absences,
        "servedModels": list(stored.served_models),
        "lastMeasured": stored.last_measured,
        "citedDomains": [
            CitedDomain(domain=cited.domain, owner=cited.owner, answers=cited.answers)
            for cited in stored.domains
        ],
    }


def not_shown(asked: AskCountsDocument) -> int:
    """Return how many observations showed nothing: planned requests minus all other outcomes."""
    ends = asked.valid + asked.refused + asked.empty + asked.failed + asked.not_grounded + asked.truncated
    return max(0, asked.planned - ends)


def _surface_rates(stored: EngineDocument) -> SurfaceRates:
    """Return the three rates of AI surface observations; each observation counts once."""
    looks = stored.looks or LookCountsDocument(shown=0, not_shown=0, named=0)
    searches = looks.shown + looks.not_shown
    return SurfaceRates(
        shown=share(looks.shown, searches),
        namedWhenShown=share(looks.named, looks.shown),
        namedOfAllSearches=share(looks.named, searches),
        searches=searches,
    )


def _metric_value(name: Metric | None, stored: MetricDocument) -> MetricValue:
    """Return a metric with the decimals it is shown with; unrounded when it has no name of its own."""
    return MetricValue(
        value=shown(name, stored.value) if name else stored.value,
        samples=stored.samples,
        intervals=intervals_view(stored.intervals),
        reason=stored.reason,
    )
