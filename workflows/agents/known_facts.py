"""Everything that a brand stands by, read for one run, and what becomes of a draft that is held against it."""

from collections.abc import Sequence
from dataclasses import dataclass

from analytics.grounding.draft_sentences import MissingFact, Statement
from analytics.grounding.known_texts import KnownText
from analytics.grounding.sentence_spans import LONGEST_TEXT
from analytics.grounding.support import Grounding
from storage.documents import StoredEvidence
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Work
from workflows.agents.content_writer import profile
from workflows.agents.outputs.gaps import VisibilityEvidence
from workflows.agents.outputs.site import SiteProfile
from workflows.agents.repository_auditor import published

MOST_CUT_SHARE = 1 / 3
GRAVE = frozenset(("legal", "medical", "rival", "name", "award", "certificate"))
"""Kinds of claims after which nothing else that an engine wrote beside them is taken on trust."""
MOST_SHOWN = 10
LONGEST_SENTENCE = 300
LONGEST_WORDS = 80
PLACES = {
    "phone": "an item with a line such as `Phone: ...`",
    "hours": "an item with a line such as `Hours: Monday to Friday 9:00-17:00`",
    "amount": "an item that names the product and its price",
    "free offer": "an item that says what is free",
    "date": "an item that says what happened in that year",
    "name": "an item that names the person, place or organization and its part in the company",
    "statement": "an item that says so of the company",
    "address": "the profile's website, or an item with that address",
}
ELSEWHERE = "an item of the repository that says so"


@dataclass(frozen=True, slots=True)
class CheckedDraft:
    """A draft after the check: what of it may stand, None when it is refused, and the sentences that lack a fact."""

    text: str | None
    lacking: tuple[Statement, ...]


async def grounding_of(work: Work) -> Grounding:
    """Read profile, published items and what this run saw of the site, for drafts to be held against."""
    known = [KnownText("profile", profile(work))]
    known += [
        KnownText(f"item {item.id}", f"{item.body}\n{item.url or ''}", item.title)
        for item in await published(work)
    ]
    readers = (work.find_output(VisibilityEvidence), work.find_output(SiteProfile))
    known += [KnownText("site", reader.text) for reader in readers if reader]
    entity = (await work.workspace.brands.entities(work.brand))[0]
    own = (entity.name, *(alias.text for alias in entity.aliases))
    return Grounding([*known, *(KnownText("profile", site) for site in entity.sites)], own)


def check_draft(grounding: Grounding, body: str, title: str = "") -> CheckedDraft:
    """Cut the sentences that lack a fact; refuse a draft that loses more than a third, or that makes a grave claim."""
    if len(body) > LONGEST_TEXT:
        return CheckedDraft(
            None, tuple(statement for statement in grounding.check(body, title) if statement.missing)
        )
    return judged_draft(body, grounding.check(body, title))


def judged_draft(body: str, statements: Sequence[Statement]) -> CheckedDraft:
    """Return what becomes of a draft of these sentences, by what each lacks."""
    lacking = tuple(statement for statement in statements if statement.missing)
    grave = any(fact.kind in GRAVE for statement in lacking for fact in statement.missing)
    kept = "".join(statement.text for statement in statements if not statement.missing).strip()
    if not lacking and kept:
        return CheckedDraft(body, ())
    if grave or not kept or len(lacking) > MOST_CUT_SHARE * len(statements):
        return CheckedDraft(None, lacking)
    return CheckedDraft(kept, lacking)


def lacking_finding(title: str, checked: CheckedDraft) -> FindingDraft:
    """Name the sentences that lack a fact, which fact that is, and where to add it."""
    facts = list(dict.fromkeys(fact for statement in checked.lacking for fact in statement.missing))
    shown = checked.lacking[:MOST_SHOWN]
    evidence = [
        StoredEvidence(type="draft", excerpt=statement.text.strip()[:LONGEST_SENTENCE]) for statement in shown
    ]
    count = len(checked.lacking)
    sentences = "One sentence says" if count == 1 else f"{count} sentences say"
    done = (
        "The draft was refused."
        if checked.text is None
        else "They were cut; the rest is stored."
        if count > 1
        else ("It was cut; the rest is stored.")
    )
    listed = "; ".join(f'{fact.kind} "{fact.words[:LONGEST_WORDS]}"' for fact in facts[:MOST_SHOWN])
    return FindingDraft(
        "warning",
        "proposal",
        f"{'Draft refused' if checked.text is None else 'Draft shortened'}: {title[:150]}",
        f"{sentences} what no fact of profile, repository or site supports: {listed}. {done}",
        evidence,
        fix=f"If it is true, add {' and '.join(dict.fromkeys(map(place_of, facts)))}, and run this again.",
        effort="small",
    )


def place_of(fact: MissingFact) -> str:
    """Return where a missing fact belongs."""
    return PLACES.get(fact.kind, ELSEWHERE)
