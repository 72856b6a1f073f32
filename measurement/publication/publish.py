"""Publish a settled batch: read its answers, calculate, and commit everything in one step."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime

import anyio.to_thread

from analytics.batches import LOOK_BACK, enough
from analytics.series_watch import watch_series
from measurement.alerts.issues import CONTENT_GAP_MONITOR, record
from measurement.alerts.mention_alerts import mention_alerts
from measurement.alerts.rule_alerts import check_rules
from measurement.alerts.step_alerts import step_alerts
from measurement.extraction.extract import current_revision, read_unread
from measurement.extraction.observations import BatchObservations, observe, observe_each
from measurement.planning.brand_identity import BrandIdentity, identify
from measurement.planning.clock import Clock
from measurement.planning.prompt_topics import load_topics
from measurement.publication.accuracy_checks import check_batch, keep, observations
from measurement.publication.calculate import Outcome, asked_prompts, calculate_batch, countries_of, views_of
from measurement.publication.channel_days import ReadBatch, channel_day_drafts, publish_totals, read_batch
from measurement.publication.channel_health import (
    REFUSALS,
    by_channel,
    check,
    end_of,
    engines_refused,
    troubles,
)
from measurement.publication.competitor_points import competitor_points
from measurement.publication.looks import looks_of_batch, stored_looks
from measurement.publication.receipt_seal import (
    ReceiptSigner,
    questions_digest,
    readings_digest,
    seal,
    seal_batch,
    signed_payload,
)
from measurement.publication.repeats import Repeats, batch_time, collect_repeats, is_before, quiet_batches
from storage.database import Database
from storage.errors import RowGone
from storage.repositories.asks import Progress
from storage.repositories.batches import BatchRow
from storage.repositories.revisions import Revision
from storage.repositories.simulations import EVERY_CHANNEL, ChannelName
from storage.workspace import Workspace

events = logging.getLogger("seenby.events")

MOST_BATCHES = 200


class Publisher:
    """Turns answers into numbers; the only writer of calculations, points and daily counts."""

    def __init__(
        self,
        database: Database,
        configured: Sequence[str],
        now: Clock,
        signer: ReceiptSigner = ReceiptSigner(),  # noqa: B008 # a value that never changes
    ) -> None:
        self._database = database
        self._configured = configured
        self._now = now
        self.signer = signer

    async def publish(
        self,
        company_id: str,
        brand_id: str,
        batch: BatchRow,
        progress: Callable[[int], None] = lambda read: None,
    ) -> bool:
        """Close a batch whose requests have all ended, and store its results.

        If the brand's aliases or sites have changed, its answers are first extracted again, so that all its
        numbers come from one revision. Returns False if another process closed the batch, or if it still has
        requests to settle and closes the batch afterwards.
        """
        progress_by_simulation = await self._database.workspace(company_id).asks.progress(batch.key)
        if any(row.planned or row.sent or row.submitted for row in progress_by_simulation):
            return False
        while True:
            closed = await self._close(company_id, brand_id, batch, progress_by_simulation, progress)
            if closed:
                log_measurement(company_id, brand_id, batch, progress_by_simulation, self._now())
            if closed is not None:
                return closed

    async def _close(
        self,
        company_id: str,
        brand_id: str,
        batch: BatchRow,
        simulations: Sequence[Progress],
        progress: Callable[[int], None],
    ) -> bool | None:
        """Publish on the revision in force; None if another process replaced it meanwhile."""
        workspace = self._database.workspace(company_id)
        identity, revision = await self.bring_up_to_date(company_id, brand_id, progress)
        read = await read_batch(workspace, identity, revision.key, batch)
        newest = read.observed
        measured = any(summary.ends["valid"] for summary in newest.channels.values())
        now = self._now()
        outcome = await self._outcome(workspace, identity, revision.key, newest, now) if measured else None
        checked = await check_batch(workspace, identity, revision.key, batch.key) if measured else None
        async with self._database.transaction(company_id) as writing:
            await writing.batches.lock(identity.brand.key)
            in_force = await writing.revisions.current(identity.brand.key)
            if in_force is None or in_force.key != revision.key:
                return None
            ends = [(simulation, end_of(simulation)) for simulation in simulations]
            if not await writing.batches.close(batch.key, "success" if measured else "failed", ends, now):
                return False
            channels = by_channel(simulations)
            await writing.notifications.add_alike(troubles(identity, batch, channels), now)
            if batch.source != "import":
                await check(writing, identity, batch, newest, channels, now)
            errors = await writing.asks.errors(batch.key)
            refused = {platform: code for platform, code, _, _ in errors if code in REFUSALS}
            await writing.notifications.add_alike(engines_refused(refused, now), now)
            if outcome is not None:
                await self._store(writing, identity, revision.key, read, outcome, replay_of=None, now=now)
                days = await channel_day_drafts(writing, read)
                await publish_totals(writing, identity.brand.key, revision.key, batch.key, days)
                await self._notify(writing, identity, revision.key, newest, now)
            if checked is not None:
                await keep(writing, batch.key, checked)
                seen = observations(await writing.judgements.claims(batch.key))
                await record(writing, identity.brand, seen, now)
            await seal_batch(writing, self.signer, batch.key)
        return True

    async def _notify(
        self,
        writing: Workspace,
        identity: BrandIdentity,
        revision_key: int,
        newest: BatchObservations,
        now: datetime,
    ) -> None:
        """Add notifications for what is new in a measurement, and schedule its search for content gaps."""
        before = await writing.mention_history.by_platform(revision_key, newest.source.key)
        for alert in mention_alerts(identity.brand, newest, before, now):
            await writing.notifications.add_alike(alert, now)
        at_batch = looks_of_batch(identity, newest)
        channels = sum(look.series.channel is not None for look in at_batch)
        for look in at_batch:
            looks = await stored_looks(writing, revision_key, look.series.name, now)
            beside = 1 if look.series.channel is None else channels
            state = await anyio.to_thread.run_sync(watch_series, looks, beside)
            for alert in step_alerts(identity.brand, look.series, looks, state):
                await writing.notifications.add(alert, now)
        await check_rules(writing, identity.brand, revision_key, now)
        await writing.monitors.schedule_now(identity.brand.key, CONTENT_GAP_MONITOR, now)

    async def bring_up_to_date(
        self, company_id: str, brand_id: str, progress: Callable[[int], None] = lambda read: None
    ) -> tuple[BrandIdentity, Revision]:
        """Read every answer of a brand with the current reader, and move its history to that revision.

        Everything is prepared beside the numbers in force, then replaces them in a single step. Safe to kill
        and to repeat.
        """
        workspace = self._database.workspace(company_id)
        brand = await workspace.brands.find(brand_id)
        if brand is None:
            raise RowGone
        identity = await identify(workspace, brand)
        state = await current_revision(self._database, identity, self._now())
        read = 0

        def advanced(more: int) -> None:
            progress(read + more)

        while True:
            read += await read_unread(self._database, identity, state.revision, advanced)
            if state.in_force:
                return identity, state.revision
            await self._recalculate(workspace, identity, state.revision.key)
            async with self._database.transaction(company_id) as writing:
                await writing.batches.lock(brand.key)
                if await is_complete(writing, state.revision):
                    await writing.running_totals.rebuild(brand.key, state.revision.key)
                    await writing.revisions.switch(state.revision, self._now())
                    return identity, state.revision

    async def _recalculate(self, workspace: Workspace, identity: BrandIdentity, revision_key: int) -> None:
        """Calculate every successful batch that has no result in this revision, oldest first."""
        current = await workspace.revisions.current(identity.brand.key)
        for batch in await workspace.batches.uncalculated(identity.brand.key, revision_key):
            when = batch_time(batch)
            read = await read_batch(workspace, identity, revision_key, batch)
            outcome = await self._outcome(workspace, identity, revision_key, read.observed, when)
            replaced = await workspace.results.of_batch(current.key, batch.key) if current else None
            async with self._database.transaction(workspace.company_id) as writing:
                await writing.batches.lock(identity.brand.key)
                of = replaced.key if replaced else None
                await self._store(writing, identity, revision_key, read, outcome, replay_of=of, now=when)
                days = await channel_day_drafts(writing, read)
                await writing.channel_days.replace(revision_key, batch.key, days)
        for batch_key in await workspace.seals.unsealed(identity.brand.key):
            async with self._database.transaction(workspace.company_id) as writing:
                await seal_batch(writing, self.signer, batch_key)

    async def _outcome(
        self,
        workspace: Workspace,
        identity: BrandIdentity,
        revision_key: int,
        newest: BatchObservations,
        calculated_at: datetime,
    ) -> Outcome:
        batches = await self.evidence(workspace, identity, revision_key, newest)
        repeats = await self.repeats(workspace, identity, revision_key, batches)
        keys = await self._channel_keys(workspace, newest)
        topics = await load_topics(workspace, asked_prompts(batches))
        return await anyio.to_thread.run_sync(
            calculate_batch, identity, batches, self._configured, keys, calculated_at, repeats, topics
        )

    async def _channel_keys(
        self, workspace: Workspace, newest: BatchObservations
    ) -> Mapping[ChannelName, int]:
        """Return the keys of all channels, and the combined key for each country."""
        keys = await workspace.channels.keys()
        missing = [country for country in countries_of([newest]) if (*EVERY_CHANNEL, country) not in keys]
        if not missing:
            return keys
        async with self._database.transaction(workspace.company_id) as writing:
            for country in missing:
                await writing.channels.key(*EVERY_CHANNEL, country)
            return await writing.channels.keys()

    async def evidence(
        self,
        workspace: Workspace,
        identity: BrandIdentity,
        revision_key: int,
        newest: BatchObservations,
        load: Callable[[BatchRow], Awaitable[BatchObservations]] | None = None,
    ) -> list[BatchObservations]:
        """Return the batch and those before it, newest first, as far back as its comparison may reach.

        `load` observes an earlier batch, by default from this revision's stored rows.
        """
        until = newest.source.finished_at or self._now()
        before = await workspace.batches.successful(identity.brand.key, until, MOST_BATCHES)
        observed, sides = [newest], 0
        for batch in before:
            if batch.key == newest.source.key or not is_before(batch, newest.source):
                continue
            side = observed[sides:]
            full = enough([evidence.batch for evidence in side], identity.brand.id)
            if full or side[0].batch.captured_at - batch_time(batch) > LOOK_BACK:
                if sides:
                    break
                sides = len(observed)
            if load is None:
                observed.append(await observe(workspace, identity, revision_key, batch))
            else:
                observed.append(await load(batch))
        return observed

    async def repeats(
        self,
        workspace: Workspace,
        identity: BrandIdentity,
        revision_key: int,
        newest_first: Sequence[BatchObservations],
        load: Callable[[BatchRow], Awaitable[BatchObservations]] | None = None,
    ) -> Repeats:
        """Return the earlier batches that count as repeats of these; `load` is the same as in `evidence`."""

        async def observe_all(batches: Sequence[BatchRow]) -> Sequence[BatchObservations]:
            if load is not None:
                return [await load(batch) for batch in batches]
            progress = await workspace.asks.progress_of_each([batch.key for batch in batches])
            return await observe_each(workspace, identity, revision_key, batches, progress)

        newest = newest_first[0]
        quiet = await quiet_batches(workspace, identity, revision_key, newest, self._now())
        return await collect_repeats(
            workspace,
            revision_key,
            identity.brand.id,
            views_of(newest_first),
            (newest.batch.id, quiet),
            observe_all,
        )

    async def _store(
        self,
        writing: Workspace,
        identity: BrandIdentity,
        revision_key: int,
        read: ReadBatch,
        outcome: Outcome,
        *,
        replay_of: int | None,
        now: datetime,
    ) -> None:
        brand_key, batch = identity.brand.key, read.observed.source
        readings = await readings_digest(writing, revision_key, batch.key)
        previous = await writing.stored_results.chain_end(brand_key, revision_key, batch.key)
        questions = await questions_digest(writing, batch.key)
        draft = seal(outcome.draft, outcome.points, outcome.countries, readings, questions, previous)
        payload = signed_payload(
            draft.receipt_id,
            brand_key=brand_key,
            revision_key=revision_key,
            batch_key=batch.key,
            replay_of=replay_of,
            status=draft.status,
            score=draft.score,
            calculated_at=now,
        )
        await writing.results.add(
            draft,
            brand_key=brand_key,
            revision_key=revision_key,
            batch_key=batch.key,
            replay_of=replay_of,
            now=now,
            signature=self.signer.sign(payload),
        )
        await writing.trend_points.replace(outcome.points, revision_key=revision_key, batch_key=batch.key)
        await writing.country_results.replace(
            outcome.countries,
            brand_key=brand_key,
            revision_key=revision_key,
            batch_key=batch.key,
            now=now,
        )
        await writing.daily_counts.recount(identity.brand.key, revision_key, outcome.days)
        points = await anyio.to_thread.run_sync(competitor_points, identity, read.observed)
        await writing.competitor_points.replace(revision_key, batch.key, points)


async def is_complete(workspace: Workspace, revision: Revision) -> bool:
    """Return whether a revision has read every answer and calculated every batch, so that it can come into force."""
    brand = revision.brand_key
    return await workspace.answers.unread_count(
        brand, revision.key
    ) == 0 and not await workspace.batches.uncalculated(brand, revision.key)


def log_measurement(
    company_id: str, brand_id: str, batch: BatchRow, simulations: Sequence[Progress], now: datetime
) -> None:
    """Log a measurement that was closed and published."""
    fields = {"company_id": company_id, "brand_id": brand_id, "batch_id": batch.id, "source": batch.source}
    counts = {
        "answers": sum(simulation.stored for simulation in simulations),
        "failed": sum(simulation.failed for simulation in simulations),
    }
    duration = round((now - batch.created_at).total_seconds() * 1000)
    events.info("measurement", extra={**fields, **counts, "duration_ms": duration})
