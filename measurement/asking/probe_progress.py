"""Progress and outcome of a probe, and the log lines for each request to an engine."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from analytics.paired_change import TOLERATED_MISSING
from engines.engine import EngineAnswer
from engines.errors import EngineError
from measurement.planning.ask_plan import AskPlan
from measurement.planning.costs import Allowance
from storage.repositories.asks import OpenAsk, Progress
from storage.repositories.batches import BatchRow
from storage.repositories.brands import Brand
from storage.repositories.spending import BatchCost

PARTIAL = "partial"
"""Status of a probe that measured something but misses more answers than a comparison tolerates."""
events = logging.getLogger("seenby.events")


@dataclass(frozen=True, slots=True)
class Step:
    """Progress of a probe: settled requests, all requests, and failed requests."""

    settled: int
    total: int
    failed: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """Outcome of a probe; `errors` are (platform, code, message, count), `costs` the known ones."""

    batch: BatchRow
    progress: tuple[Progress, ...]
    errors: tuple[tuple[str, str, str, int], ...]
    resumed: bool
    costs: tuple[BatchCost, ...] = ()

    @property
    def planned(self) -> int:
        """Number of requests in the whole batch."""
        return sum(simulation.total for simulation in self.progress)

    @property
    def stored(self) -> int:
        """Number of answers in the whole batch, including those of earlier attempts."""
        return sum(simulation.stored for simulation in self.progress)

    @property
    def failed(self) -> int:
        """Number of requests in the whole batch that failed for good."""
        return sum(simulation.failed for simulation in self.progress)

    @property
    def status(self) -> str:
        """The batch's status, or "partial" when it succeeded with more answers missing than a change tolerates."""
        if self.batch.status == "success" and self.failed > TOLERATED_MISSING * self.planned:
            return PARTIAL
        return self.batch.status


@dataclass(slots=True)
class Tally:
    """Counts of a running probe."""

    total: int
    settled: int
    failed: int
    hopeless: dict[tuple[str, str], EngineError] = field(default_factory=dict[tuple[str, str], EngineError])
    """The error that stops further requests to a platform in a mode."""

    @classmethod
    def of(cls, progress: Sequence[Progress]) -> "Tally":
        """Start with the requests that are already settled."""
        tally = cls(0, 0, 0)
        tally.catch_up(progress)
        return tally

    def catch_up(self, progress: Sequence[Progress]) -> None:
        """Update the counts with everything that any process has settled so far."""
        self.total = sum(row.total for row in progress)
        self.settled = sum(row.stored + row.failed for row in progress)
        self.failed = sum(row.failed for row in progress)


@dataclass(frozen=True, slots=True)
class Probe:
    """One probe that this process is running. All its plans are for one brand."""

    company_id: str
    plans: Sequence[AskPlan]
    batch: BatchRow
    executor: str
    allowance: Allowance
    tally: Tally
    on_step: Callable[[Step], None]

    @property
    def brand(self) -> Brand:
        """The brand being measured."""
        return self.plans[0].brand

    def count(self, text: str = "", *, failed: bool = False) -> None:
        """Count one more settled request and report progress; `text` is its answer."""
        self.tally.settled += 1
        self.tally.failed += failed
        self.report_progress(text)

    def report_progress(self, text: str = "") -> None:
        """Report progress."""
        self.on_step(Step(self.tally.settled, self.tally.total, self.tally.failed, text))


def log_failed_call(probe: Probe, ask: OpenAsk, error: EngineError, seconds: float) -> None:
    """Log a request that an engine did not answer, without the engine's own message."""
    events.warning("engine_call", extra=_call_fields(probe, ask, error.code, seconds))


def log_answered_call(probe: Probe, ask: OpenAsk, answer: EngineAnswer, seconds: float) -> None:
    """Log an answer with its usage and, where a price is known, its cost."""
    cost = probe.allowance.prices.cost(ask.platform, answer)
    usage = {
        "input_tokens": answer.usage.input_tokens,
        "output_tokens": answer.usage.output_tokens,
        "cost": float(cost.amount) if cost else None,
        "currency": cost.currency if cost else None,
        "model": answer.served_model,
    }
    events.debug("engine_call", extra={**_call_fields(probe, ask, "answered", seconds), **usage})


def _call_fields(probe: Probe, ask: OpenAsk, outcome: str, seconds: float) -> dict[str, object]:
    """Return the fields that every request log line has."""
    return {
        "company_id": probe.company_id,
        "batch_id": probe.batch.id,
        "ask_id": ask.ask_key,
        "platform": ask.platform,
        "mode": ask.mode,
        "outcome": outcome,
        "duration_ms": round(seconds * 1000, 3),
    }
