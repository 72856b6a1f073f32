"""The score tool: a brand's headline visibility with everything needed to check it."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from measurement.statistics.filtered_results import FilteredResults, filtered_results
from storage.repositories.answers.answer_filters import UNFILTERED, AnswerFilter
from storage.repositories.brands import Brand
from storage.tables.columns import parse_packed
from storage.workspace import Workspace
from tools.calls.call import NamedBrand, ThisCall
from tools.calls.filters import (
    FILTERED_NOTICE,
    ChosenAnswers,
    is_stored,
    nothing_chosen,
    nothing_from,
)
from tools.calls.parameters import BrandId
from tools.calls.table import ToolFamily
from tools.calls.wire import (
    Intervals,
    Measurement,
    Wire,
    measurement_of,
    notice,
    untrusted_fields,
)
from tools.mentions import MentionView, mention_view
from tools.score_parts import (
    Change,
    Factor,
    PartialScore,
    Receipt,
    ShownScore,
    headline_words,
    named_parts,
    outside_notice,
    parts_notice,
)

family = ToolFamily()


class IssueCounts(Wire):
    """Open issues by severity."""

    critical: int
    warning: int
    info: int
    total: int


class AiVisibilityScore(Wire):
    """How visible a brand is in AI answers, 0 to 100, with everything needed to check it."""

    brandId: str
    brandName: str
    headline: str | None = Field(description="Say this first: in how many answers the brand is named.")
    country: str | None = Field(description="The country it is restricted to, or null.")
    status: str = Field(description="measured, insufficient_data or not_measured.")
    score: ShownScore | None = Field(
        description="0 to 100, one decimal; null when it was not measured, never 0 then."
    )
    reason: str | None = Field(description="Why there is no score, or null.")
    intervals: Intervals | None = Field(description="95 % intervals of the score.")
    confidence: str | None = Field(description="ok or low.")
    answers: int = Field(description="Valid answers to unbranded prompts.")
    prompts: int
    measurementVerdict: str = Field(description="What the measurement itself is worth.")
    factors: list[Factor]
    change: Change | None
    platforms: list[PartialScore]
    modes: list[PartialScore]
    degraded: list[str] = Field(
        description="Channels left out because over a fifth of their requests failed."
    )
    issueCounts: IssueCounts
    receipt: Receipt | None = Field(
        description="Of the whole measurement; a country's result is one of those whose digest it holds."
    )
    evidence: list[MentionView] = Field(
        description="Up to five of the newest mentions; see get_brand_mentions."
    )
    measurement: Measurement
    notice: str | None
    untrusted: list[str] = untrusted_fields(
        "brandName", "evidence[].prompt", "evidence[].quote", "evidence[].servedModel"
    )


@family.read("Get AI visibility score", charted=True)
async def get_ai_visibility_score(
    brandId: BrandId, brand: NamedBrand, call: ThisCall, chosen: ChosenAnswers
) -> AiVisibilityScore:
    """Return a brand's AI visibility score (0-100) with its 95% interval, factors and last change. Use it for 'how
    visible are we?'. For days use get_metric_trend; to compare two periods use compare_periods."""
    workspace = await call.workspace()
    if is_stored(chosen):
        return await score_view(workspace, brand, chosen.country)
    results = await filtered_results(workspace, brand, chosen, call.now(), "headline")
    issues = await _issue_counts(workspace, brand)
    if results is None:
        nothing = await measurement_of(workspace, brand, 0, None)
        view = never_measured(brand, chosen.country, issues, nothing)
        return view.model_copy(update={"notice": nothing_chosen(brand.name)})
    return await _filtered_view(workspace, brand, chosen, results, issues)


async def _filtered_view(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter, results: FilteredResults, issues: IssueCounts
) -> AiVisibilityScore:
    """Return the score of chosen answers; it is stored nowhere, so it has no receipt and is compared with nothing."""
    said = [FILTERED_NOTICE, notice(list(results.document["platforms"]))]
    return await _shown_view(
        workspace,
        brand,
        chosen,
        {**results.document, "change": None},
        issues,
        batch_ids=results.batch_ids,
        notice=" ".join(filter(None, said)),
    )


