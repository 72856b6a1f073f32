"""The score tool: a brand's headline visibility with everything needed to check it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import Field

from analytics.metrics import MetricName as Metric
from analytics.metrics import shown
from storage.repositories.brands import Brand
from storage.workspace import Workspace
from tools.call import NamedBrand, ThisCall
from tools.measurement import Measurement, measurement_of
from tools.mentions import MentionView, mentions_view
from tools.parameters import BrandId
from tools.table import ToolFamily
from tools.wire import Interval, Wire, notice

family = ToolFamily()

QUOTES = 5


class Factor(Wire):
    """One part of the score."""

    part: str = Field(description="presence, prominence, citation or tone.")
    value: float | None = Field(description="0 to 1; null when it could not be measured.")
    interval: Interval | None
    weight: float = Field(description="Weight in the model.")
    effectiveWeight: float = Field(description="Weight here, after parts that are not measured dropped out.")
    samples: int = Field(description="Answers that measured it; judged mentions for tone.")
    reason: str | None = Field(description="Why it is not measured, or null.")


class PartialScore(Wire):
    """The same rule on one platform's or one mode's answers."""

    name: str
    status: str
    score: float | None
    interval: Interval | None
    confidence: str | None
    answers: int
    prompts: int


class ChangeRow(Wire):
    """Presence before and after in one channel, or over all of them."""

    channel: str | None = Field(description="platform/mode; null is all channels together.")
    before: float | None
    after: float | None
    delta: float | None
    interval: Interval | None
    p: float | None
    pAdjusted: float | None = Field(description="After Holm's correction.")
    pairs: int
    prompts: int
    verdict: str
    reason: str | None
    needed: int | None = Field(description="Prompts a verdict would need, when there are too few.")


class Change(Wire):
    """Change since the latest earlier calculation that shares no answer with this one."""

    value: float | None = Field(description="Difference of the two scores, or null with a reason.")
    verdict: str = Field(description="changed, no_detectable_change or not_comparable.")
    reason: str | None
    rows: list[ChangeRow]


class IssueCounts(Wire):
    """Open issues by severity."""

    critical: int
    warning: int
    info: int
    total: int


class ReceiptAnswers(Wire):
    """The answers behind a number."""

    count: int
    sha256: str


class Receipt(Wire):
    """What a number rests on. The id is the hash of the content; `seenby replay --verify` recomputes it."""

    receiptId: str
    metric: str
    value: float | None = Field(description="Unrounded.")
    brandId: str
    versions: dict[str, str | list[str]]
    batches: list[str]
    channels: list[str]
    answers: ReceiptAnswers
    excluded: dict[str, int]
    seed: str = Field(
        description="Seed of the interval, a decimal number beyond what JSON readers keep exact."
    )
    replicates: int
    calculatedAt: datetime


class AiVisibilityScore(Wire):
    """How visible a brand is in AI answers, 0 to 100, with everything needed to check it."""

    brandId: str
    brandName: str
    status: str = Field(description="measured, insufficient_data or not_measured.")
    score: float | None = Field(
        description="0 to 100, one decimal; null when it was not measured, never 0 then."
    )
    reason: str | None = Field(description="Why there is no score, or null.")
    interval: Interval | None = Field(description="95 % interval of the score.")
    confidence: str | None = Field(description="ok or low.")
    answers: int = Field(description="Valid answers to unbranded prompts.")
    prompts: int
    measurementVerdict: str = Field(description="What the measurement itself is worth.")
    factors: list[Factor]
    change: Change | None
    platforms: list[PartialScore]
    modes: list[PartialScore]
    degraded: list[str] = Field(description="Channels left out because over a fifth of their asks failed.")
    issueCounts: IssueCounts
    receipt: Receipt | None
    evidence: list[MentionView] = Field(
        description="Up to five of the newest mentions; see get_brand_mentions."
    )
    measurement: Measurement
    notice: str | None


@family.read("Get AI visibility score")
async def get_ai_visibility_score(brandId: BrandId, brand: NamedBrand, call: ThisCall) -> AiVisibilityScore:
    """Get a brand's headline AI visibility score with factors, interval, change and receipt. Call
    list_brand_profiles for brand ids."""
    return await score_view(await call.workspace(), brand)


async def score_view(workspace: Workspace, brand: Brand) -> AiVisibilityScore:
    """Return the newest stored calculation as it is shown; a brand never measured has a null score."""
    counts = await workspace.issues.open_counts(brand.key)
    issues = IssueCounts(
        critical=counts.get("critical", 0),
        warning=counts.get("warning", 0),
        info=counts.get("info", 0),
        total=sum(counts.values()),
    )
    latest = await workspace.results.latest(brand.key, brand.revision_key) if brand.revision_key else []
    if not latest:
        return never_measured(brand, issues, await measurement_of(workspace, brand, 0, None))
    headline, receipt = latest[0].headline, latest[0].receipt
    interval = Interval.model_validate(headline["interval"]) if headline["interval"] else None
    quoted = await mentions_view(workspace, brand, None, QUOTES, 0)
    return AiVisibilityScore(
        brandId=brand.id,
        brandName=brand.name,
        **{
            name: headline[name]
            for name in ("status", "confidence", "answers", "prompts", "measurementVerdict")
        },
        score=shown(Metric.VISIBILITY_SCORE, headline["score"]),
        reason=why_no_score(headline),
        interval=interval,
        factors=[Factor(**factor) for factor in headline["factors"]],
        change=Change(**headline["change"]),
        platforms=partial_scores(headline["platforms"]),
        modes=partial_scores(headline["modes"]),
        degraded=sorted({one["channel"] for one in headline["degraded"]}),
        issueCounts=issues,
        receipt=Receipt.model_validate({**receipt, "seed": str(receipt["seed"])}),
        evidence=quoted.mentions,
        measurement=await measurement_of(workspace, brand, headline["answers"], interval, receipt),
        notice=notice(list(headline["platforms"])),
    )


def never_measured(brand: Brand, issues: IssueCounts, measurement: Measurement) -> AiVisibilityScore:
    """Return the answer for a brand of which nothing is known: null, which is not zero."""
    return AiVisibilityScore(
        brandId=brand.id,
        brandName=brand.name,
        status="not_measured",
        score=None,
        reason="never_measured",
        interval=None,
        confidence=None,
        answers=0,
        prompts=0,
        measurementVerdict="no_data",
        factors=[],
        change=None,
        platforms=[],
        modes=[],
        degraded=[],
        issueCounts=issues,
        receipt=None,
        evidence=[],
        measurement=measurement,
        notice=None,
    )


def why_no_score(headline: Mapping[str, Any]) -> str | None:
    """Say what is lacking."""
    if headline["status"] == "measured":
        return None
    if headline["status"] == "not_measured":
        return "no_valid_answer"
    return f"needs {headline['missingAnswers']} more answers and {headline['missingPrompts']} more prompts"


def partial_scores(found: Mapping[str, Any]) -> list[PartialScore]:
    """Return scores by name."""
    return [
        PartialScore.model_validate(
            {**one, "name": name, "score": shown(Metric.VISIBILITY_SCORE, one["score"])}
        )
        for name, one in found.items()
    ]
