"""A number that moves may be the tool's fault: what a channel did is kept, told and shown."""

import json
from collections.abc import Callable
from typing import Any

from tests.measurement.conftest import Acme, Asked, CallTool, Peer, Reply


def answer(broken: Callable[..., Reply], model: str = "m-1", cited: str | None = None) -> Any:
    """An answer of a model, perhaps with a source."""
    source = {"type": "url_citation", "url_citation": {"url": cited, "title": "T"}}
    message = {"role": "assistant", "content": "Acme leads.", "annotations": [source] if cited else []}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return broken(json.dumps({"model": model, "choices": [choice]}).encode())


def mode_of(call: CallTool, mode: str) -> Any:
    """Platform one in a mode, as get_platform_metrics shows it."""
    platforms = call("get_platform_metrics", brandId="Acme")["platforms"]
    found = next(platform for platform in platforms if platform["platform"] == "one")
    return found["status"], next(one for one in found["modes"] if one["mode"] == mode)


def alerts_of(call: CallTool) -> list[str]:
    """Titles of the system alerts, oldest first."""
    notifications = call("list_notifications", limit=100)["notifications"]
    return [
        notification["title"]
        for notification in reversed(notifications)
        if notification["kind"] == "system_alert"
    ]


def test_a_replaced_model_is_reported_and_degrades_the_channel(
    acme: Acme, peer: Peer, broken: Callable[..., Reply], call: CallTool
) -> None:
    served: list[str] = []

    def script(_: Asked) -> Any:
        return answer(broken, served[-1])

    peer.script = script
    states: list[Any] = []
    for model in ("m-1", "m-2", "m-2"):
        served.append(model)
        acme.measured()
        whole, mode = mode_of(call, "visibility")
        states.append((whole, mode["status"], mode["reason"], mode["health"]["servedModels"]))
    assert states == [
        ("measured", "measured", None, ["m-1"]),
        ("degraded", "degraded", "served_model_changed", ["m-2"]),
        ("measured", "measured", None, ["m-2"]),
    ]
    assert alerts_of(call) == ["one (from memory) serves another model"]
    health = mode_of(call, "visibility")[1]["health"]
    assert (health["failedShare"], health["validShare"], health["alerts"]) == (0.0, 1.0, [])
    assert health["medianLatencyMs"] >= 0


def test_engines_without_search_or_key_are_reported_first(
    acme: Acme, peer: Peer, broken: Callable[..., Reply], call: CallTool
) -> None:
    cited, silent = answer(broken, cited="https://news.example/a"), answer(broken)
    refused = broken(b'{"error": {"message": "no"}}', 401)
    for replies in ((cited, cited), (silent, cited), (refused, refused), (refused, refused)):

        def script(asked: Asked, replies: tuple[Any, Any] = replies) -> Any:
            return replies[asked.before % 2]

        peer.script = script
        acme.probe("--mode", "readiness")
    alerts = alerts_of(call)
    assert "one (with web search) searches much less than before" in alerts
    assert alerts.count("one (with web search) had no working credential twice in a row") == 1
    mode = mode_of(call, "readiness")[1]
    assert (mode["status"], mode["health"]["failedShare"]) == ("degraded", 1.0)
    assert mode["health"]["alerts"] == ["failures", "no_credential"]
