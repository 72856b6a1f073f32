"""Looks for prompts on which competitors win, or that nothing a brand publishes answers."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import anyio.to_thread

from analytics.gaps import (
    GAPS_VERSION,
    WINDOW,
    Gap,
    GapKind,
    Item,
    Library,
    PromptAnswers,
    answer_gap,
    citation_gap,
    is_answered_enough,
)
from storage.repositories.brands import Brand, Named
from storage.repositories.issues import Issue
from storage.repositories.prompt_answers import AnswerCount, EntityCount
from storage.repositories.prompt_sets import Prompt
from storage.repositories.repository_items import RepositoryItem
from storage.workspace import Workspace
from workflows.issues import Observation, Severity
from workflows.monitors.look import Look, Skipped
from workflows.published import published

KIND = "content_gap"
MOST_QUOTES = 3
LONGEST_PROMPT = 120
WORDS: Mapping[GapKind, str] = {
    GapKind.ANSWER: "Likely gap: engines name competitors and not the brand for",
    GapKind.CITATION: "Likely gap: engines cite a competitor's site and not the brand's for",
    GapKind.COVERAGE: "Likely gap: no repository item covers",
    GapKind.STALE: "The item that covers it has not changed for 180 days:",
    GapKind.MISSING_FACT: "The item that covers it lacks what is asked for:",
}
SEVERITIES: Mapping[str, Severity] = {"critical": "critical", "warning": "warning", "info": "info"}


@dataclass(frozen=True, slots=True)
class Material:
    """Everything that gaps are told from; `answers` are those of prompts that were answered in the window."""

    prompts: Mapping[str, str]
    answers: Mapping[str, PromptAnswers]
    items: Sequence[RepositoryItem]
    names: Mapping[str, str]
    revision_key: int | None
    since: datetime


@dataclass(frozen=True, slots=True)
class FoundGap:
    """One gap of one prompt, with what it rests on."""

    prompt_id: str
    prompt: str
    gap: Gap
    evidence: tuple[Mapping[str, Any], ...]

    @property
    def title(self) -> str:
        """The gap in words, with the beginning of the prompt."""
        shown = self.prompt if len(self.prompt) <= LONGEST_PROMPT else f"{self.prompt[:LONGEST_PROMPT]}…"
        return f"{WORDS[self.gap.kind]} “{shown}”"


@dataclass(frozen=True, slots=True)
class Judged:
    """The gaps of a brand, and what else was looked at and found without one, as (kind, prompt id)."""

    gaps: tuple[FoundGap, ...]
    clean: frozenset[tuple[GapKind, str]]
    metrics: Mapping[str, Any]


async def look(workspace: Workspace, brand: Brand, now: datetime) -> Look:
    """Look for every gap of a brand. Raises Skipped without answers and items, or without prompts."""
    material = await load(workspace, brand, now)
    judged = await judge(workspace, brand, material, now)
    known = await workspace.issues.open_of(brand.key)
    return Look(judged.metrics, tuple(observations(judged, material.prompts, known)))


async def load(workspace: Workspace, brand: Brand, now: datetime) -> Material:
    """Load a brand's prompts, the answers of 28 days and its items. Raises Skipped."""
    prompts = {one.id: one.text for one in await asked(workspace, brand)}
    entities = await workspace.brands.entities(brand)
    since = now - WINDOW
    revision = await workspace.revisions.current(brand.key)
    answers: dict[str, PromptAnswers] = {}
    if revision is not None:
        counts, named = await workspace.prompt_answers.counts(brand.key, revision.key, since)
        answers = by_prompt(prompts, counts, named, entities)
    items = await published(workspace, brand)
    if not prompts or not (answers or items):
        raise Skipped("no_answers")
    return Material(
        prompts=prompts,
        answers=answers,
        items=items,
        names={str(one.key): one.name for one in entities},
        revision_key=revision.key if revision else None,
        since=since,
    )


async def asked(workspace: Workspace, brand: Brand) -> list[Prompt]:
    """Return the prompts of the active sets that are asked about a brand."""
    return [
        prompt
        for one in await workspace.prompt_sets.active()
        if one.brand_key in (None, brand.key)
        for prompt in await workspace.prompt_sets.prompts(one.key)
    ]


