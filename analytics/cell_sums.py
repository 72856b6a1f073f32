"""Sums over the answers of one cell (a prompt in a channel) for one entity: all that an estimate needs of them."""

from math import log2
from operator import add, sub
from typing import NamedTuple

MILLION = 1_000_000
"""Prominence is added up in millionths, so that sums are whole numbers, whatever their order."""
LOWEST_RANKED = 250_000
"""Prominence of the lowest ranks, and of an unranked mention at the very start, in millionths."""


class CellSums(NamedTuple):
    """Whole numbers that are added over answers; the difference of two running totals is the sum between them.

    Those that do not depend on the entity are at the end, from `answers` on. Most count the answers that rates count:
    valid, to a prompt of a set or imported, outside degraded channels, to a prompt that does not name the brand.
    Prominence is in millionths, and a square in the square of that unit. An answer that does not name the entity adds 0
    to what depends on it, except to `citing`.

    unknown: answers whose citations cannot be seen. cited: answers that name the entity and cite its site, `citing`
    those that cite its site, named or not. mentions: entities that the answers name, this one included; `own_mentions`
    in those answers that name this one. naming: answers that name any entity. not_shown: looks at an AI surface without
    an answer. cut_off: answers that their engine did not end.

    The others also count answers to prompts that name the brand or were asked outside a set. `valid` and `named_in_all`
    include degraded channels. `stored` counts every answer, valid or not, and `searched`, `uncertain` and `absences`
    are of all these.
    """

    named: int = 0
    prominence: int = 0
    prominence_square: int = 0
    cited: int = 0
    prominence_cited: int = 0
    named_unknown: int = 0
    prominence_unknown: int = 0
    citing: int = 0
    ranked: int = 0
    rank_sum: int = 0
    rank_square: int = 0
    own_mentions: int = 0
    named_in_all: int = 0
    uncertain: int = 0
    absences: int = 0
    answers: int = 0
    unknown: int = 0
    mentions: int = 0
    mentions_square: int = 0
    naming: int = 0
    not_shown: int = 0
    cut_off: int = 0
    valid: int = 0
    stored: int = 0
    searched: int = 0

    def plus(self, other: "CellSums") -> "CellSums":
        """Return the sums over both."""
        return CellSums(*map(add, self, other))

    def minus(self, other: "CellSums") -> "CellSums":
        """Return the sums over what these have and the other has not."""
        return CellSums(*map(sub, self, other))

    def without_site(self) -> "CellSums":
        """Return the sums for an entity without a known site: whether an answer cites it cannot be seen."""
        return self._replace(
            cited=0,
            prominence_cited=0,
            citing=0,
            unknown=self.answers,
            named_unknown=self.named,
            prominence_unknown=self.prominence,
        )

    @property
    def measurable(self) -> int:
        """Number of answers whose citations are known."""
        return self.answers - self.unknown


NOTHING = CellSums()
SHARED_FROM = CellSums._fields.index("answers")
"""The place from which on sums do not depend on the entity."""


def prominence_of(rank: int | None, position: float) -> int:
    """Return the prominence of a mention in millionths.

    Ranked: 1/log2(rank + 1), at least 0.25. Unranked: from 0.25 at the start of the text down to 0.125 at its end.
    Source: discounted gain, K. Järvelin and J. Kekäläinen, ACM TOIS 20 (2002).
    """
    if rank is not None:
        return max(LOWEST_RANKED, int(MILLION / log2(rank + 1) + 0.5))
    return int(LOWEST_RANKED * (1 - position / 2) + 0.5)
