"""Finds old, thin and duplicate items of the repository."""

import re
from collections import defaultdict
from datetime import timedelta

from measurement.planning.published_items import DRAFT
from measurement.planning.published_items import published as published_by
from storage.documents import StoredEvidence
from storage.repositories.findings import FindingDraft
from storage.repositories.repository_items import RepositoryItem
from workflows.agents.agent import Result, Work
from workflows.agents.outputs.content import RepositoryAudit
from workflows.errors import AgentFailed

__all__ = ["DRAFT", "published"]


async def published(work: Work) -> list[RepositoryItem]:
    """Return the brand's items that are no drafts, last changed first."""
    return await published_by(work.workspace, work.brand)


OLD = timedelta(days=365)
THIN_WORDS = 80
LONGEST_TITLE = 120
"""Characters of an item's title in that of a finding; its evidence has it whole."""
SHINGLE = 5
ALIKE = 0.7
"""Share of five-word sequences that two texts have in common, from which they count as duplicates."""
LEAST_SHINGLES = 8
WORD = re.compile(r"\w+")


async def run(work: Work) -> Result:
    """Audit every published item. Fails with `no_input` when there is none."""
    items = await published(work)
    if not items:
        raise AgentFailed("no_input")
    old = [item for item in items if work.now - item.updated_at > OLD]
    thin = [item for item in items if len(WORD.findall(item.body)) < THIN_WORDS]
    twins = duplicates(items)
    findings = (
        *(
            finding(item, "Old text", f"Not changed since {item.updated_at.date().isoformat()}.", "small")
            for item in old
        ),
        *(finding(item, "Thin text", f"It has fewer than {THIN_WORDS} words.", "medium") for item in thin),
        *(
            finding(
                item,
                "Duplicate text",
                f"At least {ALIKE:.0%} of it appears in another item.",
                "small",
                other,
            )
            for item, other in twins
        ),
    )
    output = RepositoryAudit(
        items=len(items),
        old=tuple(item.id for item in old),
        thin=tuple(item.id for item in thin),
        duplicates=tuple((item.id, copy.id) for item, copy in twins),
    )
    summary = f"{len(items)} items: {len(old)} old, {len(thin)} thin, {len(twins)} duplicate pairs."
    return Result(output, summary, findings)


def finding(
    item: RepositoryItem, title: str, detail: str, effort: str, other: RepositoryItem | None = None
) -> FindingDraft:
    """Return one finding about one item, with the items as evidence."""
    evidence = [
        StoredEvidence(type="repository_item", id=shown_item.id, excerpt=shown_item.title)
        for shown_item in (item, other)
        if shown_item
    ]
    return FindingDraft(
        "info", "content_gap", f"{title}: {item.title[:LONGEST_TITLE]}", detail, evidence, effort=effort
    )


def duplicates(items: list[RepositoryItem]) -> list[tuple[RepositoryItem, RepositoryItem]]:
    """Return pairs whose five-word sequences overlap by ALIKE (Jaccard), each item at most once as the copy.

    Only pairs that share a sequence are compared, so a repository of different texts costs linear time.
    """
    shingles = [shingles_of(item.body) for item in items]
    holders: dict[tuple[str, ...], list[int]] = defaultdict(list)
    twins: list[tuple[RepositoryItem, RepositoryItem]] = []
    for index, own in enumerate(shingles):
        if len(own) < LEAST_SHINGLES:
            continue
        shared: dict[int, int] = defaultdict(int)
        for shingle in own:
            for other in holders[shingle][:1]:
                shared[other] += 1
            holders[shingle].append(index)
        for other, common in shared.items():
            if common / (len(own) + len(shingles[other]) - common) >= ALIKE:
                twins.append((items[index], items[other]))
                break
    return twins


def shingles_of(text: str) -> frozenset[tuple[str, ...]]:
    """Return every sequence of five words of a text, case folded."""
    words = [word.casefold() for word in WORD.findall(text)]
    return frozenset(tuple(words[at : at + SHINGLE]) for at in range(len(words) - SHINGLE + 1))
