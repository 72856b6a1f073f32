"""How far a probe is while it asks, and what it gave when it has ended."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from analytics.paired_change import TOLERATED_MISSING
from engines.errors import EngineError
from measurement.planning.ask_plan import AskPlan
from measurement.planning.costs import Allowance
from storage.repositories.asks import Progress
from storage.repositories.batches import BatchRow
from storage.repositories.brands import Brand
from storage.repositories.spending import BatchCost

PARTIAL = "partial"
"""How a probe ends that measured something and misses more answers than a comparison tolerates."""


@dataclass(frozen=True, slots=True)
class Step:
    """How far a probe is: asks settled, of how many, and how many of them failed."""

    settled: int
    total: int
    failed: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """How a probe ended; `errors` are (platform, code, message, how many), `costs` the known ones."""

    batch: BatchRow
    progress: tuple[Progress, ...]
    errors: tuple[tuple[str, str, str, int], ...]
    resumed: bool
    costs: tuple[BatchCost, ...] = ()

    @property
    def planned(self) -> int:
        """Asks of the whole batch."""
        return sum(simulation.total for simulation in self.progress)

    @property
    def stored(self) -> int:
        """Answers of the whole batch, those of earlier tries included."""
        return sum(simulation.stored for simulation in self.progress)

    @property
    def failed(self) -> int:
        """Asks of the whole batch that failed for good."""
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
    """Why a platform is not asked any further in a mode."""

    @classmethod
    def of(cls, progress: Sequence[Progress]) -> "Tally":
        """Begin with what is settled already."""
        tally = cls(0, 0, 0)
        tally.catch_up(progress)
        return tally

    def catch_up(self, progress: Sequence[Progress]) -> None:
        """Count what is settled by now, by whichever process."""
        self.total = sum(row.total for row in progress)
        self.settled = sum(row.stored + row.failed for row in progress)
        self.failed = sum(row.failed for row in progress)


@dataclass(frozen=True, slots=True)
class Probe:
    """One probe under way in this process; all its plans are about one brand."""

    company_id: str
    plans: Sequence[AskPlan]
    batch: BatchRow
    executor: str
    allowance: Allowance
    tally: Tally
    on_step: Callable[[Step], None]

    @property
    def brand(self) -> Brand:
        """Whom it is about."""
        return self.plans[0].brand

    def count(self, text: str = "", *, failed: bool = False) -> None:
        """Count one more ask that is settled, and say how far it is; `text` is its answer."""
        self.tally.settled += 1
        self.tally.failed += failed
        self.report_progress(text)

    def report_progress(self, text: str = "") -> None:
        """Say how far it is."""
        self.on_step(Step(self.tally.settled, self.tally.total, self.tally.failed, text))
