"""Micro-batches: what several tasks hand in within a moment is handled in one call."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import anyio

LONGEST_WAIT = 0.05
"""Seconds that the first item of a batch waits for others."""
MOST_ITEMS = 32

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


@dataclass(slots=True, eq=False)
class _Batch(Generic[Item, Outcome]):
    items: list[Item] = field(default_factory=list[Item])
    outcomes: Sequence[Outcome] = ()
    full: anyio.Event = field(default_factory=anyio.Event)
    handled: anyio.Event = field(default_factory=anyio.Event)


class MicroBatches(Generic[Item, Outcome]):
    """Collects the items of tasks of one task group, and handles up to 32 that come within 50 ms together.

    The task that opens a batch handles it. If that fails, the failure ends the group, and with it the tasks that wait.
    """

    def __init__(self, handle: Callable[[Sequence[Item]], Awaitable[Sequence[Outcome]]]) -> None:
        self._handle = handle
        self._open: _Batch[Item, Outcome] | None = None

    async def add(self, item: Item) -> Outcome:
        """Hand in an item; return its outcome once its batch is handled."""
        opens = self._open is None
        batch = self._open = self._open or _Batch[Item, Outcome]()
        place = len(batch.items)
        batch.items.append(item)
        if len(batch.items) == MOST_ITEMS:
            self._open = None
            batch.full.set()
        if opens:
            with anyio.move_on_after(LONGEST_WAIT):
                await batch.full.wait()
            if self._open is batch:
                self._open = None
            batch.outcomes = await self._handle(batch.items)
            batch.handled.set()
        await batch.handled.wait()
        return batch.outcomes[place]
