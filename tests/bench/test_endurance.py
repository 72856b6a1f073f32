"""The measurement of two minutes at full speed asks the real service and names what is not kept."""

import asyncio
from dataclasses import replace

from bench.endurance import TOOLS, Endured, run
from tests.in_full import in_full


@in_full
def test_the_real_service_is_called_without_pause_and_memory_is_checked() -> None:
    endured = asyncio.run(run("sqlite", TOOLS[:1], seconds=2, brands=5))
    assert [one.tool for one in endured] == ["get_credits"]
    assert endured[0].failures == 0
    assert 0 < endured[0].p50_ms <= endured[0].p99_ms
    assert 50 * 2**20 < endured[0].settled <= endured[0].highest


def test_failed_calls_growing_memory_and_slow_calls_are_named() -> None:
    kept = Endured("get_credits", 4_000, 3, 9, failures=0, settled=100, highest=104)
    assert "NOT KEPT" not in kept.report()
    for broken in (
        replace(kept, failures=1),
        replace(kept, highest=106),
        replace(kept, p99_ms=15),
    ):
        assert broken.report().count("NOT KEPT") == 1
