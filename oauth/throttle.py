"""How often somebody may ask the authorization server; where it is counted is the surface's affair."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `count` requests within any `seconds`, of one kind."""

    kind: str
    count: int
    seconds: int


class Throttle(Protocol):
    """Counts requests, for all processes alike."""

    async def wait(self, *asked: tuple[Limit, str]) -> int | None:
        """Count a request under each limit, for whom it names; None when it was counted.

        Else it is counted under none of them, and the whole seconds until there is a place are returned.
        """
        ...
