"""Writes, checks and judges drafts with a configured engine; shared by the agents that draft."""

import logging
from collections.abc import Mapping, Sequence

from engines.engine import Engine
from storage.documents import StoredEvidence
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Work, numbered
from workflows.agents.outputs.gaps import VisibilityEvidence
from workflows.agents.outputs.site import SiteProfile
from workflows.agents.repository_auditor import published
from workflows.agents.writing import ask, writing_engine
from workflows.drafts.checks import (
    Judgement,
    MarketNames,
    apply_judgement,
    check_values,
    judge_prompt,
    language_of,
    prepare_facts,
    read_judgements,
)
from workflows.drafts.document import DraftReview, DraftSentence, Fact
from workflows.drafts.facts import number_facts
from workflows.drafts.writer import UNREADABLE, read_draft, writer_prompt
from workflows.errors import AgentFailed

log = logging.getLogger(__name__)

WRITER_TOKENS, JUDGE_TOKENS = 3000, 4000
SECOND_ATTEMPT, FIRST_JUDGEMENT = 500, 1000
"""Added to the ordinal of a draft for the repeated request of its writer, and for its judge."""
MOST_SHOWN = 10
LONGEST_TITLE, LONGEST_SENTENCE = 150, 300


async def facts_about(work: Work, about: str) -> tuple[Fact, ...]:
    """Return the numbered facts of the brand for a text: profile, published items, and the site as this run read it."""
    readers = (work.find_output(VisibilityEvidence), work.find_output(SiteProfile))
    pages = [page for reader in readers if reader is not None for page in reader.page_texts]
    return number_facts(work.brand, await published(work), pages, about)


async def write_draft(
    work: Work, engine: Engine, task: str, facts: Sequence[Fact], ordinal: int, material: str = ""
) -> tuple[DraftSentence, ...]:
    """Have a draft written from facts. `material` is not part of what a repeated request is recognized by.

    An answer that cannot be read is asked for once more, then fails with `invalid_response`. Fails as asking does.
    """
    prompt = writer_prompt(task, facts)
    for attempt, request in enumerate((prompt, f"{prompt}\n\n{UNREADABLE}")):
        shown = f"{request}\n\n{material}".strip()
        place = ordinal + attempt * SECOND_ATTEMPT
        written = await ask(work, engine, shown, place, WRITER_TOKENS, known_as=request)
        sentences = read_draft(written.text, len(facts))
        if sentences is not None:
            return sentences
    raise AgentFailed("invalid_response")


async def check_draft(
    work: Work, facts: Sequence[Fact], sentences: Sequence[DraftSentence], ordinal: int
) -> DraftReview:
    """Return the review of a draft; what no engine judges is `not_checked` unless its values are missing already."""
    market = MarketNames.of(await work.workspace.brands.entities(work.brand))
    language = language_of(sentences)
    prepared = prepare_facts(facts, language)
    checked = [check_values(sentence, prepared, market, language) for sentence in sentences]
    open_numbers = [number for number, sentence in enumerate(checked, 1) if not sentence.reason]
    prompt = judge_prompt(work.brand.name, facts, checked, open_numbers)
    judged: Mapping[int, Judgement] = await _judge(work, prompt, ordinal) if open_numbers else {}
    for number in open_numbers:
        sentence = checked[number - 1]
        checked[number - 1] = apply_judgement(sentence, facts, judged.get(number), market, language)
    return DraftReview(facts=tuple(facts), sentences=tuple(checked))


async def _judge(work: Work, prompt: str, ordinal: int) -> Mapping[int, Judgement]:
    try:
        engine = await writing_engine(work)
        place = FIRST_JUDGEMENT + ordinal
        written = await ask(work, engine, prompt, place, JUDGE_TOKENS, temperature=0.0)
    except AgentFailed as failed:
        log.info("a draft of run %s was not judged: %s", work.run_id, failed.code)
        return {}
    return read_judgements(written.text)


def review_finding(title: str, review: DraftReview) -> FindingDraft:
    """Report a stored draft with the sentences that need a decision before it can be approved."""
    undecided = [sentence for sentence in review.sentences if sentence.undecided]
    if not undecided:
        return FindingDraft(
            "info", "proposal", title, "The draft is in Content. Every sentence has a source.", effort="small"
        )
    reasons = "; ".join(dict.fromkeys(sentence.explanation for sentence in undecided[:MOST_SHOWN]))
    return FindingDraft(
        "warning",
        "proposal",
        f"Draft needs review: {title[:LONGEST_TITLE]}",
        f"{len(undecided)} of {numbered(len(review.sentences), 'sentence')} "
        f"{'needs' if len(undecided) == 1 else 'need'} a decision. {reasons}.",
        [StoredEvidence(type="draft", excerpt=s.text[:LONGEST_SENTENCE]) for s in undecided[:MOST_SHOWN]],
        fix="Open the draft in Content. Edit, confirm or delete each marked sentence, or add the missing fact to the "
        "profile or the repository and run this again.",
        effort="small",
    )
