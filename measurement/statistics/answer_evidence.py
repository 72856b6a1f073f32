"""Load one stored answer as evidence: its text, mentions and citations, and why it counts or not."""

from collections.abc import Sequence
from dataclasses import dataclass

from analytics.answers.citations import Citation, CitationKind, OwnedCitation, Ownership
from engines.engine import Mode, Question
from engines.errors import EngineError
from measurement.extraction.answer_drafts import exchanges_in
from measurement.extraction.sightings import ReadSighting, read_sighting
from measurement.planning.brand_identity import identify, sites_of
from storage.errors import DamagedData, RowGone
from storage.repositories.answers.citations import StoredCitation
from storage.repositories.answers.evidence import EvidenceAnswer, EvidenceMention
from storage.repositories.answers.judgements import Claim
from storage.repositories.answers.reparsed_answers import RawAnswer
from storage.repositories.brands import EntityNames
from storage.workspace import Workspace


@dataclass(frozen=True, slots=True)
class AnswerEvidence:
    """One answer with its evidence; `queries` is None if the raw exchange was deleted or shows none."""

    answer: EvidenceAnswer
    text: str
    entities: Sequence[EntityNames]
    """The brand, whose key is 0, and its competitors."""
    mentions: Sequence[EvidenceMention]
    citations: Sequence[OwnedCitation]
    queries: tuple[str, ...] | None
    claims: Sequence[Claim]
    sighting: ReadSighting | None = None
    """For an AI surface observation."""


async def open_answer(workspace: Workspace, answer: EvidenceAnswer) -> AnswerEvidence:
    """Load everything that is known about one answer. Raises RowGone if its brand was deleted meanwhile."""
    brand = await workspace.brands.find(answer.brand_id)
    if brand is None:
        raise RowGone
    sites = await sites_of(workspace, brand)
    text = await workspace.evidence.text(answer)
    stored = await workspace.citations.of_answer(answer.key, brand.parsing)
    raw = await workspace.reparsed.one(answer.key)
    seen, absent_reason = await workspace.evidence.seen(answer)
    return AnswerEvidence(
        answer=answer,
        text=text,
        entities=sites.named,
        mentions=await workspace.evidence.mentions(answer),
        citations=owned_citations(sites.ownership, stored, text),
        queries=search_queries(raw) if raw else None,
        claims=await workspace.evidence.claims(answer),
        sighting=read_sighting(await identify(workspace, brand), seen, absent_reason) if seen else None,
    )


def owned_citations(
    ownership: Ownership, stored: Sequence[StoredCitation], text: str
) -> tuple[OwnedCitation, ...]:
    """Return the distinct sources of an answer in order, each with its owner."""
    cited = [Citation(citation.url, CitationKind(citation.kind), citation.title) for citation in stored]
    return ownership.read(cited, text)


def search_queries(raw: RawAnswer) -> tuple[str, ...] | None:
    """Return the engine's search queries from its raw exchange; None if it cannot be read."""
    from engines.parsers import parser_of  # all engines, loaded by who opens one answer

    parse = parser_of(raw.parser)
    if parse is None or not raw.exchanges:
        return None
    question = Question(raw.prompt, Mode(raw.mode), raw.ask_key, language=raw.language)
    try:
        return parse(question, exchanges_in(raw.exchanges)).retrieval.queries
    except (EngineError, DamagedData):
        return None


def left_out(answer: EvidenceAnswer) -> list[str]:
    """Return why rates exclude an answer, as the API's reason codes; empty if they count it."""
    reasons = [answer.status] if answer.status != "answered" else []
    if answer.truncated:
        reasons.append("truncated")
    if not (answer.valid or reasons):
        reasons.append("not_grounded")
    if answer.branded:
        reasons.append("branded_prompt")
    if answer.prompt_set_id is None and answer.source != "import":
        reasons.append("custom_query")
    if answer.batch_status != "success":
        reasons.append("unpublished_batch")
    if answer.branded is None:
        reasons.append("not_read_yet")
    return reasons