def by_prompt(
    prompts: Mapping[str, str],
    counts: Iterable[AnswerCount],
    named: Iterable[EntityCount],
    entities: Sequence[Named],
) -> dict[str, PromptAnswers]:
    """Lay the counts out by prompt; a competitor that the prompt names is left out of it."""
    valid: dict[str, Counter[str]] = defaultdict(Counter)
    measurable: Counter[str] = Counter()
    for one in counts:
        valid[one.prompt_id][one.platform] += one.valid
        measurable[one.prompt_id] += one.measurable
    naming: dict[str, Counter[str]] = defaultdict(Counter)
    citing: dict[str, Counter[str]] = defaultdict(Counter)
    rivals_on: dict[str, set[str]] = defaultdict(set)
    names = {
        one.key: [alias.text.casefold() for alias in one.aliases if not alias.negative] for one in entities
    }
    for one in named:
        text = prompts.get(one.prompt_id, "").casefold()
        if one.entity_key and any(name in text for name in names.get(one.entity_key, ())):
            continue
        naming[one.prompt_id][str(one.entity_key)] += one.named
        citing[one.prompt_id][str(one.entity_key)] += one.cited
        if one.entity_key and one.named:
            rivals_on[one.prompt_id].add(one.platform)
    return {
        prompt_id: PromptAnswers(
            platforms, naming[prompt_id], citing[prompt_id], measurable[prompt_id], rivals_on[prompt_id], "0"
        )
        for prompt_id, platforms in valid.items()
        if prompt_id in prompts
    }


async def judge(workspace: Workspace, brand: Brand, material: Material, now: datetime) -> Judged:
    """Judge every prompt by gaps/1."""
    found: list[FoundGap] = []
    clean: set[tuple[GapKind, str]] = set()
    covered = 0
    on_items = await anyio.to_thread.run_sync(item_gaps, material, now)
    for prompt_id, text in material.prompts.items():
        seen = material.answers.get(prompt_id)
        gaps = [gap for gap in (answer_gap(seen), citation_gap(seen)) if gap] if seen else []
        looked = set[GapKind]()
        if seen and is_answered_enough(seen):
            looked.add(GapKind.ANSWER)
        if seen and seen.measurable:
            looked.add(GapKind.CITATION)
        if material.items:
            gaps += on_items[prompt_id]
            uncovered = any(gap.kind is GapKind.COVERAGE for gap in gaps)
            covered += not uncovered
            looked |= {GapKind.COVERAGE, GapKind.STALE, GapKind.MISSING_FACT}
        clean |= {(kind, prompt_id) for kind in looked - {gap.kind for gap in gaps}}
        for gap in gaps:
            evidence = await evidence_of(workspace, brand, material, prompt_id, gap)
            found.append(FoundGap(prompt_id, text, gap, evidence))
    kinds = Counter(one.gap.kind for one in found)
    metrics = {
        "prompts": len(material.prompts),
        "answered": len(material.answers),
        "covered": covered if material.items else None,
        "gaps": {kind.value: kinds[kind] for kind in GapKind},
        "method": GAPS_VERSION,
    }
    return Judged(tuple(found), frozenset(clean), metrics)


def item_gaps(material: Material, now: datetime) -> dict[str, list[Gap]]:
    """Return what the items lack for each prompt; none without items, since then nothing was looked at."""
    if not material.items:
        return {}
    library = Library([Item(one.title, one.body, one.updated_at) for one in material.items])
    return {prompt_id: library.gaps(text, now) for prompt_id, text in material.prompts.items()}


async def evidence_of(
    workspace: Workspace, brand: Brand, material: Material, prompt_id: str, gap: Gap
) -> tuple[Mapping[str, Any], ...]:
    """Return the prompt, and the answers' sentences or the best item with its coverage."""
    evidence: list[Mapping[str, Any]] = [
        {"type": "prompt", "id": prompt_id, "excerpt": material.prompts[prompt_id][:300]}
    ]
    if gap.rivals and material.revision_key is not None:
        quotes = await workspace.prompt_answers.quotes(
            brand.key, material.revision_key, material.since, prompt_id, MOST_QUOTES
        )
        evidence += [{"type": "answer", "id": one.answer_id, "excerpt": one.quote[:300]} for one in quotes]
        named = [material.names[key] for key in gap.rivals if key in material.names]
        evidence.append({"type": "competitors", "excerpt": ", ".join(named)[:300]})
    if gap.item is not None:
        item = material.items[gap.item]
        evidence.append(
            {
                "type": "repository_item",
                "id": item.id,
                "excerpt": f"{item.title[:200]} (coverage {gap.coverage or 0:.2f})",
            }
        )
    if gap.fact is not None:
        evidence.append({"type": "fact", "excerpt": gap.fact})
    return tuple(evidence)


def observations(judged: Judged, prompts: Mapping[str, str], known: Sequence[Issue]) -> Iterable[Observation]:
    """Return what the gaps mean for issues; a prompt that is asked no more has no gap."""
    for one in judged.gaps:
        yield Observation(
            KIND, check_of(one.gap.kind), one.prompt_id, one.title, SEVERITIES[one.gap.severity],
            evidence=one.evidence,
        )  # fmt: skip
    for kind, prompt_id in sorted(judged.clean):
        yield Observation(KIND, check_of(kind), prompt_id)
    for issue in known:
        if issue.kind == KIND and issue.subject not in prompts:
            yield Observation(KIND, issue.check_id, issue.subject)


def check_of(kind: GapKind) -> str:
    """Return the check that a kind of gap is."""
    return f"gap.{kind.value}"
