"""A task that was submitted to a supplier: when it is looked at again, and when nobody waits for it any longer."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from engines.engine import Exchange

LONGEST_WORK = timedelta(minutes=10)
"""From the first look that found a task at work; what it waits in a queue does not count."""
LONGEST_WAIT = timedelta(minutes=60)
SHORTEST_PAUSE, LONGEST_PAUSE = 2.0, 10.0
LOOKS_PER_PAUSE = 5
NOTIFIED_PAUSE = 30.0
"""Between two looks at a task whose supplier calls when it is done; a call that never comes costs no more."""
ANSWERED = "answered"


@dataclass(frozen=True, slots=True)
class SupplierTask:
    """A submitted task; without an id its submission got no answer, and it is looked for and never sent again.

    What was answered at once has the id `answered`, and its exchanges hold the answer.
    """

    id: str
    submitted_at: datetime
    exchanges: tuple[Exchange, ...] = ()
    started_at: datetime | None = None
    """When it was first found at work."""
    looks: int = 0
    notified: bool = False
    """Whether its supplier was told whom to call when it is done."""

    @property
    def pause(self) -> float:
        """Seconds until it is worth looking again."""
        if self.id == ANSWERED:
            return 0.0
        if self.notified:
            return NOTIFIED_PAUSE
        return min(SHORTEST_PAUSE * 2 ** (self.looks // LOOKS_PER_PAUSE), LONGEST_PAUSE)

    def overdue(self, now: datetime) -> bool:
        """Whether nobody waits for it any longer; the supplier charges for it all the same."""
        at_work = self.started_at is not None and now - self.started_at > LONGEST_WORK
        return at_work or now - self.submitted_at > LONGEST_WAIT
