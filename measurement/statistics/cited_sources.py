"""Sources that answers cite: domains and pages with owner, kind, share, change and example answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Literal

from analytics.answers.citations import Citation, OwnerClass, normalize_url
from analytics.answers.source_kinds import SourceKind, kind_of
from analytics.prompt_results import PromptChange, PromptRate, change_of
from measurement.planning.brand_identity import sites_of
from measurement.statistics.period_sums import begin_of
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.brands import Brand
from storage.repositories.source_counts import MOST_ADDRESSES, SourceExample
from storage.workspace import Workspace

GroupBy = Literal["domain", "url"]
When = Literal["brand_named", "rival_named_instead", "nobody_named"]


DAYS_BACK = (0, 7, 56)
"""How many days before the newest one to search for examples, before searching the whole period."""


@dataclass(frozen=True, slots=True)
class SourceCount:
    """One domain or page; `addresses` are the URLs under which a page is cited, most cited first."""

    source: str
    title: str | None
    owner: OwnerClass
    kind: SourceKind
    answers: int
    prompts: int
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedSources:
    """All requested sources, most cited first, of `measurable` answers whose citations are known."""

    sources: tuple[SourceCount, ...]
    measurable: int
    cut: bool
    """Whether only the 5,000 most cited pages were examined."""


async def cited_sources(
    workspace: Workspace,
    brand: Brand,
    period: AnswerFilter,
    group_by: GroupBy,
    when: When | None,
    owner: OwnerClass | None,
    kind: SourceKind | None,
) -> CitedSources:
    """Return what counted answers of a period cite, by domain or by page, filtered by owner and kind."""
    if brand.revision_key is None:
        return CitedSources((), 0, cut=False)
    measurable = await workspace.source_counts.measurable(brand.key, brand.revision_key, period, when)
    if group_by == "domain":
        sources = await _domains(workspace, brand, brand.revision_key, period, when)
        cut = False
    else:
        sources = await _pages(workspace, brand, brand.revision_key, period, when)
        cut = sum(len(page.addresses) for page in sources) >= MOST_ADDRESSES
    chosen = (source for source in sources if owner in (None, source.owner) and kind in (None, source.kind))
    return CitedSources(tuple(chosen), measurable, cut)


async def _domains(
    workspace: Workspace, brand: Brand, revision_key: int, period: AnswerFilter, when: When | None
) -> list[SourceCount]:
    counts = await workspace.source_counts.domains(brand.key, revision_key, period, when)
    return [
        SourceCount(
            count.domain,
            None,
            OwnerClass(count.owner),
            kind_of(count.domain, count.owner),
            count.answers,
            count.prompts,
        )
        for count in counts
    ]


async def _pages(
    workspace: Workspace, brand: Brand, revision_key: int, period: AnswerFilter, when: When | None
) -> list[SourceCount]:
    """Count by page; URLs with one normal form are one page."""
    ownership = (await sites_of(workspace, brand)).ownership
    pages: dict[str, SourceCount] = {}
    for count in await workspace.source_counts.addresses(brand.key, revision_key, period, when):
        page = normalize_url(count.url)
        known = pages.get(page)
        if known is None:
            owned = ownership.classify(Citation(count.url))
            kind = kind_of(owned.host, owned.owner)
            pages[page] = SourceCount(
                page, count.title, owned.owner, kind, count.answers, count.prompts, (count.url,)
            )
        else:
            pages[page] = SourceCount(
                page,
                known.title or count.title,
                known.owner,
                known.kind,
                known.answers + count.answers,
                max(known.prompts, count.prompts),
                (*known.addresses, count.url),
            )
    return sorted(pages.values(), key=lambda page: (-page.answers, page.source))


async def addresses_of_page(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter, page: str
) -> tuple[str, ...]:
    """Return the URLs under which a page is cited, given any of its URLs."""
    if brand.revision_key is None:
        return ()
    page = normalize_url(page)
    counts = await workspace.source_counts.addresses(brand.key, brand.revision_key, chosen, None)
    return tuple(count.url for count in counts if normalize_url(count.url) == page)


async def recount_pages(
    workspace: Workspace,
    brand: Brand,
    period: AnswerFilter,
    when: When | None,
    pages: Sequence[SourceCount],
) -> list[SourceCount]:
    """Recount the pages that have several addresses, because one answer may cite two of them."""
    merged = {address: page.source for page in pages if len(page.addresses) > 1 for address in page.addresses}
    if brand.revision_key is None or not merged:
        return list(pages)
    answers: dict[str, set[str]] = {}
    prompts: dict[str, set[str]] = {}
    for row in await workspace.source_counts.citing(
        brand.key, brand.revision_key, period, when, list(merged)
    ):
        answers.setdefault(merged[row.source], set()).add(row.answer_id)
        prompts.setdefault(merged[row.source], set()).add(row.prompt_id)
    return [
        replace(page, answers=len(answers[page.source]), prompts=len(prompts[page.source]))
        if page.source in answers
        else page
        for page in pages
    ]


async def changes_of(
    workspace: Workspace,
    brand: Brand,
    before: AnswerFilter,
    when: When | None,
    sources: Sequence[SourceCount],
    measurable: int,
) -> dict[str, PromptChange]:
    """Return how the share of some domains changed since the period `before`, by domain."""
    if brand.revision_key is None or not sources:
        return {}
    earlier = await workspace.source_counts.measurable(brand.key, brand.revision_key, before, when)
    counts = await workspace.source_counts.domains(
        brand.key, brand.revision_key, before, when, [source.source for source in sources]
    )
    cited = {count.domain: count.answers for count in counts}
    return {
        source.source: change_of(
            PromptRate(measurable, source.answers), PromptRate(earlier, cited.get(source.source, 0))
        )
        for source in sources
    }


async def examples_of(
    workspace: Workspace,
    brand: Brand,
    period: AnswerFilter,
    when: When | None,
    sources: Sequence[SourceCount],
    most: int,
) -> dict[str, list[SourceExample]]:
    """Return the newest answers that cite each of some sources, up to `most` of each.

    Nearly all of them are from the newest day, so only sources not found there are searched for further back.
    """
    if brand.revision_key is None or not sources:
        return {}
    examples: dict[str, list[SourceExample]] = {}
    left = list(sources)
    for window in await _windows(workspace, brand, period):
        rows = await _examples(workspace, brand, brand.revision_key, window, when, left, most)
        examples |= _by_source(rows, left, most)
        left = [source for source in left if len(examples[source.source]) < min(most, source.answers)]
        if not left:
            break
    return {source: found for source, found in examples.items() if found}


async def _windows(workspace: Workspace, brand: Brand, period: AnswerFilter) -> list[AnswerFilter]:
    """Return the newest days of a period, then more of them, and finally all of it."""
    newest = await workspace.source_counts.newest(brand.key, period)
    if newest is None:
        return []
    begins = [begin_of(newest.date() - timedelta(days=days)) for days in DAYS_BACK]
    inside = [begin for begin in begins if period.since is None or begin > period.since]
    return [*(replace(period, since=begin) for begin in inside), period]


async def _examples(
    workspace: Workspace,
    brand: Brand,
    revision_key: int,
    window: AnswerFilter,
    when: When | None,
    sources: Sequence[SourceCount],
    most: int,
) -> list[SourceExample]:
    place = (brand.key, revision_key, window, when)
    if addresses := [address for source in sources for address in source.addresses]:
        return await workspace.source_counts.address_examples(*place, addresses, most)
    domains = [source.source for source in sources]
    return await workspace.source_counts.domain_examples(*place, domains, most)


def _by_source(
    rows: Sequence[SourceExample], sources: Sequence[SourceCount], most: int
) -> dict[str, list[SourceExample]]:
    """Group examples by source; an answer may cite several addresses of one source."""
    sources_by_address = {address: source.source for source in sources for address in source.addresses}
    examples: dict[str, list[SourceExample]] = {source.source: [] for source in sources}
    for example in rows:
        listed = examples[sources_by_address.get(example.source, example.source)]
        if len(listed) < most and all(example.answer_id != known.answer_id for known in listed):
            listed.append(example)
    return examples
