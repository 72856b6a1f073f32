"""What the specification says of the analytics results, seen in a brand that was measured several times."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.measurement.conftest import Acme, Asked, Peer, Reply

Call = Callable[..., Any]


@pytest.fixture
def life(acme: Acme, peer: Peer, saying: Callable[..., Reply], broken: Callable[..., Reply]) -> Acme:
    """Two successful batches on two platforms, a custom query, and a batch that failed."""
    replies = [saying("1. **Acme** leads\n2. Globex"), saying("1. **Globex** leads\n2. Acme")]

    def script(asked: Asked) -> Any:
        return replies[asked.platform == "two"]

    peer.script = script
    acme.measured("--platform", "one", "--platform", "two")
    acme.measured()
    acme.measured("--platform", "one", "--query", "Who is Acme?", "--mode", "visibility")
    down = broken(b"{}", 503)

    def refuse(_: Asked) -> Any:
        return down

    peer.script = refuse
    assert acme.probe().code == 1
    return acme


@pytest.mark.requirement("VER-06")
@pytest.mark.requirement("RES-03")
@pytest.mark.requirement("RES-06")
@pytest.mark.requirement("TOOL-11", "TOOL-14")
def test_mentions_span_batches_and_trends_skip_the_failed_one(life: Acme, call: Call) -> None:
    whole = call("get_brand_mentions", brandId="Acme", limit=100)
    assert (whole["total"], len({mention["batchId"] for mention in whole["mentions"]})) == (37, 3)
    assert {mention["platform"] for mention in whole["mentions"]} == {"one", "two"}
    assert all("Acme" in mention["quote"] for mention in whole["mentions"])
    pages = [call("get_brand_mentions", brandId="Acme", limit=20, offset=at)["mentions"] for at in (0, 20)]
    assert [one for page in pages for one in page] == whole["mentions"]
    assert call("get_brand_mentions", brandId="Acme", platform="TWO")["total"] == 12
    assert call("get_brand_mentions", brandId="Acme", offset=1_000_000)["mentions"] == []
    for name, value in (("mentionCount", 37.0), ("visibilityScore", None)):
        trend = call("get_metric_trend", brandId="Acme", metricName=name, days=1)
        (point,) = trend["points"]
        assert (trend["metricName"], trend["days"], len(point["batchIds"])) == (name, 1, point["samples"])
        assert value is None or point["value"] == value
    unknown = call("get_metric_trend", brandId="Acme", metricName="popularity")
    assert "visibilityScore, mentionCount" in unknown.hint


@pytest.mark.requirement("RES-04")
@pytest.mark.requirement("RES-09")
@pytest.mark.requirement("RES-10")
@pytest.mark.requirement("TOOL-18")
def test_platforms_sessions_and_rankings_say_what_the_specification_names(life: Acme, call: Call) -> None:
    platforms = {
        platform["platform"]: platform
        for platform in call("get_platform_metrics", brandId="Acme")["platforms"]
    }
    assert [platforms[name]["averagePosition"]["value"] for name in ("one", "two")] == [1.0, 2.0]
    assert [platforms[name]["presence"]["value"] for name in ("one", "two")] == [1.0, 1.0]
    assert (platforms["local"]["status"], platforms["local"]["presence"]["value"]) == ("not_measured", None)
    sessions = call("list_simulations", brandId="Acme")["simulations"]
    assert [(session["platform"], session["status"], session["customQuery"]) for session in sessions] == [
        ("one", "failed", None),
        ("one", "completed", "Who is Acme?"),
        ("one", "completed", None),
        ("two", "completed", None),
        ("one", "completed", None),
    ]
    assert {(session["mode"], session["brandName"], session["accuracyScore"]) for session in sessions} == {
        ("visibility", "Acme", None)
    }
    assert [session["createdAt"] for session in sessions] == sorted(
        (session["createdAt"] for session in sessions), reverse=True
    )
    ranked = call("get_competitor_rankings", brandId="Acme", platform="two")["rankings"]
    assert [
        (competitor["name"], competitor["rank"], competitor["platform"]) for competitor in ranked[:2]
    ] == [
        ("Globex", 1, "two"),
        ("Acme", 2, "two"),
    ]
    wide = call("get_competitor_rankings")["rankings"]
    assert {one["brandName"] for one in wide} == {"Acme"}
    assert {one["direction"] for one in wide} <= {"up", "down", "same", "new"}


@pytest.mark.requirement("RES-08")
@pytest.mark.requirement("TOOL-16")
def test_the_dashboard_counts_brands_issues_and_notifications(acme: Acme, call: Call) -> None:
    dashboard_overview = call("get_dashboard_overview")
    assert (
        dashboard_overview["brandCount"],
        dashboard_overview["brandsWithScore"],
        dashboard_overview["averageVisibilityScore"],
    ) == (1, 0, None)
    assert (dashboard_overview["openIssues"], dashboard_overview["unreadNotifications"]) == (
        {"total": 0, "critical": 0},
        0,
    )
    assert dashboard_overview["emptyState"] == {
        "noBrands": False,
        "noPromptSets": False,
        "noMeasurements": True,
    }
    snapshot = call("get_brand_snapshot", brandId="acme")
    parts = {"profile", "competitors", "repository", "visibility", "mentions", "monitoring", "trend"}
    assert parts <= snapshot.keys()
    assert [result["status"] for result in snapshot["monitoring"]["results"]] == ["pending"] * 3


def test_an_answer_that_denies_the_brand_is_counted_as_absence_alone(
    acme: Acme, peer: Peer, saying: Callable[..., Reply], call: Call
) -> None:
    denied = saying("I could not find any information about Acme. Globex lasts.")

    def script(asked: Asked) -> Reply:
        return denied

    peer.script = script
    acme.measured("--platform", "one")
    excluded = call("get_ai_visibility_score", brandId="Acme")["receipt"]["excluded"]
    assert excluded["absence"] > 0
    assert excluded["uncertain"] == 0
