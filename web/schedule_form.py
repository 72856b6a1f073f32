"""When something runs by itself, as a form says it: chosen in words, or typed as cron for any other times."""

from collections.abc import Mapping


def read_schedule(typed: Mapping[str, str]) -> str | None:
    """Return the schedule of a form as the tools take it; None for never."""
    return typed.get("own-schedule", "").strip() or typed.get("schedule", "").strip() or None
