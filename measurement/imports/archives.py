"""Export of a company or brand as JSON Lines, and its import elsewhere, where it gives the same numbers."""

import json
import logging
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engines.settings import CHANNEL_PLATFORM
from measurement.errors import InvalidFile
from measurement.planning.brand_identity import refuse_deleted
from measurement.planning.clock import Clock
from measurement.publication.publish import Publisher
from storage.archive_import import Intake, IntakeDisabled
from storage.database import Database
from storage.errors import DuplicateRow, InvalidArchive
from storage.repositories.archive import Record
from storage.repositories.brands import Brand
from storage.workspace import Workspace

events = logging.getLogger("seenby.events")

FORMAT = "archive/1"
LONGEST_LINE = 64 << 20
"""In bytes; an engine's raw response of 8 MiB is escaped twice before it is written to a line."""


@dataclass(frozen=True, slots=True)
class ArchiveIntake:
    """Result of an import: records stored by table, recalculated brands, and schedules that were switched off."""

    counts: dict[str, int]
    brands: tuple[Brand, ...]
    switched_off: tuple[IntakeDisabled, ...]


async def archive_records(
    workspace: Workspace, company_name: str, brand: Brand | None, now: Clock
) -> AsyncGenerator[dict[str, Any]]:
    """Yield a header line and then every record of the company, or of one of its brands.

    Raises RowGone at the end if some of it was deleted meanwhile, so that no one mistakes a part for the
    whole.
    """
    exported = [brand] if brand else await workspace.brands.all()
    yield {
        "seenby": FORMAT,
        "company": company_name,
        "brand": brand.name if brand else None,
        "exportedAt": now().isoformat(),
    }
    async for record in workspace.archive.records(brand.key if brand else None):
        yield record
    await refuse_deleted(workspace, exported, now())


async def take_in(
    database: Database,
    publisher: Publisher,
    company_id: str,
    path: Path,
    progress: Callable[[int], None] = lambda done: None,
    *,
    keep_schedules: bool = False,
) -> ArchiveIntake:
    """Store an archive's records as this company's, all or none, and recalculate the results.

    IDs stay the same and keys are new, so the same evidence gives the same numbers. Schedules are switched
    off unless `keep_schedules` is set: a copy made for inspection must not start sending requests that cost
    money. Raises InvalidFile with the invalid line. An archive whose records already exist is rejected as a
    whole.
    """
    started = time.perf_counter()
    before = {brand.id for brand in await database.workspace(company_id).brands.all()}
    try:
        async with database.transaction(company_id) as writing:
            intake = Intake(writing, keep_schedules=keep_schedules)
            await intake.begin()
            for number, record in records_of(path):
                await intake.add(record, number)
                progress(number)
            await intake.end()
    except InvalidArchive as error:
        raise InvalidFile(path.name, error.line, str(error)) from error
    except DuplicateRow as error:
        raise InvalidFile(path.name, None, f"{error}: it was taken in before") from error
    taken = [brand for brand in await database.workspace(company_id).brands.all() if brand.id not in before]
    for brand in taken:
        await publisher.bring_up_to_date(company_id, brand.id)
    duration = round((time.perf_counter() - started) * 1000, 3)
    fields = {"what": "archive", "company_id": company_id, "stored": sum(intake.counts.values())}
    events.info("import", extra={**fields, "duration_ms": duration})
    return ArchiveIntake(intake.counts, tuple(taken), tuple(intake.switched_off))


def records_of(path: Path) -> Iterator[tuple[int, Record]]:
    """Read an archive line by line. Raises InvalidFile."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE), b""), start=1):
                record = record_in(line, path.name, number)
                if number == 1:
                    if record.get("seenby") != FORMAT:
                        raise InvalidFile(path.name, 1, f"it does not begin as an archive of {FORMAT} does")
                    continue
                yield number, record
    except OSError as error:
        raise InvalidFile(str(path), None, f"it cannot be read ({error.strerror})") from error


def record_in(line: bytes, name: str, number: int) -> Record:
    """Parse one line. Raises InvalidFile."""
    try:
        document: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidFile(name, number, "it is no JSON") from error
    if not isinstance(document, dict):
        raise InvalidFile(name, number, "it is no object")
    record: Record = document  # pyright: ignore[reportUnknownVariableType] # checked value by value when it is taken
    channel = record.get("values", {}).get("channel_key") if isinstance(record.get("values"), dict) else None
    if isinstance(channel, list) and not CHANNEL_PLATFORM.fullmatch(str(channel[:1] and channel[0])):  # pyright: ignore[reportUnknownArgumentType] # any list
        raise InvalidFile(name, number, f"the platform must match {CHANNEL_PLATFORM.pattern}")
    return record
