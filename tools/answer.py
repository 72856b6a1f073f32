"""The answer tool: one answer with its text, mentions, citations, claims, and AI surface observation."""

from typing import Annotated

from pydantic import Field

from analytics.answers.citations import OwnedCitation
from engines.recordings import proof_of
from measurement.extraction.sightings import ReadSighting
from measurement.planning.brand_identity import BRAND_KEY
from measurement.statistics.answer_evidence import AnswerEvidence, open_answer
from storage.repositories.answers.evidence import EvidenceMention
from tools.answers import LONGEST_WORDS, PLACE_FIELDS, AnswerPlaceView, brief, place_fields
from tools.calls.call import ThisCall
from tools.calls.errors import NotFound
from tools.calls.parameters import NEXT_CALL, WHOLE, AnswerId
from tools.calls.table import ToolFamily
from tools.calls.wire import STRANGERS, Wire, harmless, harmless_in_place, notice

MOST_CARDS = 50
SEEN_FIELDS = (
    "seen.supplier",
    "seen.proofUrl",
    "seen.localeSent",
    *(f"seen.cards[].{name}" for name in ("title", "brand", "seller", "price", "currency", "url", "names[]")),
)
"""Fields of an observation that hold text of third parties."""


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
    """What an AI surface observation adds to an answer."""

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


def _seen_view(sighting: ReadSighting, platform: str) -> SeenView:
    """Return an AI surface observation as it is shown."""
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


family = ToolFamily()

TEXT_PAGE = 20_000
"""UTF-8 bytes of an answer's text in one result."""
MOST_SPANS = 100
MOST_CITATIONS = 100
MOST_CLAIMS = 100
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
    tone: str | None = Field(description="positive, neutral, negative or not_judged.")
    recommendation: str | None = Field(description="recommended, mentioned or warned_against.")
    judgedBy: str | None
    judgedOn: str | None = Field(description="The answer's words behind the verdict.")
    sentence: str | None = Field(description="The clause that names it.")
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
    seen: SeenView | None = Field(
        default=None, description="For AI surfaces observed through a data provider; else null."
    )
    untrusted: list[str] = Field(description=STRANGERS)
    notice: str | None


TextOffset = Annotated[int, Field(ge=0, description="First code point; see nextOffset."), WHOLE]


@family.read("Get answer")
async def get_answer(answerId: AnswerId, call: ThisCall, offset: TextOffset = 0) -> AnswerView:
    """Return one answer: its text, brands, sources and claims, and whether it counts. list_answers and
    get_prompt_results give ids."""
    workspace = await call.workspace()
    answer = await workspace.evidence.find(answerId)
    if answer is None:
        raise NotFound("answer", NEXT_CALL["answerId"])
    return _answer_view(await open_answer(workspace, answer), offset)


def _answer_view(evidence: AnswerEvidence, offset: int) -> AnswerView:
    """Return one answer opened up, with the part of its text that begins at an offset."""
    end = offset + _page_length(evidence.text[offset : offset + TEXT_PAGE])
    queries = evidence.queries
    names = {entity.key: entity.name for entity in evidence.entities}
    return AnswerView(
        **place_fields(evidence.answer),
        text=harmless_in_place(evidence.text[offset:end]),
        textLength=len(evidence.text),
        offset=offset,
        nextOffset=end if end < len(evidence.text) else None,
        entities=[
            _entity_view(mention, names[mention.entity_key])
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
        seen=_seen_view(evidence.sighting, evidence.answer.platform) if evidence.sighting else None,
        untrusted=[*ANSWER_FIELDS, *(SEEN_FIELDS if evidence.sighting else ())],
        notice=notice([evidence.answer.platform]),
    )


def _page_length(text: str) -> int:
    """Return how many code points from the start fill a page; one that is cut in two goes to the next."""
    return len(text.encode("utf-8", "replace")[:TEXT_PAGE].decode("utf-8", "ignore"))


def _entity_view(mention: EvidenceMention, name: str) -> EntityInAnswer:
    """Return what an answer says of one entity."""
    return EntityInAnswer(
        name=name,
        own=mention.entity_key == BRAND_KEY,
        named=mention.named,
        rank=mention.rank,
        tone=mention.tone,
        recommendation=mention.recommendation,
        judgedBy=mention.judged_by,
        judgedOn=harmless(mention.judged_on) if mention.judged_on else None,
        sentence=harmless(mention.quote) if mention.quote else None,
        citesOwnSite=mention.cites_own,
        absences=mention.absences,
        spans=[
            AnswerSpan(start=span["start"], end=span["end"], status=span["status"], reason=span.get("reason"))
            for span in mention.spans[:MOST_SPANS]
        ],
    )


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