async def _stored_documents(
    workspace: Workspace, brand: Brand, country: str | None
) -> tuple[bytes, bytes] | None:
    """Return headline and receipt of a brand's newest stored result, whole or of one country, as they are stored."""
    if not brand.revision_key:
        return None
    if country is not None:
        return await workspace.country_results.newest_documents(brand.key, brand.revision_key, country)
    return await workspace.results.newest_documents(brand.key, brand.revision_key)


async def score_view(workspace: Workspace, brand: Brand, country: str | None = None) -> AiVisibilityScore:
    """Return the newest stored calculation as it is shown; a brand never measured has a null score."""
    issues = await _issue_counts(workspace, brand)
    stored = await _stored_documents(workspace, brand, country)
    if stored is None:
        return never_measured(brand, country, issues, await measurement_of(workspace, brand, 0, None))
    headline, receipt = map(parse_packed, stored)
    return await _shown_view(
        workspace,
        brand,
        AnswerFilter(country=country) if country else UNFILTERED,
        headline,
        issues,
        receipt=Receipt.model_validate(receipt),
        notice=notice(list(headline["platforms"])),
    )


async def _issue_counts(workspace: Workspace, brand: Brand) -> IssueCounts:
    """Return how many issues of a brand are open."""
    counts = await workspace.issues.open_counts(brand.key)
    return IssueCounts(
        critical=counts.get("critical", 0),
        warning=counts.get("warning", 0),
        info=counts.get("info", 0),
        total=sum(counts.values()),
    )


async def _shown_view(
    workspace: Workspace,
    brand: Brand,
    chosen: AnswerFilter,
    document: Mapping[str, Any],
    issues: IssueCounts,
    *,
    receipt: Receipt | None = None,
    batch_ids: Sequence[str] = (),
    notice: str | None,
) -> AiVisibilityScore:
    """Return a score document with its context; the result checks it while it reads it."""
    assert brand.revision_key is not None  # it has answers
    quoted = await workspace.listed_mentions.newest(brand.revision_key, chosen)
    intervals = Intervals.model_validate(document["intervals"]) if document["intervals"] else None
    measurement = await measurement_of(
        workspace,
        brand,
        document["answers"],
        intervals,
        receipt.receiptId if receipt else None,
        receipt.batches if receipt else batch_ids,
    )
    context = {
        "brandId": brand.id,
        "brandName": brand.name,
        "headline": headline_words(document["factors"]),
        "country": chosen.country,
        "reason": _why_no_score(document),
        "intervals": intervals,
        "platforms": named_parts(document["platforms"]),
        "modes": named_parts(document["modes"]),
        "degraded": sorted({degraded["channel"] for degraded in document["degraded"]}),
        "issueCounts": issues,
        "receipt": receipt,
        "evidence": [mention_view(mention) for mention in quoted],
        "measurement": measurement,
        "notice": " ".join(filter(None, (parts_notice(document), outside_notice(document), notice))) or None,
    }
    return AiVisibilityScore.model_validate({**document, **context})


def never_measured(
    brand: Brand, country: str | None, issues: IssueCounts, measurement: Measurement
) -> AiVisibilityScore:
    """Return the answer for a brand of which nothing is known: null, which is not zero."""
    return AiVisibilityScore(
        brandId=brand.id,
        brandName=brand.name,
        headline=None,
        country=country,
        status="not_measured",
        score=None,
        reason="never_measured",
        intervals=None,
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
        notice=nothing_from(country, brand.name),
    )


def _why_no_score(document: Mapping[str, Any]) -> str | None:
    """Say what is lacking."""
    if document["status"] == "measured":
        return None
    if document["status"] == "not_measured":
        return "no_valid_answer"
    return f"needs {document['missingAnswers']} more answers and {document['missingPrompts']} more prompts"
