"""Verify stored results: recompute them from the raw answers and name every row that differs."""

import logging
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, cast

import anyio.to_thread

from analytics.digests import SCORE_MODEL
from measurement.errors import UnknownName
from measurement.extraction.extract import read_answer
from measurement.extraction.observations import BatchObservations, observed
from measurement.extraction.reparse import parse
from measurement.planning.brand_identity import BrandIdentity, find_brand, identify
from measurement.planning.clock import Clock
from measurement.publication.calculate import calculate_batch
from measurement.publication.competitor_points import competitor_points
from measurement.publication.publish import Publisher
from measurement.publication.receipt_document import receipt_id
from measurement.publication.receipt_seal import (
    broken_seals,
    countries_digest,
    json_digest,
    points_digest,
    questions_digest,
    readings_digest,
    signed_payload,
)
from measurement.receipts.differences import (
    as_object,
    different_channels,
    different_columns,
    different_countries,
    different_paths,
    different_points,
    different_rows,
    different_sessions,
)
from measurement.receipts.totals_verification import different_channel_days, different_totals
from storage.database import Database
from storage.errors import DamagedData, DatabaseUnavailable
from storage.repositories.answers.answers import AnswerText
from storage.repositories.answers.observed_answers import ObservedAnswer, ObservedMention
from storage.repositories.answers.readings import ExtractedAnswerRow, mention_row, reading_row
from storage.repositories.answers.reparsed_answers import ReparsedAnswerDraft
from storage.repositories.batches import BatchRow
from storage.repositories.stored_results import Row, StoredCalculation
from storage.tables.columns import parse_json, write_json
from storage.workspace import Workspace

log = logging.getLogger(__name__)

CHUNK = 500
DAYS_AT_ONCE = 31
"""Days that one statement counts. There are few statements, and none of them holds a reader for long."""
VERSIONED_STEPS = ("model", "matcher", "rank", "tone", "ownership", "suffixList")
"""Reading and calculation steps as receipts name them, without those that the brand itself changes (its names)."""
MOST_NAMED = 50
"""Limit of named differences per calculation; more would not help the reader."""


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether a calculation holds; `wrong` names what differs: fields of the receipt, columns of rows.

    `read_by` names the older versions that read its answers (`matcher/2`). These versions can no longer be
    run, so such a calculation is verified by its digests, seals and signature only, until its history has
    been extracted again.
    """

    receipt_id: str
    score: float | None
    answers: int
    wrong: tuple[str, ...]
    read_by: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether everything was equal to the last bit."""
        return not self.wrong


@dataclass(slots=True)
class _Findings:
    """Differences by the receipt of their calculation, in the order in which they were found."""

    by_receipt: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def add(self, receipt: str, names: Iterable[str]) -> None:
        wrong = self.by_receipt.setdefault(receipt, [])
        wrong += [name for name in dict.fromkeys(names) if name not in wrong]


async def verify(
    database: Database, publisher: Publisher, company_id: str, receipt: str, now: Clock
) -> Verification:
    """Verify the calculation behind a receipt. Raises UnknownName for an unknown receipt."""
    workspace = database.workspace(company_id)
    stored = await workspace.results.by_receipt(receipt)
    if stored is None:
        raise UnknownName("receipt", receipt, [])
    brand = next(brand for brand in await workspace.brands.all() if brand.key == stored.brand_key)
    verifier = await BrandVerifier.of(workspace, publisher, brand.id, stored.revision_key)
    [verification] = await verifier.verify(only=receipt)
    return verification


async def verify_brand(
    database: Database,
    publisher: Publisher,
    company_id: str,
    brand_name: str,
    now: Clock,
    *,
    quick: bool = False,
) -> list[Verification]:
    """Verify every calculation in force of a brand, newest first; empty if it was never measured.

    `quick` checks digests, chain, signatures, texts, daily counts and running totals without reading an answer again.
    """
    workspace = database.workspace(company_id)
    brand = await find_brand(workspace, brand_name)
    if brand.revision_key is None:
        return []
    verifier = await BrandVerifier.of(workspace, publisher, brand.id, brand.revision_key)
    return await verifier.verify(quick=quick)


