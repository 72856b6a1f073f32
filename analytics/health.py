"""The health of the instrument: how a channel behaved in a batch, and what about it makes its numbers doubtful."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

FAILED_SHARE = 0.2
CITING, SILENT = 0.5, 0.05
SEARCH_DROP = 0.2


class Alert(StrEnum):
    """A reason to suspect the tool before the brand."""

    FAILURES = "failures"
    CITATIONS_VANISHED = "citations_vanished"
    SEARCHES_DROPPED = "searches_dropped"
    SERVED_MODEL_CHANGED = "served_model_changed"
    NO_CREDENTIAL = "no_credential"


@dataclass(frozen=True, slots=True)
class Health:
    """One channel in one batch; counts of asks and answers. `median_latency_ms` is None without an answer."""

    planned: int
    failed: int
    refused: int
    valid: int
    answered: int
    searched: int
    measurable: int
    citing: int
    served_models: tuple[str, ...]
    median_latency_ms: int | None
    no_credential: bool

    @property
    def failed_share(self) -> float | None:
        """Failed asks among the planned ones."""
        return share(self.failed, self.planned)

    @property
    def refused_share(self) -> float | None:
        """Refusals among the answers."""
        return share(self.refused, self.answered)

    @property
    def valid_share(self) -> float | None:
        """Valid answers among the planned asks."""
        return share(self.valid, self.planned)

    @property
    def search_rate(self) -> float | None:
        """Answers that searched among all of them; it says something in mode `readiness` only."""
        return share(self.searched, self.answered)

    @property
    def citation_share(self) -> float | None:
        """Answers that cite anything among those whose citations are known."""
        return share(self.citing, self.measurable)


def share(part: int, whole: int) -> float | None:
    """Return a fraction, or None of nothing."""
    return part / whole if whole else None


def alerts(now: Health, before: Health | None) -> list[Alert]:
    """Return what is suspicious about a channel, given its batch before this one."""
    found: list[Alert] = []
    if (now.failed_share or 0.0) > FAILED_SHARE:
        found.append(Alert.FAILURES)
    if before is None:
        return found
    if now.no_credential and before.no_credential:
        found.append(Alert.NO_CREDENTIAL)
    same_model = now.served_models == before.served_models
    if now.served_models and before.served_models and not same_model:
        found.append(Alert.SERVED_MODEL_CHANGED)
    if same_model and fell(before.citation_share, now.citation_share, CITING, SILENT):
        found.append(Alert.CITATIONS_VANISHED)
    if dropped(before.search_rate, now.search_rate):
        found.append(Alert.SEARCHES_DROPPED)
    return found


def fell(before: float | None, now: float | None, from_least: float, to_less: float) -> bool:
    """Tell whether a share was at least one bound and is under another now."""
    return before is not None and now is not None and before >= from_least and now < to_less


def dropped(before: float | None, now: float | None) -> bool:
    """Tell whether a rate is at least 20 points lower than before, rounding aside."""
    return before is not None and now is not None and before - now >= SEARCH_DROP - 1e-9


def median(values: Sequence[int]) -> int | None:
    """Return the middle value, the lower one of two; None of nothing."""
    return sorted(values)[(len(values) - 1) // 2] if values else None
