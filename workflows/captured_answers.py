"""Answers captured elsewhere, imported through the same pipeline, and exported in the same form."""

import hashlib
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from datetime import UTC
from itertools import islice
from pathlib import Path
from typing import Any

from engines.engine import Mode
from storage.database import Database
from storage.ids import new_id
from storage.repositories.answers import AnswerDraft, AnswerPlace, AnswerRecord
from storage.repositories.asks import OpenAsk
from storage.repositories.batches import Batch, PlannedAsk, PlannedSimulation
from storage.repositories.brands import Brand
from storage.repositories.citations import StoredCitation
from storage.repositories.prompt_sets import Prompt
from storage.workspace import Workspace
from workflows.captured_lines import CapturedAnswer, CapturedCitation, lines_of
from workflows.errors import InvalidFile
from workflows.publishing import Clock, Publisher

CHUNK = 200
PARSER = "import/1"


@dataclass(frozen=True, slots=True)
class Imported:
    """How an import ended; `rejected` are (line, reason) of a file that was told to keep going."""

    stored: int
    duplicates: int
    rejected: tuple[tuple[int, str], ...]


class Importer:
    """Takes captured answers through the same pipeline as asked ones: stored, read, published as one batch."""

    def __init__(self, database: Database, publisher: Publisher, now: Clock) -> None:
        self._database = database
        self._publisher = publisher
        self._now = now

    async def import_file(
        self,
        company_id: str,
        brand: Brand,
        path: Path,
        *,
        keep_going: bool = False,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Imported:
        """Import a file; without `keep_going` one bad line refuses all of it.

        Lines that were imported before are skipped and counted, so a file can be imported twice, and an import
        that was killed is finished by the next one of the same file.
        """
        good, rejected, digest = self._check(brand, path, keep_going)
        batch = await self._batch(company_id, brand, path, digest)
        stored = 0
        if batch is not None:
            stored = await self._store(company_id, brand, batch, path, progress)
            await self._publisher.publish(company_id, brand.id, batch)
        return Imported(stored, good - stored, rejected)

    def _check(
        self, brand: Brand, path: Path, keep_going: bool
    ) -> tuple[int, tuple[tuple[int, str], ...], str]:
        """Read the file once, before the first line is stored: how many lines are good, which are not, its digest."""
        good = 0
        rejected: list[tuple[int, str]] = []
        digest = hashlib.sha256()
        for number, line in lines_of(path, self._now()):
            if isinstance(line, str):
                if not keep_going:
                    raise InvalidFile(path.name, number, line)
                rejected.append((number, line))
            else:
                good += 1
                digest.update(line.ask_key(brand).encode())
        return good, tuple(rejected), digest.hexdigest()

    async def _batch(self, company_id: str, brand: Brand, path: Path, digest: str) -> Batch | None:
        """Plan the new lines as one batch, or take up the one of this file that was cut short.

        None when every line was imported before.
        """
        async with self._database.transaction(company_id) as writing:
            await writing.batches.lock(brand.key)
            unfinished = await writing.batches.running(brand.key, digest)
            if unfinished is not None:
                return unfinished
            simulations = await self._plan(writing, brand, path)
            if not simulations:
                return None
            return await writing.batches.open(
                new_id(),
                brand.key,
                simulations,
                source="import",
                plan_sha256=digest,
                prompt_set=None,
                now=self._now(),
            )

    async def _plan(self, writing: Workspace, brand: Brand, path: Path) -> list[PlannedSimulation]:
        """Plan an ask for every line that has none yet."""
        plan: dict[tuple[str, str], dict[str, PlannedAsk]] = {}
        prompts = await known_prompts(writing, brand)
        lines = (line for _, line in lines_of(path, self._now()) if isinstance(line, CapturedAnswer))
        while chunk := list(islice(lines, CHUNK)):
            keys = [line.ask_key(brand) for line in chunk]
            known = await writing.answers.known(keys)
            for key, line in zip(keys, chunk, strict=True):
                asks = plan.setdefault((line.platform, line.channel_mode), {})
                if key in asks or key in known:
                    continue
                prompt = prompts.get(line.prompt)
                if prompt is None:
                    prompt = await writing.prompt_sets.loose(line.prompt, line.language, self._now())
                    prompts[line.prompt] = prompt
                asks[key] = PlannedAsk(prompt.key, key, line.repeat)
        return [
            PlannedSimulation(platform, mode, None, tuple(asks.values()))
            for (platform, mode), asks in plan.items()
            if asks
        ]

    async def _store(
        self, company_id: str, brand: Brand, batch: Batch, path: Path, progress: Callable[[int, int], None]
    ) -> int:
        """Store the answers of every ask of the batch that has none."""
        waiting = {
            ask.ask_key: ask for ask in await self._database.workspace(company_id).asks.waiting(batch.key)
        }
        total, stored = len(waiting), 0
        channels: dict[tuple[str, str], int] = {}
        lines = (line for _, line in lines_of(path, self._now()) if isinstance(line, CapturedAnswer))
        while chunk := list(islice(lines, CHUNK)):
            found = [(waiting.pop(line.ask_key(brand), None), line) for line in chunk]
            new = {ask.key: (ask, line) for ask, line in found if ask is not None}
            async with self._database.transaction(company_id) as writing:
                for way in {(line.platform, line.channel_mode) for line in chunk} - channels.keys():
                    channels[way] = await writing.channels.key(*way, "import")
                mine = await writing.asks.settle_all([ask for ask, _ in new.values()], PARSER, self._now())
                drafts = [
                    (place_of(brand, batch, ask, channels[line.platform, line.channel_mode]), draft_of(line))
                    for key, (ask, line) in new.items()
                    if key in mine
                ]
                await writing.answers.add_all(drafts)
            stored += len(drafts)
            progress(stored, total)
        return stored


def place_of(brand: Brand, batch: Batch, ask: OpenAsk, channel_key: int) -> AnswerPlace:
    """Return where the answer to an ask belongs."""
    return AnswerPlace(brand.key, batch.key, ask.key, ask.prompt_key, channel_key)


async def known_prompts(workspace: Workspace, brand: Brand) -> dict[str, Prompt]:
    """Return the prompts of the brand's own sets by their text, so that captured answers join them."""
    found: dict[str, Prompt] = {}
    for one in await workspace.prompt_sets.active():
        if one.brand_key in (None, brand.key):
            found.update({prompt.text: prompt for prompt in await workspace.prompt_sets.prompts(one.key)})
    return found


def draft_of(line: CapturedAnswer) -> AnswerDraft:
    """Return a captured answer as it is stored; the line itself is the raw exchange."""
    grounded = line.channel_mode == Mode.READINESS
    status = line.status or ("answered" if line.text.strip() else "empty")
    raw = line.model_dump_json(exclude_none=True)
    return AnswerDraft(
        status=status,
        valid=status == "answered",
        text=line.text,
        retrieval="searched" if grounded and status != "not_grounded" else "not_requested",
        citations_known=line.citations is not None,
        citations=tuple(stored_citation(one, line.text) for one in line.citations or ()),
        truncated=False,
        requested_model=line.model or "unknown",
        served_model=line.model,
        latency_ms=0,
        attempts=0,
        usage={},
        parser=PARSER,
        raw_sha256=hashlib.sha256(raw.encode()).hexdigest(),
        exchanges=[{"line": raw}],
        captured_at=line.captured_at.astimezone(UTC),
        source_id=line.source_id,
    )


def stored_citation(one: CapturedCitation | str, text: str) -> StoredCitation:
    """Return a captured source; offsets outside of the text are dropped."""
    if isinstance(one, str):
        return StoredCitation(one, None, "cited", None, None, None)
    fits = one.start is not None and one.end is not None and 0 <= one.start < one.end <= len(text)
    start, end = (one.start, one.end) if fits else (None, None)
    return StoredCitation(one.url, one.title, one.kind, start, end, None)


async def exported(workspace: Workspace, brand: Brand) -> AsyncGenerator[dict[str, Any]]:
    """Give every answer of a brand in the form that an import reads, oldest first."""
    after = 0
    while chunk := await workspace.answers.records(brand.key, brand.parsing, after, CHUNK):
        cited = await workspace.citations.between(brand.key, chunk[0].key, chunk[-1].key, brand.parsing)
        for record in chunk:
            yield export_line(record, cited.get(record.key, []))
        after = chunk[-1].key


def export_line(record: AnswerRecord, cited: list[StoredCitation]) -> dict[str, Any]:
    """Return one answer as a line; `record` says where it stands in this database."""
    line: dict[str, Any] = {
        "platform": record.platform,
        "prompt": record.prompt,
        "text": record.text,
        "captured_at": record.captured_at.isoformat().replace("+00:00", "Z"),
        "mode": record.mode,
        "status": record.status,
        "repeat": record.repeat,
        "source_id": record.source_id or record.id,
        "record": {
            "answerId": record.id,
            "batchId": record.batch_id,
            "promptId": record.prompt_id,
            "source": record.source,
            "valid": record.valid,
            "retrieval": record.retrieval,
            "parser": record.parser,
            "rawSha256": record.raw_sha256,
            "textSha256": record.text_sha256,
        },
    }
    if record.served_model is not None:
        line["model"] = record.served_model
    if record.citations_known or cited:
        line["citations"] = [
            {"url": one.url, "title": one.title, "kind": one.kind, "start": one.start, "end": one.end}
            for one in cited
        ]
    return line