class BrandVerifier:
    """Verifies the results of one brand in one analysis revision."""

    def __init__(
        self, workspace: Workspace, publisher: Publisher, identity: BrandIdentity, revision_key: int
    ) -> None:
        self._workspace = workspace
        self._publisher = publisher
        self._identity = identity
        self._revision_key = revision_key
        self._reread: dict[int, BatchObservations] = {}
        self._wrong_in_batch: dict[int, list[str]] = {}
        self._texts: dict[int, AnswerText] | None = None

    @classmethod
    async def of(
        cls, workspace: Workspace, publisher: Publisher, brand_id: str, revision_key: int
    ) -> "BrandVerifier":
        """Prepare the verification of a brand with the parsing that a revision reads."""
        brand = await find_brand(workspace, brand_id)
        revision = await workspace.revisions.find(revision_key)
        return cls(workspace, publisher, await identify(workspace, brand, revision.parsing), revision_key)

    async def verify(self, *, only: str | None = None, quick: bool = False) -> list[Verification]:
        """Verify all calculations, or only that of a receipt; newest first."""
        brand_key = self._identity.brand.key
        stored = await self._workspace.stored_results.calculations(brand_key, self._revision_key)
        points: dict[int, list[Row]] = {}
        for point in await self._workspace.stored_results.points(self._revision_key):
            points.setdefault(point["batch_key"], []).append(point)
        faulty = await self._faulty_texts()
        findings = _Findings()
        previous: str | None = None
        for calculation in stored:
            if only in (None, calculation.receipt_id):
                receipt, batch_points = calculation.receipt_id, points.get(calculation.batch_key, [])
                findings.add(receipt, faulty.get(calculation.batch_key, ()))
                findings.add(
                    receipt,
                    await self._readable("digests", self._check_digests(calculation, batch_points, previous)),
                )
                if not (quick or self._older_versions(calculation)):
                    recalculated = self._recalculate(calculation, batch_points)
                    findings.add(receipt, await self._readable("score_calculations", recalculated))
            previous = calculation.receipt_id
        if stored and only is None:
            newest = stored[-1].receipt_id
            findings.add(newest, await self._readable("batch_seals", self._check_other_batches(stored)))
            findings.add(newest, await self._readable("daily_rollups", self._check_rollups()))
            findings.add(newest, await self._readable("running_totals", self._check_totals()))
            known = {calculation.batch_key for calculation in stored}
            for batch_key in faulty.keys() - known:
                findings.add(newest, faulty[batch_key])
            findings.add(newest, (f"metric_points of batch {key}" for key in points.keys() - known))
            published = await self._workspace.channel_days.batches(self._revision_key)
            findings.add(newest, (f"channel_days of batch {key}" for key in published if key not in known))
            findings.add(newest, await self._missing_calculations())
            if not quick and self._identity.parsing == 0:
                findings.add(newest, await self._readable("answers", self._check_raw_answers()))
        return [
            Verification(
                calculation.receipt_id,
                calculation.score,
                count_of_answers(calculation.receipt),
                tuple(findings.by_receipt[calculation.receipt_id][:MOST_NAMED]),
                self._older_versions(calculation),
            )
            for calculation in reversed(stored)
            if calculation.receipt_id in findings.by_receipt
        ]

    async def _faulty_texts(self) -> dict[int, list[str]]:
        """Name every answer whose stored text is missing, damaged or another than first stored, by batch."""
        faulty: dict[int, list[str]] = {}
        brand_key, after = self._identity.brand.key, 0
        texts = self._workspace.stored_results.texts
        while chunk := await texts(brand_key, self._identity.parsing, after, CHUNK):
            after = chunk[-1].answer_key
            for text in chunk:
                if text.fault:
                    faulty.setdefault(text.batch_key, []).append(f"answers {text.answer_key}: {text.fault}")
        return faulty

    async def _readable(self, what: str, check: Awaitable[list[str]]) -> list[str]:
        """Return what a check finds; data that it cannot read are a finding too, never the end of a verification."""
        try:
            return await check
        except DatabaseUnavailable:
            raise
        except DamagedData as error:
            return [f"{what}: cannot be read: {error}"]
        except Exception:
            log.exception("verifying %s of brand %s", what, self._identity.brand.id)
            return [f"{what}: cannot be checked"]

    def _older_versions(self, stored: StoredCalculation) -> tuple[str, ...]:
        """Return the reader versions in the stored receipt that are no longer current.

        The digest and the signature of the receipt cover them.
        """
        by = as_object(as_object(stored.receipt).get("versions"))
        today = {**self._identity.versions, "model": SCORE_MODEL}
        return tuple(str(by[step]) for step in VERSIONED_STEPS if step in by and by[step] != today.get(step))

    async def _check_digests(
        self, stored: StoredCalculation, points: Sequence[Row], previous: str | None
    ) -> list[str]:
        """Compare stored data with the digests of its receipt, and the receipt with the chain and its signature."""
        receipt, headline = as_object(stored.receipt), as_object(stored.headline)
        countries = await self._workspace.country_results.of_batch(self._revision_key, stored.batch_key)
        digests = as_object(receipt.get("digests"))
        checks = {
            "receiptId": receipt_id(receipt) == receipt.get("receiptId") == stored.receipt_id,
            "receipt.previous": receipt.get("previous") == previous,
            "headline": json_digest(stored.headline) == digests.get("headline"),
            "platforms": json_digest(stored.platforms) == digests.get("platforms"),
            "rankings": json_digest(stored.rankings) == digests.get("rankings"),
            "country_calculations": countries_digest(countries) == digests.get("countries"),
            "metric_points": points_digest(points) == digests.get("points"),
            "readings": await readings_digest(self._workspace, self._revision_key, stored.batch_key)
            == digests.get("readings"),
            "questions": digests.get("questions", "")
            in ("", await questions_digest(self._workspace, stored.batch_key)),
            "score": stored.score == receipt.get("value") == headline.get("score"),
            "status": stored.status == headline.get("status"),
            "signature": self._publisher.signer.accepts(payload_of(stored), stored.signature),
        }
        wrong = [name for name, holds in checks.items() if not holds]
        return wrong + await broken_seals(self._workspace, self._publisher.signer, stored.batch_key)

    async def _recalculate(self, stored: StoredCalculation, points: Sequence[Row]) -> list[str]:
        """Recalculate a batch from the texts of its answers and compare every column."""
        batch = await self._workspace.batches.find(stored.batch_key)
        here = await self._read(batch)
        evidence = await self._publisher.evidence(
            self._workspace, self._identity, self._revision_key, here, self._read
        )
        repeats = await self._publisher.repeats(
            self._workspace, self._identity, self._revision_key, evidence, self._read
        )
        keys = await self._workspace.channels.keys()
        topics = cast("dict[str, str]", as_object(as_object(stored.receipt).get("topics")))
        fresh = await anyio.to_thread.run_sync(
            calculate_batch,
            self._identity,
            evidence,
            unmeasured(stored),
            keys,
            stored.calculated_at,
            repeats,
            topics,
        )
        looked = {seen.source.key for seen in evidence if seen.batch.id in fresh.draft.receipt["batches"]}
        # Rows first: what differs in a result follows from them, and only the first names are shown.
        wrong = [name for batch_key in sorted(looked) for name in self._wrong_in_batch.get(batch_key, [])]
        wrong += await different_sessions(self._workspace, batch)
        wrong += await different_channels(self._workspace, batch, here)
        wrong += await self._different_competitor_points(here)
        wrong += await different_channel_days(self._workspace, self._revision_key, here)
        wrong += [*different_columns(stored, fresh), *different_points(points, fresh)]
        countries = await self._workspace.country_results.of_batch(self._revision_key, batch.key)
        return wrong + different_countries(countries, fresh)

    async def _different_competitor_points(self, here: BatchObservations) -> list[str]:
        """Name the places in which the stored points of competitors differ from those of a batch's answers."""
        rows = await self._workspace.competitor_points.of_batch(self._revision_key, here.source.key)
        points = await anyio.to_thread.run_sync(competitor_points, self._identity, here)
        stored = {day.isoformat(): document for day, document in rows.items()}
        fresh = {day.isoformat(): document for day, document in points.items()}
        places = different_paths("", stored, parse_json(write_json(fresh)))
        return [f"competitor_points {place.removeprefix('.')}" for place in places]

    async def _read(self, batch: BatchRow) -> BatchObservations:
        """Return a batch as its stored texts are read today, and record the stored rows that differ."""
        known = self._reread.get(batch.key)
        if known is None:
            stored = await self._workspace.observed_answers.unread_of_batch(self._revision_key, batch.key)
            known = self._reread[batch.key] = await self._read_again(batch, stored)
        return known

    async def _read_again(self, batch: BatchRow, stored: Sequence[ObservedAnswer]) -> BatchObservations:
        wrong = self._wrong_in_batch.setdefault(batch.key, [])
        texts = await self._all_texts()
        answers: list[ObservedAnswer] = []
        mentions: list[ObservedMention] = []
        by_key = {answer.key: answer for answer in stored}
        after = 0
        while True:
            keys, read, mention_rows = await self._workspace.stored_results.readings(
                self._revision_key, batch.key, after, CHUNK
            )
            if not keys:
                break
            after = keys[-1]
            cited = await self._workspace.citations.between(
                self._identity.brand.key, keys[0], after, self._identity.parsing
            )
            fresh: list[ExtractedAnswerRow] = []
            for key in keys:
                if key not in texts:
                    continue  # named among the faulty texts
                text = texts[key]
                in_prompt = self._identity.reader.matcher.named(text.prompt)
                fresh.append(read_answer(self._identity, text, cited.get(key, []), in_prompt))
            wrong += different_rows("answer_readings", read, self._reading_rows(fresh), ("answer_key",))
            wrong += different_rows(
                "mentions", mention_rows, self._mention_rows(fresh), ("answer_key", "entity_key")
            )
            for reading in fresh:
                known = by_key.get(reading.answer_key)
                if known is not None:
                    answers.append(known.with_reading(reading))
                mentions += [ObservedMention.of(reading.answer_key, told_of) for told_of in reading.mentions]
        answers.sort(key=lambda answer: (answer.captured_at, answer.key))
        progress = await self._workspace.asks.progress(batch.key)
        failed = await self._workspace.asks.failed_cells(batch.key)
        asked = sum(simulation.stored for simulation in progress)
        if asked != len(stored):
            wrong.append(f"answers of batch {batch.id}: {len(stored)} of {asked} stored")
        return observed(self._identity, batch, answers, mentions, progress, failed)

    def _reading_rows(self, fresh: Sequence[ExtractedAnswerRow]) -> list[dict[str, Any]]:
        return [reading_row(self._revision_key, reading) for reading in fresh]

    def _mention_rows(self, fresh: Sequence[ExtractedAnswerRow]) -> list[dict[str, Any]]:
        return [
            mention_row(self._revision_key, reading, mention)
            for reading in fresh
            for mention in reading.mentions
        ]

    async def _all_texts(self) -> dict[int, AnswerText]:
        """Return every answer of the brand with its text."""
        if self._texts is None:
            self._texts, after = {}, 0
            brand = self._identity.brand
            while chunk := await self._workspace.answers.texts(
                brand.key, self._identity.parsing, after, CHUNK
            ):
                after = chunk[-1].key
                self._texts.update({answer.key: answer for answer in chunk})
        return self._texts

    async def _check_other_batches(self, stored: Sequence[StoredCalculation]) -> list[str]:
        """Check the number of sessions, and the seals of batches that ended without a calculation."""
        workspace, brand = self._workspace, self._identity.brand
        calculated = {calculation.batch_key for calculation in stored}
        wrong: list[str] = []
        for batch_key in await workspace.seals.ended(brand.key):
            if batch_key not in calculated and await workspace.seals.of_batch(batch_key):
                wrong += await broken_seals(workspace, self._publisher.signer, batch_key)
        if await workspace.simulations.count(brand.key) != await workspace.simulations.counted(brand.key):
            wrong.append(f"brands {brand.id}: simulations")
        return wrong

    async def _check_rollups(self) -> list[str]:
        """Recount every day of published answers and compare with the stored counts."""
        brand_key = self._identity.brand.key
        stored = await self._workspace.stored_results.rollups(self._revision_key)
        first, last = await self._workspace.stored_results.period(brand_key) or (date.max, date.min)
        counted: list[dict[str, Any]] = []
        while first <= last:
            until = min(last, first + timedelta(days=DAYS_AT_ONCE - 1))
            counted += await self._workspace.daily_counts.between(brand_key, self._revision_key, first, until)
            first = until + timedelta(days=1)
        return different_rows("daily_rollups", stored, counted, ("day", "entity_key", "channel_key"))

    async def _check_totals(self) -> list[str]:
        """Recount the running totals of all published answers and compare with the stored ones."""
        brand_key = self._identity.brand.key
        return await different_totals(self._workspace, brand_key, self._revision_key, MOST_NAMED)

    async def _missing_calculations(self) -> list[str]:
        brand_key = self._identity.brand.key
        left = await self._workspace.batches.uncalculated(brand_key, self._revision_key)
        return [f"score_calculations of batch {batch.id}" for batch in left]

    async def _check_raw_answers(self) -> list[str]:
        """Parse the raw exchanges that are still stored and compare with the answers made from them."""
        brand_key, after = self._identity.brand.key, 0
        wrong: list[str] = []
        while chunk := await self._workspace.reparsed.raw(brand_key, after, CHUNK // 10):
            low, after = chunk[0].key, chunk[-1].key
            cited = await self._workspace.citations.between(brand_key, low, after, 0)
            for answer in chunk:
                fresh = await anyio.to_thread.run_sync(parse, answer)
                stored = answer.parsed(cited.get(answer.key, ()))
                if not isinstance(fresh, ReparsedAnswerDraft) or fresh.parser != answer.parser:
                    continue  # no longer readable, or another reader
                if not stored.reads_the_same(fresh):
                    wrong.append(f"answers {answer.key}: not what its raw exchange says")
        return wrong


def payload_of(stored: StoredCalculation) -> str:
    """Return what the signature of a stored row must cover."""
    return signed_payload(
        stored.receipt_id,
        brand_key=stored.brand_key,
        revision_key=stored.revision_key,
        batch_key=stored.batch_key,
        replay_of=stored.replay_of,
        status=stored.status,
        score=stored.score,
        calculated_at=stored.calculated_at,
    )


def unmeasured(stored: StoredCalculation) -> list[str]:
    """Return the engines that a stored calculation lists as configured but not measured, even if it is damaged."""
    listed = as_object(stored.platforms).get("platforms")
    engines = (
        [as_object(engine) for engine in cast("list[object]", listed)] if isinstance(listed, list) else []
    )
    platforms = [engine.get("platform") for engine in engines if engine.get("status") == "not_measured"]
    return [platform for platform in platforms if isinstance(platform, str)]


def count_of_answers(receipt: object) -> int:
    """Return the number of answers that a stored receipt states; 0 if it states none."""
    count = as_object(as_object(receipt).get("answers")).get("count")
    return count if isinstance(count, int) else 0
