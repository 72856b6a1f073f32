"""The answers tool: a page of the stored answers that match an outcome and filters."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from measurement.planning.brand_identity import BRAND_KEY
from measurement.statistics.answer_evidence import left_out
from measurement.statistics.cited_sources import addresses_of_page
from measurement.statistics.matching_answers import count_matching
from storage.repositories.answers.answer_filters import AnswerDetail
from storage.repositories.answers.evidence import EvidenceAnswer, NamedEntity
from storage.workspace import Workspace
from tools.calls.call import NamedBrand, ThisCall
from tools.calls.errors import NotFound
from tools.calls.filters import ChosenAnswers
from tools.calls.parameters import NEXT_CALL, BrandId, Examples, Limit, Offset, Omissible
from tools.calls.table import ToolFamily
from tools.calls.wire import STRANGERS, ListWindow, Page, Wire, harmless, notice, place_of
from tools.prompt_results import named_competitor

PLACE_FIELDS = ("prompt", "servedModel", "requestedModel")
"""Of these, the words that an engine or a person wrote."""
LONGEST_WORDS = 500
"""Characters of a short text in one result; a longer one is cut."""


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
    country: str | None = Field(
        description="From where it was asked; null where none was sent to the engine."
    )
    repeat: int
    servedModel: str | None
    requestedModel: str
    capturedAt: datetime
    status: str
    counted: bool = Field(description="Whether rates count this answer.")
    leftOut: list[str] = Field(description="Why no rate counts it; empty when counted.")


def place_fields(answer: EvidenceAnswer) -> dict[str, Any]:
    """Return the fields of an `AnswerPlaceView`, for the view that has more: it checks them once."""
    reasons = left_out(answer)
    return {
        "answerId": answer.id,
        "brandId": answer.brand_id,
        "batchId": answer.batch_id,
        "promptId": answer.prompt_id,
        "prompt": harmless(answer.prompt),
        "promptSetId": answer.prompt_set_id,
        "platform": answer.platform,
        "mode": answer.mode,
        "source": answer.source,
        "country": answer.country or None,
        "repeat": answer.repeat,
        "servedModel": brief(answer.served_model),
        "requestedModel": answer.requested_model,
        "capturedAt": answer.captured_at,
        "status": answer.status,
        "counted": not reasons,
        "leftOut": reasons,
    }


def brief(words: str | None) -> str | None:
    """Return words of strangers made harmless and short; None for none."""
    return harmless(words, LONGEST_WORDS) if words else None


family = ToolFamily()

LISTED_FIELDS = (*PLACE_FIELDS, "names[].name", "quote", "excerpt")
MOST_SEARCHED = 2000
"""Answers whose texts one search reads: the newest that match all else."""
EXCERPT = 280
"""Characters of an excerpt."""
LEAD = 80
"""Characters of an excerpt before the words that were searched for."""

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
    "recommended",
    "warned_against",
]
OutcomeField = Annotated[
    Outcome,
    Field(
        description=(
            "rival_instead: only a competitor is named; contradicts: a fact of the profile; "
            "left_out: of all rates; judged: by an engine."
        )
    ),
]
Counted = Annotated[bool, Field(description="Counted ones.")]
CitationsKnown = Annotated[bool, Field(description="With known citations.")]
NamesCompetitor = Annotated[str, Field(min_length=1, max_length=200, description="Competitor named.")]
ContainedText = Annotated[
    str,
    Field(
        min_length=1,
        max_length=200,
        description="Words in text or prompt; searches the newest 2000.",
        examples=["espresso"],
    ),
]
CitedSource = Annotated[str, Field(min_length=1, max_length=2000, description="Source of get_citations.")]
BatchIds = Annotated[
    list[Annotated[str, Field(max_length=64)]],
    Field(max_length=200, description="Batches of a receipt.", examples=[[Examples.BATCH_ID]]),
]


class NamedInAnswer(Wire):
    """An entity that an answer names."""

    name: str
    own: bool
    rank: int | None
    tone: str | None
    recommendation: str | None


class ListedAnswer(AnswerPlaceView):
    """One answer in short."""

    names: list[NamedInAnswer]
    quote: str | None = Field(
        description="The clause that names the brand, else one that names a competitor."
    )
    excerpt: str | None = Field(
        description="The passage with the words of `contains`, else the beginning where no clause is quoted."
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


@family.read("List answers")
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
    contains: Omissible[ContainedText] = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> ListedAnswers:
    """Return stored answers that match an outcome and filters, also without the brand. Use it for
    exact sentences; get_answer opens one."""
    workspace = await call.workspace()
    answers: list[EvidenceAnswer] = []
    texts: Mapping[int, str] = {}
    total: int = 0
    prompts: int | None = 0
    searched_all = True
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
        known = await count_matching(workspace, brand, outcome, detail, chosen)
        window = (limit, offset) if contains is None else (MOST_SEARCHED, 0)
        page_of_answers = await workspace.answer_pages.page(
            brand.key, brand.revision_key, outcome, chosen, *window, detail, known
        )
        answers, total, prompts = page_of_answers.answers, page_of_answers.total, page_of_answers.prompts
        texts = await workspace.evidence.texts(brand.revision_key, [answer.key for answer in answers])
        if contains is not None:
            searched_all = total <= MOST_SEARCHED
            found = [
                answer for answer in answers if _holds(contains, answer.prompt, texts.get(answer.key, ""))
            ]
            answers, total = found[offset : offset + limit], len(found)
            prompts = len({answer.prompt_id for answer in found})
    named = await _named_by_answer(workspace, brand.revision_key, answers)
    names = {entity.key: entity.name for entity in await workspace.brands.entities(brand)}
    platform_notice = notice([answer.platform for answer in answers])
    return ListedAnswers(
        brandId=brand.id,
        answers=[
            _listed_answer(answer, named.get(answer.key, []), names, texts.get(answer.key, ""), contains)
            for answer in answers
        ],
        **place_of(total, limit, offset),
        prompts=prompts if source is not None else None,
        untrusted=[f"answers[].{name}" for name in LISTED_FIELDS],
        notice=_answers_notice(total, platform_notice, searched_all=searched_all),
    )


def _answers_notice(total: int, platform_notice: str | None, *, searched_all: bool) -> str | None:
    """Say why nothing is listed, or that a search left older answers out."""
    if not searched_all:
        return f"Only the newest {MOST_SEARCHED:,} answers were searched. Narrow the period to search older ones."
    return platform_notice if total else "No stored answer matches this outcome and filter."


def _holds(words: str, *texts: str) -> bool:
    return any(words.strip().casefold() in text.casefold() for text in texts)


def _excerpt(text: str, words: str | None) -> str | None:
    """Return the passage of a text around some words, or its beginning."""
    found = text.casefold().find(words.strip().casefold()) if words else -1
    start = max(0, found - LEAD)
    passage = " ".join(text[start : start + EXCERPT].split())
    if not passage:
        return None
    return harmless(
        f"{'…' if start else ''}{passage}{'…' if start + EXCERPT < len(text) else ''}", LONGEST_WORDS
    )


async def _named_by_answer(
    workspace: Workspace, revision_key: int | None, answers: Sequence[EvidenceAnswer]
) -> Mapping[int, list[NamedEntity]]:
    """Return whom each of these answers names, by the answers' keys."""
    named: dict[int, list[NamedEntity]] = {}
    if revision_key is not None:
        for entity in await workspace.evidence.named_in(revision_key, [answer.key for answer in answers]):
            named.setdefault(entity.answer_key, []).append(entity)
    return named


def _listed_answer(
    answer: EvidenceAnswer,
    entities: Sequence[NamedEntity],
    names: Mapping[int, str],
    text: str,
    contains: str | None,
) -> ListedAnswer:
    """Return one answer in short; the brand's own clause is quoted before any other."""
    tracked = [entity for entity in entities if entity.entity_key in names]
    quote = next((entity.quote for entity in tracked if entity.quote), None)
    return ListedAnswer(
        **place_fields(answer),
        names=[
            NamedInAnswer(
                name=names[entity.entity_key],
                own=entity.entity_key == BRAND_KEY,
                rank=entity.rank,
                tone=entity.tone,
                recommendation=entity.recommendation,
            )
            for entity in tracked
        ],
        quote=harmless(quote, LONGEST_WORDS) if quote else None,
        excerpt=_excerpt(text, contains) if contains or not quote else None,
        citesOwnSite=any(entity.cites_own for entity in tracked if entity.entity_key == BRAND_KEY),
    )
