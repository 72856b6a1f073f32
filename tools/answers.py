"""The answer tools: one answer opened whole, and the answers that a filter chooses."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from analytics.answers.citations import OwnedCitation
from engines.recordings import proof_of
from measurement.answer_evidence import AnswerEvidence, left_out, open_answer
from measurement.brand_identity import BRAND_KEY
from measurement.cited_sources import addresses_of_page
from measurement.sightings import ReadSighting
from storage.repositories.answers.answer_details import AnswerDetail
from storage.repositories.answers.evidence import (
    EvidenceAnswer,
    EvidenceMention,
    NamedEntity,
)
from storage.workspace import Workspace
from tools.calls import examples
from tools.calls.call import NamedBrand, ThisCall
from tools.calls.errors import NotFound
from tools.calls.filters import ChosenAnswers
from tools.calls.parameters import (
    NEXT_CALL,
    WHOLE,
    AnswerId,
    BrandId,
    Limit,
    Offset,
    Omissible,
)
from tools.calls.table import ToolFamily
from tools.calls.wire import (
    STRANGERS,
    ListWindow,
    Page,
    Wire,
    harmless,
    harmless_in_place,
    notice,
    place_of,
)
from tools.prompt_results import named_competitor

family = ToolFamily()

TEXT_PAGE = 20_000
"""UTF-8 bytes of an answer's text in one result."""
MOST_SPANS = 100
MOST_CITATIONS = 100
MOST_CLAIMS = 100
MOST_CARDS = 50
PLACE_FIELDS = ("prompt", "servedModel", "requestedModel")
ANSWER_FIELDS = (
    *PLACE_FIELDS,
    "text",
    "entities[].name",
    "entities[].sentence",
    "citations[].url",
    "citations[].title",
    "citations[].domain",
    "citations[].ownerName",
    "searchQueries[]",
    "claims[].claim",
    "claims[].fact",
)
LISTED_FIELDS = (*PLACE_FIELDS, "names[].name", "quote")
SEEN_FIELDS = (
    "seen.supplier",
    "seen.proofUrl",
    "seen.localeSent",
    *(f"seen.cards[].{name}" for name in ("title", "brand", "seller", "price", "currency", "url", "names[]")),
)
LONGEST_WORDS = 500

Outcome = Literal[
    "names_us",
    "rival_instead",
    "nobody",
    "anybody",
    "cites_us",
    "contradicts",
    "truncated",
    "left_out",
    "judged",
    "positive",
    "neutral",
    "negative",
]
OutcomeField = Annotated[
    Outcome,
    Field(
        description=(
            "rival_instead: only a rival is named; contradicts: a fact of the profile; "
            "left_out: of all rates; judged: a tone."
        )
    ),
]


class AnswerPlaceView(Wire):
    """Where an answer stands: question, engine, time."""

    answerId: str
    brandId: str
    batchId: str
    promptId: str
    prompt: str
    promptSetId: str | None
    platform: str
    mode: str
    source: str
    repeat: int
    servedModel: str | None
    requestedModel: str
    capturedAt: datetime
    status: str
    counted: bool = Field(description="Whether rates count this answer.")
    leftOut: list[str] = Field(description="Why no rate counts it; empty when counted.")


class AnswerSpan(Wire):
    """One hit in the text, in code points, end exclusive."""

    start: int
    end: int
    status: str
    reason: str | None


class EntityInAnswer(Wire):
    """What the answer says of the brand or a competitor."""

    name: str
    own: bool = Field(description="True for the brand itself.")
    named: bool
    rank: int | None
    tone: str | None
    sentence: str | None = Field(description="The clause that names it, on which the tone stands.")
    citesOwnSite: bool
    absences: int = Field(description="Times the answer says that it found nothing about it.")
    spans: list[AnswerSpan]


class AnswerCitation(Wire):
    """One source of the answer, in its order."""

    url: str
    title: str | None
    domain: str | None
    kind: str
    owner: str
    ownerName: str | None
    placement: str | None = Field(
        default=None, description="Where it stood on a screen: inline, panel, card or search_result."
    )


