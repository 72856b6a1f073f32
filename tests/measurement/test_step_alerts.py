"""A measurement that is repeated by the clock tells of a change only by evidence that may be looked at every time."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.in_full import both_in_full
from tests.measurement.conftest import QUESTIONS, Acme, CallTool, Peer, Reply
from tests.measurement.watched import BEGIN, Watched

USUAL = (4, 3, 5, 4, 3, 4, 5, 3, 4, 4, 3, 5)
MORE = (10, 11, 10, 11, 12, 10)


@pytest.fixture
def watched(acme: Acme, peer: Peer, saying: Callable[..., Reply]) -> Watched:
    watched = Watched(acme)
    peer.script = lambda asked: watched.reply(saying)
    return watched


def steps(call: CallTool) -> list[tuple[str, str]]:
    """Severity and title of what was told of steps, oldest first."""
    told = call("list_notifications", limit=100)["notifications"]
    return [(one["severity"], one["title"]) for one in reversed(told) if "visibility" in one["title"].lower()]


@both_in_full
@pytest.mark.timeout(300)
def test_weekly_looks_tell_a_change_once(watched: Watched, acme: Acme, call: CallTool) -> None:
    watched.looks(USUAL, timedelta(weeks=1))
    assert steps(call) == []
    watched.looks(MORE, timedelta(weeks=1))
    [(severity, title)] = steps(call)
    assert severity == "info"
    assert title.startswith("The visibility of Acme rose by ")
    assert acme.seenby("replay", "--verify", "--company", "Shop").code == 0


@pytest.mark.timeout(300)
def test_another_model_begins_a_new_series_and_is_marked_on_the_trend(
    watched: Watched, acme: Acme, call: CallTool
) -> None:
    watched.looks(USUAL, timedelta(weeks=1))
    engines = json.loads(acme.seenby.environment["SEENBY_ENGINE_COMPATIBLE"])
    switched = json.dumps([{**engine, "model": "model-of-next-year"} for engine in engines])
    acme.seenby.environment["SEENBY_ENGINE_COMPATIBLE"] = switched
    on = f"{watched.now:%Y-%m-%d}"
    watched.looks(MORE, timedelta(weeks=1))
    assert steps(call) == [], "what changed is the model, and a person changed it"
    days = {"from": f"{BEGIN:%Y-%m-%d}", "to": f"{watched.now:%Y-%m-%d}"}
    trend = call("get_metric_trend", brandId="Acme", metricName="visibilityScore", context=True, **days)
    # What the endpoint says that it served kept its name.
    mark = {"day": on, "platform": "one", "model": "model-of-next-year", "requested": True}
    assert trend["modelChanges"] == [mark]
    assert acme.seenby("replay", "--verify", "--company", "Shop").code == 0


@pytest.mark.timeout(300)
def test_days_give_an_early_signal_that_is_not_called_a_change(watched: Watched, call: CallTool) -> None:
    watched.looks((*USUAL, 4, 3, 4, 4), timedelta(days=1))
    assert steps(call) == []
    watched.looks(MORE, timedelta(days=1))
    [(severity, title)] = steps(call)
    assert severity == "info"
    assert title.startswith("Early signal: the visibility of Acme may be ")
    assert title.endswith("points higher")


@pytest.mark.timeout(300)
def test_channels_that_move_in_opposite_directions_are_each_reported(
    watched: Watched, acme: Acme, peer: Peer, call: CallTool, saying: Callable[..., Reply]
) -> None:
    buyers = {"name": "Buyers", "prompts": QUESTIONS, "platforms": ["one", "two"], "repeats": 2}
    assert acme.save(promptSets=[buyers]).code == 0
    asked: Counter[str] = Counter()

    def reply(platform: str) -> Any:
        asked[platform] += 1
        named = watched.named if platform == "two" else 12 - watched.named
        return saying("Acme is good." if asked[platform] % 12 < named else "Nobody knows.")

    peer.script = lambda ask: reply(ask.platform)
    watched.looks((6, 5, 7, 6, 6, 7, 5, 6), timedelta(weeks=1))
    assert steps(call) == []
    watched.looks((11, 12, 11, 12, 11), timedelta(weeks=1))
    told = {title.partition(" by ")[0]: severity for severity, title in steps(call)}
    assert told == {
        "The visibility of Acme on one fell": "warning",
        "The visibility of Acme on two rose": "info",
    }
    assert acme.seenby("replay", "--verify", "--company", "Shop").code == 0
