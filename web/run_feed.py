"""Progress of runs for open pages, read from the tools at most once a second for all pages of a run together."""

import asyncio
import hashlib
import json
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from oauth.principal import Caller
from storage.database import Database
from storage.repositories.answers.evidence import ReceivedAnswer
from tools.calls.dispatch import Dispatcher, Success

SECONDS_BETWEEN_READS = 1.0
SECONDS_BETWEEN_SIGNS_OF_LIFE = 15.0
LONGEST_STREAM_SECONDS = 300.0
STOPPING = "seenby.stopping"
"""Key in `scope["extensions"]`: returns whether the server is shutting down, so that streams end first."""
LIVE = ("pending", "running")
SESSIONS_OF_A_RUN = 40
MOST_FAILURES = 10
MOST_QUOTES = 3


@dataclass(frozen=True, slots=True)
class AskFailure:
    """Why an engine did not answer prompts of a run, and how many."""

    platform: str
    words: str
    count: int


@dataclass(frozen=True, slots=True)
class RunSnapshot:
    """A run as the tools return it, and how far each engine is. `id` changes with the content."""

    id: str
    run: dict[str, Any]
    sessions: tuple[dict[str, Any], ...]
    failures: tuple[AskFailure, ...] = ()
    quotes: tuple[ReceivedAnswer, ...] = ()

    @property
    def live(self) -> bool:
        """Whether the run is still live."""
        return self.run["status"] in LIVE


@dataclass(slots=True)
class _Reading:
    """The newest snapshot of one run, when it was read, and the lock for reading it."""

    snapshot: RunSnapshot | None = None
    read_at: float = float("-inf")
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    watchers: int = 0


class RunFeed:
    """Streams the progress of runs to open pages. Progress is stored in the database, so any server can stream it."""

    def __init__(self, dispatcher: Dispatcher, database: Database) -> None:
        self._dispatcher = dispatcher
        self._database = database
        self._readings: dict[tuple[str, str], _Reading] = {}

    async def read(self, caller: Caller, run_id: str) -> RunSnapshot | None:
        """Return the current snapshot of a run of the caller's company, or None."""
        run = await self._call(caller, "get_run_status", runId=run_id)
        if run is None:
            return None
        listed = await self._call(caller, "list_simulations", brandId=run["brandId"], limit=SESSIONS_OF_A_RUN)
        began = datetime.fromisoformat(run["createdAt"])
        mine = [
            session
            for session in (listed["simulations"] if listed else ())
            if session["source"] == "probe" and datetime.fromisoformat(session["createdAt"]) >= began
        ]
        batches = list(dict.fromkeys(session["batchId"] for session in mine))
        sessions, failures, quotes = await self._details(caller, batches)
        content = json.dumps([run["status"], run["agents"], sessions], sort_keys=True)
        digest = hashlib.sha256(content.encode()).hexdigest()[:16]
        return RunSnapshot(digest, run, sessions, failures, quotes)

    async def _details(
        self, caller: Caller, batches: Sequence[str]
    ) -> tuple[tuple[dict[str, Any], ...], tuple[AskFailure, ...], tuple[ReceivedAnswer, ...]]:
        """Return how far each engine is in these batches, why requests failed, and the newest answers."""
        if caller.principal is None:
            return (), (), ()
        workspace = self._database.workspace(caller.principal.company_id)
        engines: dict[str, dict[str, Any]] = {}
        failures: list[AskFailure] = []
        quotes: list[ReceivedAnswer] = []
        for batch_id in batches:
            batch = await workspace.batches.named(batch_id)
            if batch is None:
                continue
            for channel in await workspace.asks.progress(batch.key):
                none = {"platform": channel.platform, "planned": 0, "answered": 0, "failed": 0}
                engine = engines.setdefault(channel.platform, none)
                engine["planned"] += channel.total
                engine["answered"] += channel.stored
                engine["failed"] += channel.failed
            failures += [
                AskFailure(platform, message or code, count)
                for platform, code, message, count in await workspace.asks.errors(batch.key)
            ]
            quotes += await workspace.evidence.newest_of_batch(batch_id, MOST_QUOTES)
        return tuple(engines.values()), tuple(failures[:MOST_FAILURES]), tuple(quotes[:MOST_QUOTES])

    async def watch(
        self, caller: Caller, run_id: str, known: str | None, stopping: Callable[[], bool]
    ) -> AsyncIterator[RunSnapshot | None]:
        """Yield each new snapshot after the `known` one until the run has ended. None is a keep-alive.

        The stream ends after some minutes, so that no connection stays open forever, and as soon as the server is
        `stopping`. Browsers reconnect with the last id they received.
        """
        key = (caller.principal.company_id if caller.principal else "", run_id)
        reading = self._readings.setdefault(key, _Reading())
        reading.watchers += 1
        until, quiet_since = time.monotonic() + LONGEST_STREAM_SECONDS, time.monotonic()
        try:
            while time.monotonic() < until and not stopping():
                snapshot = await self._newest(reading, caller, run_id)
                if snapshot is None:
                    return
                if snapshot.id != known:
                    known, quiet_since = snapshot.id, time.monotonic()
                    yield snapshot
                if not snapshot.live:
                    return
                if time.monotonic() - quiet_since >= SECONDS_BETWEEN_SIGNS_OF_LIFE:
                    quiet_since = time.monotonic()
                    yield None
                await asyncio.sleep(SECONDS_BETWEEN_READS)
        finally:
            reading.watchers -= 1
            if not reading.watchers:
                self._readings.pop(key, None)

    async def _newest(self, reading: _Reading, caller: Caller, run_id: str) -> RunSnapshot | None:
        async with reading.lock:
            if time.monotonic() - reading.read_at >= SECONDS_BETWEEN_READS:
                reading.snapshot = await self.read(caller, run_id)
                reading.read_at = time.monotonic()
            return reading.snapshot

    async def _call(self, caller: Caller, tool: str, **arguments: object) -> dict[str, Any] | None:
        outcome = await self._dispatcher.call(tool, arguments, caller, whole=True)
        return json.loads(outcome.body) if isinstance(outcome, Success) else None
