"""How far a panel's answers agree with an engine's own report about which pages it cites."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import correlation

from analytics.answers.citations import OwnerClass
from engines.engine import SUPPLIED
from measurement.imports.engine_reports import EngineReport, Vendor
from measurement.statistics.cited_sources import cited_sources
from measurement.statistics.period_sums import begin_of
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.brands import Brand
from storage.workspace import Workspace

SURFACES: Mapping[Vendor, frozenset[str]] = {
    "bing": frozenset({"copilot", "bing_copilot"}),
    "google": frozenset({"google_ai_overview", "google_ai_mode"}),
}
"""The AI surfaces that a vendor's report covers, as far as a panel can observe them."""
FEWEST_RANKED = 3
"""Pages that a rank correlation needs."""


@dataclass(frozen=True, slots=True)
class ReportedPage:
    """One page of the brand: the count in the engine's report, and the panel's answers that cite it."""

    page: str
    reported: int
    answers: int


@dataclass(frozen=True, slots=True)
class ReportAgreement:
    """An engine's report beside the panel of the same period, most reported pages first.

    `seen` is the share of the engine's count on pages that the panel saw cited too. `correlation` is Spearman's rank
    correlation over the pages that both have; None for fewer than three of them or for equal counts.
    """

    vendor: Vendor
    since: date
    until: date
    reported: int
    platforms: tuple[str, ...]
    measurable: int
    """The panel's answers of the surfaces that the report covers, with known citations."""
    pages: tuple[ReportedPage, ...]
    seen: float | None
    correlation: float | None


async def agreement(
    workspace: Workspace, brand: Brand, report: EngineReport, since: date, until: date
) -> ReportAgreement:
    """Compare a report with the panel's answers from `since` to `until`, both included."""
    names = {platform for platform, *_ in await workspace.channels.keys()}
    platforms = sorted(name for name in names if name.partition(SUPPLIED)[0] in SURFACES[report.vendor])
    measurable, answers = 0, dict[str, int]()
    for platform in platforms:
        chosen = AnswerFilter(platform, since=begin_of(since), until=begin_of(until + timedelta(days=1)))
        cited = await cited_sources(workspace, brand, chosen, "url", None, OwnerClass.OWNED, None)
        measurable += cited.measurable
        for page in cited.sources:
            answers[page.source] = answers.get(page.source, 0) + page.answers
    pages = [
        ReportedPage(page, report.pages.get(page, 0), answers.get(page, 0))
        for page in report.pages.keys() | answers.keys()
    ]
    both = [page for page in pages if page.reported and page.answers]
    whole = sum(report.pages.values())
    return ReportAgreement(
        report.vendor,
        since,
        until,
        whole or sum(report.days.values()),
        tuple(platforms),
        measurable,
        tuple(sorted(pages, key=lambda page: (-page.reported, -page.answers, page.page))),
        sum(page.reported for page in both) / whole if whole and measurable else None,
        _rank_correlation([page.reported for page in both], [page.answers for page in both]),
    )


def _rank_correlation(one: Sequence[int], other: Sequence[int]) -> float | None:
    """Return Spearman's rank correlation; None where it is not defined."""
    if len(one) < FEWEST_RANKED or len(set(one)) == 1 or len(set(other)) == 1:
        return None
    return correlation(_ranks(one), _ranks(other))


def _ranks(values: Sequence[int]) -> list[float]:
    """Return ranks from 1; equal values share the mean of theirs."""
    return [
        sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2
        for value in values
    ]
