"""Days with a measurement: which of them follow each other, and where nothing was measured between."""

from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from statistics import median

LONGER_THAN_USUAL = 1.5
"""A pause this many times as long as the usual one is a gap."""


def split_at_gaps(days: Sequence[date]) -> list[list[int]]:
    """Return runs of the indexes of days that follow each other in the usual rhythm; between runs is a gap."""
    if not days:
        return []
    pauses = [(later - earlier).days for earlier, later in pairwise(days)]
    usual = median(pauses) if pauses else 1
    runs = [[0]]
    for index, pause in enumerate(pauses, start=1):
        if pause <= max(1.0, usual * LONGER_THAN_USUAL):
            runs[-1].append(index)
        else:
            runs.append([index])
    return runs
