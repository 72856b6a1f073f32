"""What a measurement tells: a first mention, a good rank, a lost mention, an engine that refuses."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.measurement.conftest import Acme, CallTool, Peer, Reply


def always(reply: Any) -> Callable[[object], Any]:
    """An engine that gives one reply to whatever it is asked."""
    return lambda asked: reply


def told(call: CallTool) -> list[tuple[str, str]]:
    """Every notification as (kind, title), oldest first."""
    notifications = call("list_notifications", limit=100)["notifications"]
    return [(notification["kind"], notification["title"]) for notification in reversed(notifications)]


@pytest.mark.requirement("RES-11", "TOOL-19", "EVT-01")
def test_a_mention_is_told_when_it_is_new_and_when_it_is_lost(
    acme: Acme, peer: Peer, saying: Callable[..., Reply], call: CallTool
) -> None:
    peer.script = always(saying("Try these:\n1. Globex\n2. Acme\n3. Initech"))
    acme.measured()
    new = [
        ("ai_mention", "one names Acme for the first time"),
        ("ai_mention", "one ranks Acme among the first three"),
    ]
    assert told(call) == new
    peer.script = always(saying("1. Globex\n2. Acme is better."))
    acme.measured()
    assert told(call) == new, "what stays as it is is not told again"
    peer.script = always(saying("Globex, and nobody else."))
    acme.measured()
    acme.measured()
    assert told(call) == [*new, ("ai_mention", "one does not name Acme any more")]
    page = call("list_notifications", onlyUnread=True, limit=1, offset=1)
    assert (page["total"], page["nextOffset"], page["notifications"][0]["read"]) == (3, 2, False)
    assert page["notifications"][0]["path"].startswith("/brands/")


def test_an_engine_that_refuses_its_credential_is_told_once_a_day(
    acme: Acme, peer: Peer, broken: Callable[..., Reply], call: CallTool
) -> None:
    peer.script = always(broken(json.dumps({"error": {"message": "SECRET"}}).encode(), 401))
    for _ in range(2):
        assert acme.probe().code != 0
    titles = [title for kind, title in told(call) if kind == "system_alert"]
    assert titles.count("one rejects the credential") == 1
    assert not any("SECRET" in title for title in titles)
