"""Content gap monitor: prompts that competitors win, or that none of the brand's content answers."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import anyio.to_thread

from analytics.gaps import (
    GAPS_VERSION,
    WINDOW,
    Gap,
    GapKind,
    Item,
    ItemLibrary,
    PromptEvidence,
    answer_gap,
    citation_gap,
    is_answered_enough,
)
from measurement.alerts.issues import IssueObservation, Severity
from measurement.planning.published_items import published
from storage.documents import StoredEvidence
from storage.repositories.answers.prompt_answers import AnswerCount, EntityCount
from storage.repositories.brands import Brand, EntityNames
from storage.repositories.issues import Issue
from storage.repositories.prompts import Prompt
from storage.repositories.repository_items import RepositoryItem
from storage.workspace import Workspace
from workflows.monitors.figures import GapFigures, MonitorCheck, Skipped

KIND = "content_gap"
MOST_QUOTES = 3
LONGEST_PROMPT = 120
WORDS: Mapping[GapKind, str] = {
    GapKind.ANSWER: "Likely gap: engines name competitors and not the brand for",
    GapKind.CITATION: "Likely gap: engines cite a competitor's site and not the brand's for",
    GapKind.COVERAGE: "Likely gap: nothing that is published covers",
    GapKind.STALE: "The item that covers it has not changed for 180 days:",
    GapKind.MISSING_FACT: "The item that covers it lacks what is asked for:",
}
SEVERITIES: Mapping[str, Severity] = {"critical": "critical", "warning": "warning", "info": "info"}


@dataclass(frozen=True, slots=True)
class GapMaterial:
    """The input of gap detection; `answers` are those of prompts that were answered in the window."""

    prompts: Mapping[str, str]
    answers: Mapping[str, PromptEvidence]
    items: Sequence[RepositoryItem]
    names: Mapping[str, str]
    revision_key: int | None
    since: datetime


@dataclass(frozen=True, slots=True)
class ContentGap:
    """One gap of one prompt, with what it rests on."""

    prompt_id: str
    prompt: str
    gap: Gap
    evidence: tuple[StoredEvidence, ...]

    @property
    def title(self) -> str:
        """The gap as text, with the beginning of the prompt."""
        shown = self.prompt if len(self.prompt) <= LONGEST_PROMPT else f"{self.prompt[:LONGEST_PROMPT]}…"
        return f"{WORDS[self.gap.kind]} “{shown}”"


@dataclass(frozen=True, slots=True)
class GapAssessment:
    """The gaps of a brand, and what else was looked at and found without one, as (kind, prompt id)."""

    gaps: tuple[ContentGap, ...]
    clean: frozenset[tuple[GapKind, str]]
    figures: GapFigures


async def look(workspace: Workspace, brand: Brand, now: datetime) -> MonitorCheck[GapFigures]:
    """Find every gap of a brand. Raises Skipped without answers and items, or without prompts."""
    material = await load(workspace, brand, now)
    judged = await judge(workspace, brand, material, now)
    known = await workspace.issues.open_of(brand.key)
    return MonitorCheck(judged.figures, tuple(observations(judged, material.prompts, known)))


async def load(workspace: Workspace, brand: Brand, now: datetime) -> GapMaterial:
    """Load a brand's prompts, the answers of 28 days and its items. Raises Skipped."""
    prompts = {prompt.id: prompt.text for prompt in await asked(workspace, brand)}
    entities = await workspace.brands.entities(brand)
    since = now - WINDOW
    revision = await workspace.revisions.current(brand.key)
    answers: dict[str, PromptEvidence] = {}
    if revision is not None:
        counts, named = await workspace.prompt_answers.counts(brand.key, revision.key, since)
        answers = by_prompt(prompts, counts, named, entities)
    items = await published(workspace, brand)
    if not prompts or not (answers or items):
        raise Skipped("no_answers")
    return GapMaterial(
        prompts=prompts,
        answers=answers,
        items=items,
        names={str(prompt.key): prompt.name for prompt in entities},
        revision_key=revision.key if revision else None,
        since=since,
    )


async def asked(workspace: Workspace, brand: Brand) -> list[Prompt]:
    """Return the prompts of the active sets that are asked about a brand."""
    return [
        prompt
        for prompt_set in await workspace.prompt_sets.active()
        if prompt_set.brand_key in (None, brand.key)
        for prompt in await workspace.prompts.of_set(prompt_set.key)
    ]


