"""Cache of expected gains by prompt, computed once per measurement in each process."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from storage.repositories.brands import Brand
from storage.workspace import Workspace

if TYPE_CHECKING:
    from analytics.intervention import ExpectedGain

ComputeGains: TypeAlias = Callable[[Workspace, Brand, datetime], Awaitable[Mapping[str, "ExpectedGain"]]]
"""Computes the gains: `expected_gains.brand_gains`, which loads the statistics."""
MOST_REMEMBERED = 100_000
"""Size limit of the cache, in prompts of all brands together; a gain takes some 200 bytes."""


class RememberedGains:
    """Gains by brand, for the newest measurement only; the least recently used brands are evicted first."""

    def __init__(self, most: int = MOST_REMEMBERED) -> None:
        self._most = most
        self._gains: OrderedDict[tuple[str, int], tuple[Hashable, Mapping[str, ExpectedGain]]] = OrderedDict()

    async def of_brand(
        self, workspace: Workspace, brand: Brand, until: datetime, compute: ComputeGains
    ) -> Mapping[str, "ExpectedGain"]:
        """Return the gain of each prompt of a brand, measured in the 28 days before `until`.

        The gains are recomputed when the brand is measured or its answers are extracted again, when one of
        its prompt sets changes, and for another `until`.
        """
        if brand.revision_key is None:
            return {}
        state = await workspace.results.measured_state(brand.key, brand.revision_key)
        whose = workspace.company_id, brand.key
        known = self._gains.get(whose)
        if known is None or known[0] != (brand.revision_key, until, state):
            known = (brand.revision_key, until, state), await compute(workspace, brand, until)
            self._gains[whose] = known
            while len(self._gains) > 1 and sum(len(gains) for _, gains in self._gains.values()) > self._most:
                self._gains.popitem(last=False)
        self._gains.move_to_end(whose)
        return known[1]
