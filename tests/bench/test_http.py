"""The HTTP measurement serves the real service on both databases, beside its peers, and tells what it promises."""

import asyncio

import pytest

from bench.http import PROMISES, Results, run
from tests.in_full import in_full


@in_full
@pytest.mark.parametrize("kind", PROMISES)
def test_the_real_service_is_measured_beside_its_peers(kind: str, request: pytest.FixtureRequest) -> None:
    if kind == "postgresql":
        request.getfixturevalue("postgres")  # skips where there is none
    results = asyncio.run(run([kind], rounds=1, seconds=0.2, brands=5))[kind]
    assert all(
        row["failures"] == 0 and row["rps"] > 0 and row["peak_mib"] > 0 for row in results.rows.values()
    )
    assert {f"{kind}: {promise.target}" for promise in PROMISES[kind]} <= set(results.rows)
    assert {"starlette", "sdk", "edge alone, without a database"} <= set(results.rows)


def test_a_ratio_below_its_promise_is_named() -> None:
    promise = PROMISES["sqlite"][0]
    kept, broken = (Results("", {}, [(promise, promise.least + way)]).report() for way in (0.1, -0.1))
    assert "NOT KEPT" not in kept
    assert "NOT KEPT" in broken
