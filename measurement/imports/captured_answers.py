"""Import of answers captured elsewhere through the regular pipeline, and export in the same format."""

import hashlib
import logging
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from measurement.errors import InvalidFile
from measurement.extraction.captured_lines import PARSER, CapturedAnswer, draft_of, lines_of
from measurement.planning.brand_identity import refuse_deleted
from measurement.planning.clock import Clock
from measurement.publication.publish import Publisher
from storage.database import Database
from storage.ids import new_id
from storage.repositories.answers.answers import AnswerPlace, AnswerRecord
from storage.repositories.answers.citations import StoredCitation
from storage.repositories.batches import BatchRow, PlannedAsk, PlannedSimulation
from storage.repositories.brands import Brand
from storage.repositories.prompts import Prompt
from storage.workspace import Workspace

events = logging.getLogger("seenby.events")

CHUNK = 500
LineReader: TypeAlias = Callable[[Path, datetime], Iterable[tuple[int, CapturedAnswer | str]]]
"""Yields each answer of a file with its line number, or the reason why it is invalid."""


@dataclass(frozen=True, slots=True)
class ImportResult:
    """Outcome of an import; `rejected` are (line, reason) of a file imported with `keep_going`."""

    stored: int
    duplicates: int
    rejected: tuple[tuple[int, str], ...]


class Importer:
    """Sends captured answers through the same pipeline as requested ones: stored, read, published as one batch."""

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
        read: LineReader = lines_of,
        progress: Callable[[int, int], None] = lambda done, total: None,
        reading: Callable[[int, int], None] = lambda done, total: None,
    ) -> ImportResult:
        """Import a file; without `keep_going`, one invalid line rejects the whole file.

        `read` yields the answers of the file. `progress` is called with the number of lines done, `reading`
        with the number of answers read. Lines that were imported before are skipped and counted. A file can
        therefore be imported twice, and the next import of the same file completes an import that was killed.
        """
        started = time.perf_counter()
        good, rejected, digest = self._check(brand, path, keep_going, read)
        stored, batch = await self._store(company_id, brand, path, read, good, digest, progress)
        if batch is not None:
            await self._publisher.publish(company_id, brand.id, batch, lambda read: reading(read, stored))
            await self._database.refresh_statistics(only_when_grown=True)
        counts = {"stored": stored, "known": good - stored, "rejected": len(rejected)}
        ids = {"company_id": company_id, "brand_id": brand.id, "batch_id": batch.id if batch else None}
        duration = round((time.perf_counter() - started) * 1000, 3)
        events.info("import", extra={"what": "answers", **ids, **counts, "duration_ms": duration})
        return ImportResult(stored, good - stored, rejected)

    def _check(
        self, brand: Brand, path: Path, keep_going: bool, read: LineReader
    ) -> tuple[int, tuple[tuple[int, str], ...], str]:
        """Check the file before storing: return how many lines are valid, which are invalid, and its digest."""
        good = 0
        rejected: list[tuple[int, str]] = []
        digest = hashlib.sha256()
        for number, key, line in keyed_lines(brand, read(path, self._now())):
            if isinstance(line, str):
                if not keep_going:
                    raise InvalidFile(path.name, number, line)
                rejected.append((number, line))
            else:
                good += 1
                digest.update(key.encode())
        return good, tuple(rejected), digest.hexdigest()

    async def _store(
        self,
        company_id: str,
        brand: Brand,
        path: Path,
        read: LineReader,
        total: int,
        digest: str,
        progress: Callable[[int, int], None],
    ) -> tuple[int, BatchRow | None]:
        """Store every new line, one chunk per transaction; return how many were stored, and their batch.

        They join the interrupted batch of the same file, if there is one. The batch is None if every line was
        stored and published before.
        """
        batch = await self._database.workspace(company_id).batches.running(brand.key, digest)
        prompts = await known_prompts(self._database.workspace(company_id), brand)
        stored = done = 0
        lines = (
            (key, line)
            for _, key, line in keyed_lines(brand, read(path, self._now()))
            if isinstance(line, CapturedAnswer)
        )
        while chunk := list(islice(lines, CHUNK)):
            by_key = dict(chunk)
            async with self._database.transaction(company_id) as writing:
                await writing.batches.lock(brand.key)
                known = await writing.answers.known(list(by_key))
                new = {key: line for key, line in by_key.items() if key not in known}
                if new:
                    batch = batch or await self._open(writing, brand, digest)
                    await self._add(writing, brand, batch, new, prompts)
            stored += len(new)
            done += len(chunk)
            progress(done, total)
        return stored, batch

    async def _open(self, writing: Workspace, brand: Brand, digest: str) -> BatchRow:
        """Return the batch of this file, which another process may have opened meanwhile."""
        return await writing.batches.running(brand.key, digest) or await writing.batches.open(
            new_id(), brand.key, (), source="import", plan_sha256=digest, prompt_set=None, now=self._now()
        )

    async def _add(
        self,
        writing: Workspace,
        brand: Brand,
        batch: BatchRow,
        new: Mapping[str, CapturedAnswer],
        prompts: dict[str, Prompt],
    ) -> None:
        """Store answers by their request keys."""
        plan: dict[tuple[str, str, str], list[PlannedAsk]] = {}
        for key, line in new.items():
            prompt = prompts.get(line.prompt)
            if prompt is None:
                prompt = await writing.prompts.standalone(line.prompt, line.language, self._now())
                prompts[line.prompt] = prompt
            plan.setdefault(place_of_line(line), []).append(PlannedAsk(prompt.key, key, line.repeat))
        simulations = [
            PlannedSimulation(platform, mode, None, tuple(asks), country)
            for (platform, mode, country), asks in plan.items()
        ]
        ask_keys = await writing.batches.add_answered(batch, simulations, PARSER, self._now())
        channels = {
            (platform, mode, country): await writing.channels.key(platform, mode, "import", country)
            for platform, mode, country in sorted(plan)
        }
        await writing.answers.add_all(
            [
                (
                    AnswerPlace(
                        brand.key,
                        batch.key,
                        ask_keys[key],
                        prompts[line.prompt].key,
                        channels[place_of_line(line)],
                    ),
                    draft_of(line),
                )
                for key, line in new.items()
            ]
        )