class SeenCard(Wire):
    """A product, place or advertisement beside the answer; no rate counts it."""

    kind: str
    title: str
    brand: str | None
    seller: str | None
    price: str | None
    currency: str | None
    url: str | None
    position: int
    rendered: bool | None = Field(description="False: delivered and not shown.")
    names: list[str] = Field(description="Whom it names, of the brand and its competitors.")


class SeenView(Wire):
    """What only a look at a screen tells."""

    supplier: str
    absentReason: str | None = Field(description="Why nothing was shown: none, blocked or no_results.")
    observedAt: str | None
    proofUrl: str | None
    localeSent: dict[str, str]
    localeApplied: str = Field(description="city, country or none.")
    supplierCost: str | None
    costUnit: str | None = Field(description="usd or credits.")
    parser: str = Field(
        description="documented or recorded: whether a real answer of this channel proves it."
    )
    cards: list[SeenCard]


class AnswerClaim(Wire):
    """What the answer claims of the brand beside the fact it was held against."""

    kind: str
    verdict: str
    claim: str
    fact: str | None
    source: str | None


class AnswerView(AnswerPlaceView):
    """One answer opened up."""

    text: str = Field(description="The answer's words; hidden characters are shown as U+FFFD.")
    textLength: int = Field(description="Code points of the whole text.")
    offset: int
    nextOffset: int | None = Field(description="Where the next part of the text begins; null at the end.")
    entities: list[EntityInAnswer]
    citations: list[AnswerCitation]
    citationsTotal: int
    searchQueries: list[str] | None = Field(description="What the engine searched for; null when not known.")
    claims: list[AnswerClaim]
    seen: SeenView | None = Field(default=None, description="Of a surface at a supplier; else null.")
    untrusted: list[str] = Field(description=STRANGERS)
    notice: str | None


class NamedInAnswer(Wire):
    """An entity that an answer names."""

    name: str
    own: bool
    rank: int | None
    tone: str | None


class ListedAnswer(AnswerPlaceView):
    """One answer in short."""

    names: list[NamedInAnswer]
    quote: str | None = Field(
        description="The clause that names the brand, else one that names a competitor."
    )
    citesOwnSite: bool


class ListedAnswers(Page):
    """A page of answers, newest first."""

    window = ListWindow("answers")

    brandId: str
    answers: list[ListedAnswer]
    prompts: int | None = Field(description="Prompts of all that match; null unless a source is given.")
    untrusted: list[str] = Field(description=STRANGERS)
    notice: str | None


Counted = Annotated[bool, Field(description="Counted ones.")]
CitationsKnown = Annotated[bool, Field(description="With known citations.")]
NamesCompetitor = Annotated[
    str,
    Field(min_length=1, max_length=200, description="Competitor named."),
]
CitedSource = Annotated[
    str,
    Field(min_length=1, max_length=2000, description="Source of get_citations."),
]
BatchIds = Annotated[
    list[Annotated[str, Field(max_length=64)]],
    Field(max_length=200, description="Batches of a receipt.", examples=[[examples.BATCH_ID]]),
]

TextOffset = Annotated[
    int,
    Field(ge=0, description="First code point; see nextOffset."),
    WHOLE,
]


@family.read("Get answer", open_world=True)
async def get_answer(answerId: AnswerId, call: ThisCall, offset: TextOffset = 0) -> AnswerView:
    """What does one answer say, name, cite and claim, and is it counted? list_answers and get_prompt_results give
    answer ids."""
    workspace = await call.workspace()
    answer = await workspace.evidence.find(answerId)
    if answer is None:
        raise NotFound("answer", NEXT_CALL["answerId"])
    return answer_view(await open_answer(workspace, answer), offset)


