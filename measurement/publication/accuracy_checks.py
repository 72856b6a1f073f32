"""Check the claims of answers against profile and repository (hallucinations); contradictions become issues."""

from collections import defaultdict
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import anyio.to_thread

from analytics.accuracy.claims import (
    VERSION,
    CheckedClaim,
    FactMaterial,
    Facts,
    check,
    facts_of,
    omitted,
    score,
)
from measurement.alerts.issues import IssueObservation
from measurement.planning.brand_identity import BRAND_KEY, BrandIdentity
from measurement.planning.engine_names import channel_name
from measurement.planning.published_items import published
from storage.documents import StoredEvidence
from storage.repositories.answers.judgements import Claim, StoredClaim
from storage.repositories.answers.mentions import MentionedSpanRow, MentioningAnswerRow
from storage.workspace import Workspace

MOST_EVIDENCE = 5
PERSISTENT = 3
"""Contradictions of one fact in one channel that make it critical, if they outnumber the agreeing claims."""
PLACES: Mapping[str, str] = {
    "phone": "telephone number",
    "email": "e-mail address",
    "site": "website",
    "hours": "opening hours",
    "founded": "founding year",
}


CHUNK = 200
Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class AnswerMentions:
    """One valid answer; `own` and `others` are the counted spans of the brand and of its competitors."""

    answer: MentioningAnswerRow
    own: tuple[Span, ...]
    others: tuple[Span, ...]
    mention: MentionedSpanRow | None


async def read_answer_mentions(
    workspace: Workspace, revision_key: int, batch_key: int
) -> AsyncGenerator[list[AnswerMentions]]:
    """Yield the valid answers of a batch that a revision has read, in chunks."""
    after = 0
    while True:
        answers, mentions = await workspace.mentioning_answers.after(revision_key, batch_key, after, CHUNK)
        if not answers:
            return
        after = answers[-1].key
        by_answer: dict[int, list[MentionedSpanRow]] = {}
        for mention in mentions:
            by_answer.setdefault(mention.answer_key, []).append(mention)
        yield [group_mentions(answer, by_answer.get(answer.key, [])) for answer in answers]


def group_mentions(answer: MentioningAnswerRow, mentions: list[MentionedSpanRow]) -> AnswerMentions:
    """Separate the brand's spans from those of other entities."""
    own = next((mention for mention in mentions if mention.entity_key == BRAND_KEY), None)
    others = [span for mention in mentions if mention.entity_key != BRAND_KEY for span in counted(mention)]
    return AnswerMentions(answer, tuple(counted(own)) if own else (), tuple(others), own)


def counted(mention: MentionedSpanRow) -> list[Span]:
    """Return the spans that count."""
    return [(span["start"], span["end"]) for span in mention.spans if span["status"] == "counted"]


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """The claims of one answer."""

    answer: AnswerMentions
    claims: tuple[CheckedClaim, ...]


@dataclass(frozen=True, slots=True)
class CheckedBatch:
    """The claims of a batch, and the facts they were checked against."""

    facts: Facts
    answers: tuple[CheckedAnswer, ...]

    @property
    def omitted(self) -> int:
        """Number of facts that no answer mentions."""
        return len(omitted(self.facts, (claim for answer in self.answers for claim in answer.claims)))


async def known_facts(workspace: Workspace, identity: BrandIdentity) -> Facts:
    """Return all facts of the profile and the repository."""
    own = next(entity for entity in identity.named if entity.key == BRAND_KEY)
    website = (identity.brand.website,) if identity.brand.website else ()
    items = await published(workspace, identity.brand)
    material = [FactMaterial(item.body, item.id, item.title) for item in items]
    if identity.brand.facts:
        material.insert(0, FactMaterial(profile_lines(identity.brand.facts), "profile"))
    return await anyio.to_thread.run_sync(facts_of, material, (*website, *own.sites))


def profile_lines(facts: Mapping[str, Any]) -> str:
    """Return the facts of a profile as the `Key: value` lines from which facts are parsed."""
    named = {
        "telephone": "Telephone",
        "address": "Address",
        "openingHours": "Opening hours",
        "foundingYear": "Founded",
    }
    lines = [f"{words}: {facts[name]}" for name, words in named.items() if name in facts]
    return "\n".join([*lines, *(f"{price['name']}: {price['price']}" for price in facts.get("prices", ()))])


