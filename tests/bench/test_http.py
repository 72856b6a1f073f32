"""The HTTP measurement runs whole and tells what it promises."""

from bench.http import report, run


def test_the_measurement_compares_every_server_without_a_failed_request() -> None:
    results = run(rounds=1, seconds=0.2)
    ratios = results.pop("ratios")
    assert set(ratios) == {"tools/call to sdk", "rest to starlette"}
    assert all(row["failures"] == 0 and row["rps"] > 0 and row["peak_mib"] > 0 for row in results.values())
    assert "tools/call to sdk" in report({**results, "ratios": ratios})
