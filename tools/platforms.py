"""The platform tool: metrics of each AI engine that was asked about a brand."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import Field

from analytics.health import share
from analytics.metrics import NEVER_ASKED, shown
from analytics.metrics import MetricName as Metric
from storage.repositories.brands import Brand
from storage.repositories.health import ChannelHealth
from tools.call import Call, NamedBrand, ThisCall
from tools.measurement import Measurement, measurement_of
from tools.parameters import BrandId
from tools.table import ToolFamily
from tools.wire import Interval, Wire, notice
from workflows.figures import never_asked

family = ToolFamily()


class MetricValue(Wire):
    """One metric with what it rests on."""

    value: float | None
    samples: int
    interval: Interval | None
    reason: str | None = Field(description="Why there is no value, or null.")


class AskCounts(Wire):
    """How the planned asks ended."""

    planned: int
    valid: int
    refused: int
    empty: int
    failed: int
    notGrounded: int


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
    sentiment: MetricValue
    presence: MetricValue = Field(description="Share of answers that name the brand.")
    asked: AskCounts
    searchRate: float | None
    uncertainMentions: int
    absenceMentions: int
    servedModels: list[str]
    lastMeasured: datetime | None
    citedDomains: list[CitedDomain]


class ChannelHealthView(Wire):
    """How a channel behaved in the newest batch that asked it; a falling number may be the tool's fault."""

    batchId: str
    failedShare: float | None = Field(description="Failed asks among the planned ones.")
    refusedShare: float | None = Field(description="Refusals among the answers.")
    validShare: float | None = Field(description="Valid answers among the planned asks.")
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
    calculatedAt: datetime | None
    platforms: list[PlatformMetrics]
    measurement: Measurement
    notice: str | None


@family.read("Get platform metrics", open_world=True)
async def get_platform_metrics(brandId: BrandId, brand: NamedBrand, call: ThisCall) -> AllPlatformMetrics:
    """Get visibility and mention metrics of one brand for each AI engine. Call list_brand_profiles for brand ids."""
    workspace = await call.workspace()
    found = await workspace.results.platforms(brand.key, brand.revision_key) if brand.revision_key else None
    stored, calculated_at, receipt = found or ([], None, None)
    listed = await listed_platforms(call, workspace.company_id, brand, stored)
    answers = sum(one["asked"]["valid"] for one in stored)
    health = {(one.platform, one.mode): one for one in await workspace.health.latest(brand.key)}
    return AllPlatformMetrics(
        brandId=brand.id,
        calculatedAt=calculated_at,
        platforms=[platform_view(one, health) for one in listed],
        measurement=await measurement_of(workspace, brand, answers, None, receipt),
        notice=notice([one["platform"] for one in stored]),
    )


async def listed_platforms(
    call: Call, company_id: str, brand: Brand, stored: Sequence[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Return the engines that were asked, and as not measured those that could be asked today and never were."""
    if call.engines is None:
        return list(stored)
    asked = [one for one in stored if one["reason"] != NEVER_ASKED]
    known = {one["platform"] for one in asked}
    missing = [one for one in await call.engines.platforms(company_id) if one not in known]
    return sorted([*asked, *never_asked(brand.id, missing)], key=lambda one: one["platform"])


def platform_view(
    stored: Mapping[str, Any], health: Mapping[tuple[str, str], ChannelHealth]
) -> PlatformMetrics:
    """Return one engine as it is shown; it is degraded where one of its channels is under an alert."""
    modes = [mode_view(one, health.get((stored["platform"], one["mode"]))) for one in stored["modes"]]
    fields = engine_fields(stored)
    doubted = next((one for one in modes if one.health and one.health.alerts), None)
    if doubted and fields["status"] == "measured":
        fields |= {"status": "degraded", "reason": doubted.reason}
    return PlatformMetrics(
        platform=stored["platform"],
        modes=modes,
        memoryAndSearch=MemoryAndSearch(**stored["memoryAndSearch"]),
        **fields,
    )


def mode_view(stored: Mapping[str, Any], health: ChannelHealth | None) -> ModeMetrics:
    """Return one mode as it is shown."""
    fields = engine_fields(stored)
    if health and health.alerts and fields["status"] == "measured":
        fields |= {"status": "degraded", "reason": health.alerts[0]}
    return ModeMetrics(mode=stored["mode"], health=health_view(health) if health else None, **fields)


def health_view(one: ChannelHealth) -> ChannelHealthView:
    """Return a channel's health as it is shown."""
    return ChannelHealthView(
        batchId=one.batch_id,
        failedShare=share(one.failed, one.planned),
        refusedShare=share(one.refused, one.answered),
        validShare=share(one.valid, one.planned),
        searchRate=share(one.searched, one.answered) if one.mode == "readiness" else None,
        citationShare=share(one.citing, one.measurable),
        servedModels=list(one.served_models),
        medianLatencyMs=one.median_latency_ms,
        alerts=list(one.alerts),
    )


def engine_fields(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an engine and each of its modes have in common."""
    asked = dict(stored["asked"])
    asked["notGrounded"] = asked.pop("not_grounded")
    return {
        **{name: stored[name] for name in ("status", "reason", "searchRate", "servedModels", "lastMeasured")},
        **{str(name): metric_value(name, stored["metrics"][name]) for name in Metric},
        "presence": MetricValue(**stored["presence"]),
        "asked": AskCounts(**asked),
        "uncertainMentions": stored["uncertain"],
        "absenceMentions": stored["absences"],
        "citedDomains": [CitedDomain(**one) for one in stored["domains"]],
    }


def metric_value(name: Metric, stored: Mapping[str, Any]) -> MetricValue:
    """Return one metric with the decimals it is shown with."""
    return MetricValue.model_validate({**stored, "value": shown(name, stored["value"])})
