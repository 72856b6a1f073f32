"""Audits of matching: a sample of a brand's answers, a user's labels, and what they imply for the numbers."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from analytics.audit_sample import (
    AuditCandidate,
    AuditLabel,
    AuditReport,
    draw,
    report,
)
from analytics.intervals import IntervalPair, interval_pair
from analytics.observation import Channel
from analytics.prompt_means import cell, estimate
from measurement.errors import ChangeRefused
from storage.database import Database
from storage.repositories.audits import AuditableAnswer, AuditRow, LabelRow
from storage.repositories.brands import Brand
from storage.workspace import Workspace

SMALLEST, LARGEST = 10, 1000


@dataclass(frozen=True, slots=True)
class AuditSummary:
    """An audit with its report: labeled answers of the sample, raw presence rate (0-1), both intervals."""

    audit: AuditRow
    sampled: int
    labeled: int
    rate: float
    intervals: IntervalPair
    report: AuditReport


async def draw_sample(
    database: Database, company_id: str, brand: Brand, size: int, seed: int, now: datetime
) -> list[LabelRow]:
    """Draw and store a sample of the brand's answers; return it. Raises ChangeRefused if there are none."""
    if not SMALLEST <= size <= LARGEST:
        raise ChangeRefused(f"a sample has {SMALLEST} to {LARGEST} answers", "Choose another size.")
    if brand.revision_key is None:
        raise ChangeRefused(f"{brand.name} was never measured", "Ask engines with seenby probe first.")
    async with database.transaction(company_id) as writing:
        population = await writing.audits.population(brand.key, brand.revision_key)
        if not population:
            raise ChangeRefused(
                f"{brand.name} has no answers to audit", "Ask engines with seenby probe first."
            )
        chosen = set(draw([AuditCandidate(a.key, a.prompt, a.named) for a in population], size, seed))
        sample = [answer for answer in population if answer.key in chosen]
        await writing.audits.add(brand.key, brand.revision_key, seed, sample, now)
        return (await newest(writing, brand))[1]


async def newest(workspace: Workspace, brand: Brand) -> tuple[AuditRow, list[LabelRow]]:
    """Return the newest audit of a brand and its sample. Raises ChangeRefused if there is none."""
    audit = await workspace.audits.newest(brand.key)
    if audit is None:
        raise ChangeRefused(f"{brand.name} has no audit", "Draw a sample with seenby audit sample.")
    return audit, await workspace.audits.sample(audit.key)


async def add_label(
    database: Database,
    company_id: str,
    brand: Brand,
    answer_id: str,
    named: bool,
    tone: str | None,
    now: datetime,
) -> None:
    """Store a user's label of an answer in the newest audit. Raises ChangeRefused for an answer outside it."""
    async with database.transaction(company_id) as writing:
        audit, sample = await newest(writing, brand)
        row = next((row for row in sample if row.answer_id == answer_id), None)
        if row is None:
            raise ChangeRefused(f"{answer_id} is not in the sample", "seenby audit report lists the sample.")
        if tone is not None and not named:
            raise ChangeRefused(
                "an answer that does not name the brand has no tone towards it", "Leave the tone out."
            )
        await writing.audits.label(audit.key, row.answer_key, named, tone, now)


async def summarize(workspace: Workspace, brand: Brand) -> AuditSummary:
    """Compute the report of a brand's newest audit. Raises ChangeRefused if there is none."""
    audit, sample = await newest(workspace, brand)
    population = await workspace.audits.population(brand.key, audit.revision_key)
    rate, intervals = presence_rate(population)
    labels = [
        AuditLabel(row.read_as_named, row.named, row.read_tone, row.tone)
        for row in sample
        if row.named is not None
    ]
    return AuditSummary(
        audit=audit,
        sampled=len(sample),
        labeled=len(labels),
        rate=rate,
        intervals=intervals,
        report=report(labels, rate, intervals.all_questions),
    )


def presence_rate(population: list[AuditableAnswer]) -> tuple[float, IntervalPair]:
    """Return the raw presence rate of all answers with both intervals."""
    values: dict[tuple[str, Channel], list[float]] = defaultdict(list)
    for answer in population:
        channel = Channel(answer.platform, answer.mode, answer.source, answer.country)
        values[answer.prompt, channel].append(float(answer.named))
    cells = {key: cell(of) for key, of in values.items()}
    value = estimate(cells)
    if value is None:
        raise ChangeRefused("the answers of the audit are gone", "Draw a new sample.")
    return value.mean, interval_pair(cells, value, yes_or_no=True)
