"""The content-gap monitor after a measurement: what engines answer against what the brand publishes."""

from collections.abc import Callable
from typing import Any

from tests.measurement.conftest import Acme, CallTool, Peer, Reply

ITEMS = [
    {"title": "Product number 1", "body": "Its price is $20 and it is worth it.", "category": "product"},
    {"title": "Product number 2", "body": "It is worth a lot. Ask for its price.", "category": "product"},
]


def always(reply: Any) -> Callable[[object], Any]:
    return lambda asked: reply


def test_gaps_open_with_evidence_and_resolve_when_filled(
    acme: Acme, peer: Peer, saying: Callable[..., Reply], call: CallTool
) -> None:
    questions = ["Which product number 1 is worth its price?", "Who repairs rusty bumpers?"]
    prompt_set = {"name": "Buyers", "prompts": questions, "platforms": ["one", "two"], "repeats": 2}
    assert acme.save(repositoryItems=ITEMS, promptSets=[prompt_set]).code == 0
    peer.script = always(saying("Globex is the best, then Initech."))
    acme.measured()
    [waiting] = [
        result for result in call("get_monitoring_results", brandId="Acme")["results"] if result["nextRunAt"]
    ]
    assert (waiting["script"], waiting["status"]) == ("content_gap_monitor", "pending")

    def look() -> Any:
        done = acme.seenby.json("monitor", "run", "--script", "content_gap_monitor")
        [result] = call("get_monitoring_results", brandId="Acme")["results"][1:2]
        return done[0]["metrics"], result

    metrics, result = look()
    assert (result["script"], result["status"]) == ("content_gap_monitor", "issues")
    assert metrics["gaps"] == {"answer": 2, "citation": 0, "coverage": 1, "stale": 0, "missing_fact": 0}
    assert (metrics["prompts"], metrics["covered"], metrics["method"]) == (2, 1, "gaps/1")
    titles = [alert["title"] for alert in result["alerts"]]
    assert "Likely gap: nothing that is published covers “Who repairs rusty bumpers?”" in titles
    notifications = call("list_notifications", limit=100)["notifications"]
    [gaps] = [notification for notification in notifications if notification["kind"] == "content_gap"]
    assert gaps["title"] == f"{len(titles)} likely gaps in what is published of Acme"
    assert gaps["message"].count("Likely gap: ") == 1  # said once, before what each is about
    assert all(title.removeprefix("Likely gap: ") in gaps["message"] for title in titles)
    peer.script = always(saying("Acme is the best."))
    filled = [*ITEMS, {"title": "Bumpers", "body": "We repair a rusty bumper.", "category": "service"}]
    assert acme.save(repositoryItems=filled, promptSets=[prompt_set]).code == 0
    acme.measured()
    look()
    _, result = look()
    assert (result["status"], result["alerts"]) == ("ok", [])
