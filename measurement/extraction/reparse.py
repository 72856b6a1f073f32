"""Parse stored raw exchanges with the current parsers, as a parsing that replaces the active one in one step."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import anyio.to_thread
from pydantic import ValidationError

from engines.engine import EngineAnswer, Mode, Question
from engines.errors import EngineError
from engines.parsers import parser_of
from measurement.extraction.answer_drafts import clip_places, clip_text, exchanges_in, stored_citations
from measurement.extraction.captured_lines import PARSER as IMPORT_PARSER
from measurement.extraction.captured_lines import CapturedAnswer, draft_of
from measurement.planning.brand_identity import find_brand
from measurement.planning.clock import Clock
from storage.database import Database
from storage.repositories.answers.reparsed_answers import RawAnswer, ReparsedAnswerDraft
from storage.repositories.brands import Brand
from storage.workspace import Workspace

CHUNK = 50
"""Answers per chunk. The exchanges of a single answer may be several MiB."""


class ReparseOutcome(StrEnum):
    """Outcome of parsing one answer again."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    SWEPT = "swept"
    """Its raw exchanges were deleted when their retention period ended."""
    UNREADABLE = "unreadable"
    """The current parser finds no answer in them, or no parser exists for this format."""


@dataclass(frozen=True, slots=True)
class Reparsed:
    """Number of a brand's answers by outcome; swept and unreadable answers keep their stored content."""

    ends: Counter[ReparseOutcome]

    @property
    def answers(self) -> int:
        """Number of answers of the brand."""
        return self.ends.total()


class Reparser:
    """Parses every answer of a brand again, beside the active parsing. If it is killed, run it again."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._now = now

    async def reparse(
        self, company_id: str, brand_id: str, progress: Callable[[int, int], None] = lambda done, total: None
    ) -> Reparsed:
        """Store what the current parsers read differently, and adopt it for the brand if anything changed.

        Earlier parsings are kept. The numbers are based on the previous parsing until the brand is brought up
        to date. `progress` is called with the number of answers done and their total.
        """
        async with self._database.presence.alone("reparsing"):
            workspace = self._database.workspace(company_id)
            brand = await find_brand(workspace, brand_id)
            following = brand.parsing + 1
            await self._discard(company_id, brand.key, following)
            ends = await self._parse_all(workspace, brand, following, progress)
            if not ends[ReparseOutcome.CHANGED]:
                await self._discard(company_id, brand.key, following)
                return Reparsed(ends)
            async with self._database.transaction(company_id) as writing:
                await writing.batches.lock(brand.key)
                await writing.reparsed.adopt(brand.key, following, self._now())
            return Reparsed(ends)

    async def _discard(self, company_id: str, brand_key: int, parsing: int) -> None:
        async with self._database.transaction(company_id) as writing:
            await writing.batches.lock(brand_key)
            await writing.reparsed.discard(brand_key, parsing)

    async def _parse_all(
        self, workspace: Workspace, brand: Brand, following: int, progress: Callable[[int, int], None]
    ) -> Counter[ReparseOutcome]:
        """Parse chunk by chunk; answers that differ from what was stored first belong to the new parsing."""
        ends: Counter[ReparseOutcome] = Counter()
        total, after = await workspace.answers.count(brand.key), 0
        while chunk := await workspace.reparsed.raw(brand.key, after, CHUNK):
            low, after = chunk[0].key, chunk[-1].key
            cited = await workspace.citations.between(brand.key, low, after, 0)
            first = {raw_answer.key: raw_answer.parsed(cited.get(raw_answer.key, ())) for raw_answer in chunk}
            in_force = first | await workspace.reparsed.of_parsing(brand.key, brand.parsing, low, after)
            parsed = await anyio.to_thread.run_sync(parse_all, chunk)
            drafts: list[tuple[int, ReparsedAnswerDraft]] = []
            for answer in chunk:
                outcome = parsed[answer.key]
                # Keep the earlier content where nothing can be read any more.
                draft = in_force[answer.key] if isinstance(outcome, ReparseOutcome) else outcome
                changed = not draft.reads_the_same(in_force[answer.key])
                ends[
                    outcome
                    if isinstance(outcome, ReparseOutcome)
                    else ReparseOutcome.CHANGED
                    if changed
                    else ReparseOutcome.UNCHANGED
                ] += 1
                if not draft.reads_the_same(first[answer.key]):
                    drafts.append((answer.key, draft))
            async with self._database.transaction(workspace.company_id) as writing:
                await writing.reparsed.add(following, drafts, self._now())
            progress(ends.total(), max(total, ends.total()))
        return ends


def parse_all(chunk: Sequence[RawAnswer]) -> dict[int, ReparsedAnswerDraft | ReparseOutcome]:
    """Parse a chunk of answers with the current parsers, by key."""
    return {raw_answer.key: parse(raw_answer) for raw_answer in chunk}


def parse(answer: RawAnswer) -> ReparsedAnswerDraft | ReparseOutcome:
    """Return what the current parser reads in an answer's exchanges, or why there is nothing to read."""
    if answer.exchanges is None:
        return ReparseOutcome.SWEPT
    if answer.parser.partition("/")[0] == IMPORT_PARSER.partition("/")[0]:
        return imported(answer)
    today = parser_of(answer.parser)
    if today is None or not answer.exchanges:
        return ReparseOutcome.UNREADABLE
    mode = Mode(answer.mode)
    question = Question(answer.prompt, mode, answer.ask_key, language=answer.language)
    try:
        return parsed_of(today(question, exchanges_in(answer.exchanges)), mode)
    except EngineError:
        return ReparseOutcome.UNREADABLE


def parsed_of(answer: EngineAnswer, mode: Mode) -> ReparsedAnswerDraft:
    """Return the parts of an engine's answer that depend on the parser.

    Citations are known only in readiness mode, where engines are asked to search.
    """
    text, _ = clip_text(answer.text)
    return ReparsedAnswerDraft(
        status=answer.status,
        retrieval=answer.retrieval.status,
        valid=answer.is_valid(mode),
        citations_known=mode is Mode.READINESS and answer.citations_resolved,
        truncated=answer.truncated,
        parser=answer.parser,
        text=text,
        citations=clip_places(stored_citations(answer), len(text)),
    )


def imported(answer: RawAnswer) -> ReparsedAnswerDraft | ReparseOutcome:
    """Parse a captured line again; the line itself is the raw exchange."""
    try:
        exchanges = answer.exchanges or []
        draft = draft_of(CapturedAnswer.model_validate_json(exchanges[0]["line"]))
    except (IndexError, KeyError, TypeError, ValidationError):
        return ReparseOutcome.UNREADABLE
    return ReparsedAnswerDraft(
        draft.text,
        draft.citations,
        draft.status,
        draft.retrieval,
        draft.valid,
        draft.citations_known,
        draft.truncated,
        draft.parser,
    )