def by_prompt(
    prompts: Mapping[str, str],
    counts: Iterable[AnswerCount],
    named: Iterable[EntityCount],
    entities: Sequence[EntityNames],
) -> dict[str, PromptEvidence]:
    """Lay the counts out by prompt; a competitor that the prompt names is left out of it."""
    valid: dict[str, Counter[str]] = defaultdict(Counter)
    measurable: Counter[str] = Counter()
    for row in counts:
        valid[row.prompt_id][row.platform] += row.valid
        measurable[row.prompt_id] += row.measurable
    naming: dict[str, Counter[str]] = defaultdict(Counter)
    citing: dict[str, Counter[str]] = defaultdict(Counter)
    rivals_on: dict[str, set[str]] = defaultdict(set)
    names = {
        row.key: [alias.text.casefold() for alias in row.aliases if not alias.negative] for row in entities
    }
    for row in named:
        text = prompts.get(row.prompt_id, "").casefold()
        if row.entity_key and any(name in text for name in names.get(row.entity_key, ())):
            continue
        naming[row.prompt_id][str(row.entity_key)] += row.named
        citing[row.prompt_id][str(row.entity_key)] += row.cited
        if row.entity_key and row.named:
            rivals_on[row.prompt_id].add(row.platform)
    return {
        prompt_id: PromptEvidence(
            platforms, naming[prompt_id], citing[prompt_id], measurable[prompt_id], rivals_on[prompt_id], "0"
        )
        for prompt_id, platforms in valid.items()
        if prompt_id in prompts
    }


async def judge(workspace: Workspace, brand: Brand, material: GapMaterial, now: datetime) -> GapAssessment:
    """Judge every prompt by gaps/1."""
    gaps_found: list[ContentGap] = []
    clean: set[tuple[GapKind, str]] = set()
    covered = 0
    on_items = await anyio.to_thread.run_sync(item_gaps, material, now)
    for prompt_id, text in material.prompts.items():
        seen = material.answers.get(prompt_id)
        gaps = [gap for gap in (answer_gap(seen), citation_gap(seen)) if gap] if seen else []
        gap_kinds = set[GapKind]()
        if seen and is_answered_enough(seen):
            gap_kinds.add(GapKind.ANSWER)
        if seen and seen.measurable:
            gap_kinds.add(GapKind.CITATION)
        if material.items:
            gaps += on_items[prompt_id]
            uncovered = any(gap.kind is GapKind.COVERAGE for gap in gaps)
            covered += not uncovered
            gap_kinds |= {GapKind.COVERAGE, GapKind.STALE, GapKind.MISSING_FACT}
        clean |= {(kind, prompt_id) for kind in gap_kinds - {gap.kind for gap in gaps}}
        for gap in gaps:
            evidence = await evidence_of(workspace, brand, material, prompt_id, gap)
            gaps_found.append(ContentGap(prompt_id, text, gap, evidence))
    kinds = Counter(gap_found.gap.kind for gap_found in gaps_found)
    figures = GapFigures(
        prompts=len(material.prompts),
        answered=len(material.answers),
        covered=covered if material.items else None,
        gaps={kind.value: kinds[kind] for kind in GapKind},
        method=GAPS_VERSION,
    )
    return GapAssessment(tuple(gaps_found), frozenset(clean), figures)


def item_gaps(material: GapMaterial, now: datetime) -> dict[str, list[Gap]]:
    """Return what the items lack for each prompt; none without items, since then nothing was looked at."""
    if not material.items:
        return {}
    library = ItemLibrary([Item(item.title, item.body, item.updated_at) for item in material.items])
    return {prompt_id: library.gaps(text, now) for prompt_id, text in material.prompts.items()}


async def evidence_of(
    workspace: Workspace, brand: Brand, material: GapMaterial, prompt_id: str, gap: Gap
) -> tuple[StoredEvidence, ...]:
    """Return the prompt, and the answers' sentences or the best item with its coverage."""
    evidence: list[StoredEvidence] = [
        StoredEvidence(type="prompt", id=prompt_id, excerpt=material.prompts[prompt_id][:300])
    ]
    if gap.rivals and material.revision_key is not None:
        quotes = await workspace.prompt_answers.quotes(
            brand.key, material.revision_key, material.since, prompt_id, MOST_QUOTES
        )
        evidence += [
            StoredEvidence(type="answer", id=quote.answer_id, excerpt=quote.quote[:300]) for quote in quotes
        ]
        named = [material.names[key] for key in gap.rivals if key in material.names]
        evidence.append(StoredEvidence(type="competitors", excerpt=", ".join(named)[:300]))
    if gap.item is not None:
        item = material.items[gap.item]
        evidence.append(
            StoredEvidence(
                type="repository_item",
                id=item.id,
                excerpt=f"{item.title[:200]} (coverage {gap.coverage or 0:.2f})",
            )
        )
    if gap.fact is not None:
        evidence.append(StoredEvidence(type="fact", excerpt=gap.fact))
    return tuple(evidence)


def observations(
    judged: GapAssessment, prompts: Mapping[str, str], known: Sequence[Issue]
) -> Iterable[IssueObservation]:
    """Return what the gaps mean for issues; a prompt that is asked no more has no gap."""
    for prompt_gap in judged.gaps:
        yield IssueObservation(
            KIND,
            check_of(prompt_gap.gap.kind),
            prompt_gap.prompt_id,
            prompt_gap.title,
            SEVERITIES[prompt_gap.gap.severity],
            evidence=prompt_gap.evidence,
        )
    for kind, prompt_id in sorted(judged.clean):
        yield IssueObservation(KIND, check_of(kind), prompt_id)
    for issue in known:
        if issue.kind == KIND and issue.subject not in prompts:
            yield IssueObservation(KIND, issue.check_id, issue.subject)


def check_of(kind: GapKind) -> str:
    """Return the check that a kind of gap is."""
    return f"gap.{kind.value}"
