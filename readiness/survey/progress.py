"""How far a survey of a site is, as it tells who waits for it."""

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[str, int, int], None]
"""Hears a stage's name, the requests made and the requests allowed."""


def ignore_progress(stage: str, requests: int, limit: int) -> None:
    """Progress that nobody listens to."""
