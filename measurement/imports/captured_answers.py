"""Answers captured elsewhere, imported through the same pipeline, and exported in the same form."""

import hashlib
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from measurement.captured_lines import CapturedAnswer, lines_of
from measurement.clock import Clock
from measurement.errors import InvalidFile
from measurement.import_parser import PARSER, draft_of
from measurement.publication.publish import Publisher
from storage.database import Database
from storage.ids import new_id
from storage.repositories.answers.answers import AnswerPlace, AnswerRecord
from storage.repositories.answers.citations import StoredCitation
from storage.repositories.asks import OpenAsk
from storage.repositories.batches import BatchRow, PlannedAsk, PlannedSimulation
from storage.repositories.brands import Brand
from storage.repositories.prompt_sets import Prompt
from storage.workspace import Workspace

CHUNK = 200


@dataclass(frozen=True, slots=True)
class ImportResult:
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
    ) -> ImportResult:
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
        return ImportResult(stored, good - stored, rejected)

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

    async def _batch(self, company_id: str, brand: Brand, path: Path, digest: str) -> BatchRow | None:
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
        plan: dict[tuple[str, str, str], dict[str, PlannedAsk]] = {}
        prompts = await known_prompts(writing, brand)
        lines = (line for _, line in lines_of(path, self._now()) if isinstance(line, CapturedAnswer))
        while chunk := list(islice(lines, CHUNK)):
            keys = [line.ask_key(brand) for line in chunk]
            known = await writing.answers.known(keys)
            for key, line in zip(keys, chunk, strict=True):
                asks = plan.setdefault((line.platform, line.channel_mode, line.country or ""), {})
                if key in asks or key in known:
                    continue
                prompt = prompts.get(line.prompt)
                if prompt is None:
                    prompt = await writing.prompt_sets.standalone_prompt(
                        line.prompt, line.language, self._now()
                    )
                    prompts[line.prompt] = prompt
                asks[key] = PlannedAsk(prompt.key, key, line.repeat)
        return [
            PlannedSimulation(platform, mode, None, tuple(asks.values()), country)
            for (platform, mode, country), asks in plan.items()
            if asks
        ]

    async def _store(
        self, company_id: str, brand: Brand, batch: BatchRow, path: Path, progress: Callable[[int, int], None]
    ) -> int:
        """Store the answers of every ask of the batch that has none."""
        waiting = {
            ask.ask_key: ask for ask in await self._database.workspace(company_id).asks.waiting(batch.key)
        }
        total, stored = len(waiting), 0
        channels: dict[tuple[str, str, str], int] = {}
        lines = (line for _, line in lines_of(path, self._now()) if isinstance(line, CapturedAnswer))
        while chunk := list(islice(lines, CHUNK)):
            asks_with_lines = [(waiting.pop(line.ask_key(brand), None), line) for line in chunk]
            new = {ask.key: (ask, line) for ask, line in asks_with_lines if ask is not None}
            async with self._database.transaction(company_id) as writing:
                for platform, mode, country in {place_of_line(line) for line in chunk} - channels.keys():
                    key = await writing.channels.key(platform, mode, "import", country)
                    channels[platform, mode, country] = key
                own_answer_keys = await writing.asks.settle_all(
                    [ask for ask, _ in new.values()], PARSER, self._now()
                )
                drafts = [
                    (place_of(brand, batch, ask, channels[place_of_line(line)]), draft_of(line))
                    for key, (ask, line) in new.items()
                    if key in own_answer_keys
                ]
                await writing.answers.add_all(drafts)
            stored += len(drafts)
            progress(stored, total)
        return stored


def place_of_line(line: CapturedAnswer) -> tuple[str, str, str]:
    """Return platform, mode and country of a captured answer."""
    return line.platform, line.channel_mode, line.country or ""


def place_of(brand: Brand, batch: BatchRow, ask: OpenAsk, channel_key: int) -> AnswerPlace:
    """Return where the answer to an ask belongs."""
    return AnswerPlace(brand.key, batch.key, ask.key, ask.prompt_key, channel_key)


async def known_prompts(workspace: Workspace, brand: Brand) -> dict[str, Prompt]:
    """Return the prompts of the brand's own sets by their text, so that captured answers join them."""
    prompts_by_text: dict[str, Prompt] = {}
    for prompt_set in await workspace.prompt_sets.active():
        if prompt_set.brand_key in (None, brand.key):
            prompts_by_text.update(
                {prompt.text: prompt for prompt in await workspace.prompt_sets.prompts(prompt_set.key)}
            )
    return prompts_by_text


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
        "truncated": record.truncated,
        "clipped": record.clipped,
        **{
            name: value
            for name, value in (
                ("country", record.country),
                ("language", record.language),
                ("city", record.city),
                ("not_supported", list(record.not_supported)),
            )
            if value
        },
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
            {
                "url": source.url,
                "title": source.title,
                "kind": source.kind,
                "start": source.start,
                "end": source.end,
                **({"site": source.site} if source.site else {}),
            }
            for source in cited
        ]
    if cited and not record.citations_known:
        line["citations_known"] = False
    return line
