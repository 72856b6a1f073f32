"""Observations for the tests of this folder."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from analytics.observation import Channel, Observation

MORNING = datetime(2026, 3, 1, 8, tzinfo=UTC)
MEMORY = Channel("chatgpt", "visibility")
SEARCH = Channel("perplexity", "readiness")


@pytest.fixture
def memory() -> Channel:
    return MEMORY


@pytest.fixture
def search() -> Channel:
    return SEARCH


@pytest.fixture
def seen() -> Callable[..., Observation]:
    """Makes one observation; each has its own answer id and a later time than the one before."""
    count = 0

    def make(prompt: str, channel: Channel = MEMORY, named: bool = False, **more: Any) -> Observation:
        nonlocal count
        count += 1
        fields: dict[str, Any] = {
            "answer_id": f"a{count:05}",
            "captured_at": MORNING + timedelta(seconds=count),
            **more,
        }
        return Observation(prompt_id=prompt, channel=channel, named=named, **fields)

    return make


@pytest.fixture
def worked(seen: Callable[..., Observation]) -> list[Observation]:
    """Five prompts in two channels, one answer each: the published worked example of the score."""
    shared: dict[str, Any] = {"citation_measurable": True, "cites_owned": False}
    citing = {**shared, "cites_owned": True}
    silent: dict[str, Any] = {"cites_owned": False}
    return [
        seen("p1", MEMORY, True, rank=1, **silent),
        seen("p2", MEMORY, True, position=0.0, **silent),
        seen("p3", MEMORY, **silent),
        seen("p4", MEMORY, **silent),
        seen("p5", MEMORY, True, rank=2, **silent),
        seen("p1", SEARCH, True, rank=2, **citing),
        seen("p2", SEARCH, True, rank=4, **shared),
        seen("p3", SEARCH, True, position=0.5, **citing),
        seen("p4", SEARCH, **citing),
        seen("p5", SEARCH, **shared),
    ]