async def check_batch(
    workspace: Workspace, identity: BrandIdentity, revision_key: int, batch_key: int
) -> CheckedBatch:
    """Check every valid answer of a batch; without any facts there is nothing to check against."""
    facts = await known_facts(workspace, identity)
    checked_answers: list[CheckedAnswer] = []
    if facts.all:
        async for answers in read_answer_mentions(workspace, revision_key, batch_key):
            checked_answers += await anyio.to_thread.run_sync(check_answers, facts, answers)
    return CheckedBatch(facts, tuple(checked_answers))


def check_answers(facts: Facts, answers: Sequence[AnswerMentions]) -> list[CheckedAnswer]:
    """Check a chunk of answers; answers without a claim are left out."""
    checked_answers: list[CheckedAnswer] = []
    for answer in answers:
        claims = check(answer.answer.text, facts, answer.own, answer.others, branded=answer.answer.branded)
        if claims:
            checked_answers.append(CheckedAnswer(answer, tuple(claims)))
    return checked_answers


async def keep(writing: Workspace, batch_key: int, checked: CheckedBatch) -> None:
    """Store claims and the accuracy of each simulation, in the transaction that publishes the batch."""
    await writing.judgements.add_claims(
        [
            (checked_answer.answer.answer.key, [stored(claim, VERSION) for claim in checked_answer.claims])
            for checked_answer in checked.answers
        ]
    )
    await rate(writing, batch_key)


async def rate(writing: Workspace, batch_key: int) -> None:
    """Store the accuracy of each simulation of a batch, calculated from its stored claims."""
    by_simulation: dict[int, list[Claim]] = defaultdict(list)
    for stored_claim in await writing.judgements.claims(batch_key):
        by_simulation[stored_claim.simulation_key].append(stored_claim.claim)
    for key, claims in by_simulation.items():
        accuracy = score(claim.verdict for claim in claims)
        await writing.judgements.rate_accuracy(key, None if accuracy is None else round(accuracy))


def stored(claim: CheckedClaim, method: str) -> Claim:
    """Return a claim as it is stored, with both texts."""
    fact = claim.fact
    subject = fact.subject if fact else ""
    return Claim(
        kind=f"{claim.kind}:{subject}" if subject else claim.kind,
        verdict=claim.verdict,
        method=method,
        claim=claim.claim,
        fact=fact.quote if fact else None,
        source=fact.source if fact else None,
    )


def observations(claims: Iterable[StoredClaim]) -> list[IssueObservation]:
    """Return what the claims of a batch say about each fact in each channel.

    Facts that claims contradict or agree with are observed; facts that no claim mentions are not.
    """
    claims_by_place: dict[tuple[str, str, str], list[StoredClaim]] = defaultdict(list)
    for claim in claims:
        if claim.claim.source is not None:
            claims_by_place[claim.claim.kind, claim.claim.source, f"{claim.platform}/{claim.mode}"].append(
                claim
            )
    return [observation(*place, place_claims) for place, place_claims in sorted(claims_by_place.items())]


def observation(kind: str, source: str, channel: str, claims: Sequence[StoredClaim]) -> IssueObservation:
    """Return the observation of one fact in one channel; it is bad if a claim contradicts the fact."""
    wrong = [claim for claim in claims if claim.claim.verdict == "contradicted"]
    persistent = len(wrong) >= PERSISTENT and 2 * len(wrong) > len(claims)
    measure, _, subject = kind.partition(":")
    name = f"{PLACES.get(measure, measure)} of {subject}" if subject else PLACES.get(measure, measure)
    return IssueObservation(
        kind="accuracy",
        check_id=f"accuracy.{kind}:{source}",
        subject=channel,
        bad=f"{channel_name(channel)} tells another {name} than the brand does" if wrong else None,
        severity="critical" if persistent else "warning",
        evidence=[evidence for claim in wrong[:MOST_EVIDENCE] for evidence in side_by_side(claim)],
    )


def side_by_side(stored_claim: StoredClaim) -> list[StoredEvidence]:
    """Return the claim and the fact that it contradicts, as evidence."""
    kind = "profile" if stored_claim.claim.source == "profile" else "repository_item"
    return [
        StoredEvidence(type="answer", id=stored_claim.answer_id, excerpt=stored_claim.claim.claim),
        StoredEvidence(type=kind, id=stored_claim.claim.source or "", excerpt=stored_claim.claim.fact or ""),
    ]
