"""A task submitted to a data provider: when to check it again, and when to give up."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from engines.engine import Exchange

LONGEST_WORK = timedelta(minutes=10)
"""From the first check that found the task running; time in a queue does not count."""
LONGEST_WAIT = timedelta(minutes=60)
SHORTEST_PAUSE, LONGEST_PAUSE = 2.0, 10.0
LOOKS_PER_PAUSE = 5
NOTIFIED_PAUSE = 30.0
"""Seconds between two checks of a task with a callback; a lost callback costs no more than this."""
ANSWERED = "answered"


@dataclass(frozen=True, slots=True)
class SupplierTask:
    """A submitted task. Without an id, its submission got no response: it is searched for and never sent again.

    An immediate answer has the id `answered`, and its exchanges hold the answer.
    """

    id: str
    submitted_at: datetime
    exchanges: tuple[Exchange, ...] = ()
    started_at: datetime | None = None
    """When the task was first found running."""
    looks: int = 0
    notified: bool = False
    """Whether the data provider has a callback URL for when the task is done."""

    @property
    def pause(self) -> float:
        """Seconds until the next check is worthwhile."""
        if self.id == ANSWERED:
            return 0.0
        if self.notified:
            return NOTIFIED_PAUSE
        return min(SHORTEST_PAUSE * 2 ** (self.looks // LOOKS_PER_PAUSE), LONGEST_PAUSE)

    def overdue(self, now: datetime) -> bool:
        """Return whether the task has exceeded its time limit; the data provider charges for it all the same."""
        at_work = self.started_at is not None and now - self.started_at > LONGEST_WORK
        return at_work or now - self.submitted_at > LONGEST_WAIT
