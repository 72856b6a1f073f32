"""Whether a site could be looked at."""

from enum import StrEnum


class SiteState(StrEnum):
    """Whether a site could be looked at: it answers, it is down, or it keeps our visits out."""

    ANSWERS = "answers"
    DOWN = "down"
    BLOCKED = "blocked"