def keyed_lines(
    brand: Brand, lines: Iterable[tuple[int, CapturedAnswer | str]]
) -> Iterator[tuple[int, str, CapturedAnswer | str]]:
    """Yield each line with its number and request key; the key of an invalid line is empty.

    Equal lines are repeats, each with a key of its own, unless a `source_id` says that they are one answer.
    """
    occurrences: Counter[bytes] = Counter()
    for number, line in lines:
        if isinstance(line, str):
            yield number, "", line
            continue
        key = line.ask_key(brand)
        if line.source_id is None:
            place = bytes.fromhex(key)
            occurrences[place] += 1
            if occurrences[place] > 1:
                key = line.ask_key(brand, occurrences[place])
        yield number, key, line


def place_of_line(line: CapturedAnswer) -> tuple[str, str, str]:
    """Return the platform, mode and country of a captured answer."""
    return line.platform, line.channel_mode, line.country or ""


async def known_prompts(workspace: Workspace, brand: Brand) -> dict[str, Prompt]:
    """Return the prompts of the brand's own sets by text, so that captured answers join them."""
    prompts_by_text: dict[str, Prompt] = {}
    for prompt_set in await workspace.prompt_sets.active():
        if prompt_set.brand_key in (None, brand.key):
            prompts_by_text.update(
                {prompt.text: prompt for prompt in await workspace.prompts.of_set(prompt_set.key)}
            )
    return prompts_by_text


async def exported(workspace: Workspace, brand: Brand, now: Clock) -> AsyncGenerator[dict[str, Any]]:
    """Yield every answer of a brand in the format that an import reads, oldest first.

    Raises RowGone at the end if the brand was deleted meanwhile, so that no one mistakes a part for the
    whole.
    """
    after = 0
    while chunk := await workspace.answers.records(brand.key, brand.parsing, after, CHUNK):
        cited = await workspace.citations.between(brand.key, chunk[0].key, chunk[-1].key, brand.parsing)
        for record in chunk:
            yield export_line(record, cited.get(record.key, []))
        after = chunk[-1].key
    await refuse_deleted(workspace, [brand], now())


def export_line(record: AnswerRecord, cited: list[StoredCitation]) -> dict[str, Any]:
    """Return one answer as a line; `record` identifies it in this database."""
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
                ("absent_reason", record.absent_reason),
                ("seen", record.seen),
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
