"""What one more answer costs: a batch is imported into the large brand, stored, read and rolled up."""

import tempfile
import time
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

from bench.scale.answering import line, write
from bench.scale.building import Built, answers_about, start_of
from bench.scale.market import Panel
from measurement.extraction.observations import BatchObservations
from measurement.imports.captured_answers import Importer
from measurement.planning.brand_identity import BrandIdentity
from measurement.publication.calculate import Outcome
from measurement.publication.publish import Publisher
from storage.database import Database
from storage.workspace import Workspace

BATCH = Panel(60, 5, 1, 1)
TEXTS = 300


@dataclass(frozen=True, slots=True)
class Ingest:
    """Milliseconds for each answer of a batch: to extract, store and roll up, and to calculate its intervals."""

    answer: float
    calculation: float


class TimedPublisher(Publisher):
    """Knows how long it calculated, which depends on prompts and channels and is paid once a batch."""

    calculating = 0.0

    async def _outcome(
        self,
        workspace: Workspace,
        identity: BrandIdentity,
        revision_key: int,
        newest: BatchObservations,
        calculated_at: datetime,
    ) -> Outcome:
        began = time.perf_counter()
        outcome = await super()._outcome(workspace, identity, revision_key, newest, calculated_at)
        self.calculating += time.perf_counter() - began
        return outcome


async def ingest(
    database: Database, built: Built, seed: int, days: int, panel: Panel = BATCH
) -> list[Ingest]:
    """Import a batch of a panel on each of the days after the last one and time them."""
    ingests: list[Ingest] = []
    answers = await answers_about(
        database, built.company_id, built.brands[0], built.watched[0], seed, built.last_day, TEXTS
    )
    with tempfile.TemporaryDirectory(prefix="seenby-bench-") as folder:
        for number in range(days):
            day = built.last_day + timedelta(days=number + 1)
            path = Path(folder) / f"{number}.jsonl"
            write((line(answers, drawn) for drawn in answers.batch(panel, day, fails=False)), path)
            ingests.append(await imported(database, built, path, day, panel.answers))
    return ingests


async def imported(database: Database, built: Built, path: Path, day: date, answers: int) -> Ingest:
    """Import one batch."""
    end = start_of(day) + timedelta(days=1)
    publisher = TimedPublisher(database, [], lambda: end)
    began = time.perf_counter()
    done = await Importer(database, publisher, lambda: end).import_file(
        built.company_id, built.brands[0], path
    )
    spent = time.perf_counter() - began
    if done.stored != answers:
        raise RuntimeError(f"{done.stored} of {answers} answers were stored")
    cost_of_answer = 1000 / answers
    return Ingest((spent - publisher.calculating) * cost_of_answer, publisher.calculating * cost_of_answer)