@family.read("List answers", open_world=True)
async def list_answers(
    brandId: BrandId,
    brand: NamedBrand,
    call: ThisCall,
    chosen: ChosenAnswers,
    outcome: Omissible[OutcomeField] = None,
    counted: Counted = False,
    citationsKnown: CitationsKnown = False,
    competitor: Omissible[NamesCompetitor] = None,
    source: Omissible[CitedSource] = None,
    batchIds: Omissible[BatchIds] = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> ListedAnswers:
    """Which stored answers match an outcome and filters, also without the brand? get_answer opens one;
    brand ids: list_brand_profiles."""
    workspace = await call.workspace()
    answers: list[EvidenceAnswer] = []
    total, prompts = 0, 0
    rival = await named_competitor(workspace, brand, competitor) if competitor else None
    if batchIds is not None and set(batchIds) - await workspace.batches.known(batchIds):
        raise NotFound("batch", NEXT_CALL["batchIds"])
    if brand.revision_key is not None:
        page = source is not None and "://" in source
        detail = AnswerDetail(
            counted=counted,
            citations_known=citationsKnown,
            entity_key=rival.key if rival else None,
            domain=source if source and not page else None,
            urls=await addresses_of_page(workspace, brand, chosen, source) if source and page else None,
            batch_ids=None if batchIds is None else tuple(batchIds),
        )
        answers, total = await workspace.evidence.page(
            brand.key, brand.revision_key, outcome, chosen, limit, offset, detail
        )
        if source is not None:
            prompts = await workspace.evidence.count_prompts(
                brand.key, brand.revision_key, outcome, chosen, detail
            )
    named = await named_by_answer(workspace, brand.revision_key, answers)
    names = {entity.key: entity.name for entity in await workspace.brands.entities(brand)}
    platform_notice = notice([answer.platform for answer in answers])
    return ListedAnswers(
        brandId=brand.id,
        answers=[listed_answer(answer, named.get(answer.key, []), names) for answer in answers],
        **place_of(total, limit, offset),
        prompts=prompts if source is not None else None,
        untrusted=[f"answers[].{name}" for name in LISTED_FIELDS],
        notice=platform_notice if total else "No stored answer matches this outcome and filter.",
    )


async def named_by_answer(
    workspace: Workspace, revision_key: int | None, answers: Sequence[EvidenceAnswer]
) -> Mapping[int, list[NamedEntity]]:
    """Return whom each of these answers names, by the answers' keys."""
    named: dict[int, list[NamedEntity]] = {}
    if revision_key is not None:
        for entity in await workspace.evidence.named_in(revision_key, [answer.key for answer in answers]):
            named.setdefault(entity.answer_key, []).append(entity)
    return named


def place_view(answer: EvidenceAnswer) -> AnswerPlaceView:
    """Return where an answer stands."""
    reasons = left_out(answer)
    return AnswerPlaceView(
        answerId=answer.id,
        brandId=answer.brand_id,
        batchId=answer.batch_id,
        promptId=answer.prompt_id,
        prompt=harmless(answer.prompt),
        promptSetId=answer.prompt_set_id,
        platform=answer.platform,
        mode=answer.mode,
        source=answer.source,
        repeat=answer.repeat,
        servedModel=harmless(answer.served_model, LONGEST_WORDS) if answer.served_model else None,
        requestedModel=answer.requested_model,
        capturedAt=answer.captured_at,
        status=answer.status,
        counted=not reasons,
        leftOut=reasons,
    )


def listed_answer(
    answer: EvidenceAnswer, entities: Sequence[NamedEntity], names: Mapping[int, str]
) -> ListedAnswer:
    """Return one answer in short; the brand's own clause is quoted before any other."""
    tracked = [entity for entity in entities if entity.entity_key in names]
    quote = next((entity.quote for entity in tracked if entity.quote), None)
    return ListedAnswer(
        **place_view(answer).model_dump(),
        names=[
            NamedInAnswer(
                name=names[entity.entity_key],
                own=entity.entity_key == BRAND_KEY,
                rank=entity.rank,
                tone=entity.tone,
            )
            for entity in tracked
        ],
        quote=harmless(quote, LONGEST_WORDS) if quote else None,
        citesOwnSite=any(entity.cites_own for entity in tracked if entity.entity_key == BRAND_KEY),
    )


def answer_view(evidence: AnswerEvidence, offset: int) -> AnswerView:
    """Return one answer opened up, with the part of its text that begins at an offset."""
    end = offset + page_length(evidence.text[offset : offset + TEXT_PAGE])
    queries = evidence.queries
    names = {entity.key: entity.name for entity in evidence.entities}
    return AnswerView(
        **place_view(evidence.answer).model_dump(),
        text=harmless_in_place(evidence.text[offset:end]),
        textLength=len(evidence.text),
        offset=offset,
        nextOffset=end if end < len(evidence.text) else None,
        entities=[
            entity_view(mention, names[mention.entity_key])
            for mention in evidence.mentions
            if mention.entity_key in names
        ],
        citations=[citation_view(citation, evidence) for citation in evidence.citations[:MOST_CITATIONS]],
        citationsTotal=len(evidence.citations),
        searchQueries=None if queries is None else [harmless(query, LONGEST_WORDS) for query in queries],
        claims=[
            AnswerClaim(
                kind=claim.kind,
                verdict=claim.verdict,
                claim=harmless(claim.claim, LONGEST_WORDS),
                fact=harmless(claim.fact, LONGEST_WORDS) if claim.fact else None,
                source=claim.source,
            )
            for claim in evidence.claims[:MOST_CLAIMS]
        ],
        seen=seen_view(evidence.sighting, evidence.answer.platform) if evidence.sighting else None,
        untrusted=[*ANSWER_FIELDS, *(SEEN_FIELDS if evidence.sighting else ())],
        notice=notice([evidence.answer.platform]),
    )


def page_length(text: str) -> int:
    """Return how many code points from the start fill a page; one that is cut in two goes to the next."""
    return len(text.encode("utf-8", "replace")[:TEXT_PAGE].decode("utf-8", "ignore"))


def entity_view(mention: EvidenceMention, name: str) -> EntityInAnswer:
    """Return what an answer says of one entity."""
    return EntityInAnswer(
        name=name,
        own=mention.entity_key == BRAND_KEY,
        named=mention.named,
        rank=mention.rank,
        tone=mention.tone,
        sentence=harmless(mention.quote) if mention.quote else None,
        citesOwnSite=mention.cites_own,
        absences=mention.absences,
        spans=[
            AnswerSpan(start=span["start"], end=span["end"], status=span["status"], reason=span.get("reason"))
            for span in mention.spans[:MOST_SPANS]
        ],
    )


def seen_view(sighting: ReadSighting, platform: str) -> SeenView:
    """Return what a look at a screen tells."""
    cost = sighting.cost
    return SeenView(
        supplier=harmless(sighting.supplier, LONGEST_WORDS),
        absentReason=sighting.absent_reason,
        observedAt=brief(sighting.observed_at),
        proofUrl=brief(sighting.proof_url),
        localeSent={
            harmless(name, LONGEST_WORDS): harmless(value, LONGEST_WORDS)
            for name, value in sighting.locale_sent.items()
        },
        localeApplied=sighting.locale_applied,
        supplierCost=f"{cost.amount:f}" if cost else None,
        costUnit=cost.unit if cost else None,
        parser=proof_of(platform),
        cards=[
            SeenCard(
                kind=read.card.kind,
                title=harmless(read.card.title, LONGEST_WORDS),
                brand=brief(read.card.brand),
                seller=brief(read.card.seller),
                price=brief(read.card.price),
                currency=brief(read.card.currency),
                url=brief(read.card.url),
                position=read.card.position,
                rendered=read.card.rendered,
                names=list(read.names),
            )
            for read in sighting.cards[:MOST_CARDS]
        ],
    )


def brief(words: str | None) -> str | None:
    """Return words of strangers made harmless and short; None for none."""
    return harmless(words, LONGEST_WORDS) if words else None


def citation_view(citation: OwnedCitation, evidence: AnswerEvidence) -> AnswerCitation:
    """Return one source with its owner."""
    owners = {entity.id: entity.name for entity in evidence.entities}
    return AnswerCitation(
        url=harmless(citation.url, LONGEST_WORDS),
        title=harmless(citation.title, LONGEST_WORDS) if citation.title else None,
        domain=citation.domain,
        kind=str(citation.kind),
        owner=str(citation.owner),
        ownerName=owners.get(citation.entity_id or ""),
        placement=evidence.sighting.placements.get(citation.url) if evidence.sighting else None,
    )
