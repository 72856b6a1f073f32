"""Names that answers keep ranking beside a brand are suggested; a person tracks them or keeps them away."""

from collections.abc import Callable
from typing import Any

import pytest

from measurement.extraction.reextract import HistoryReextractor
from measurement.planning.clock import utc_now
from measurement.publication.publish import Publisher
from storage.database import Database
from tests.in_full import both_in_full
from tests.measurement.conftest import Acme, Asked, CallTool, Peer, Reply, RunToEnd

ASKED = ("brand", "suggestions", "--company", "Shop", "--brand", "acme")


@pytest.fixture
def ranked(acme: Acme, peer: Peer, saying: Callable[..., Reply]) -> Acme:
    """Acme was measured; every answer ranks two names that nobody tracks, one answer in two names Acme."""
    replies = [
        saying("1. **Contoso** leads\n2. Fabrikam\n3. Globex"),
        saying("1. Acme\n2. **Contoso**, near Acme\n3. Check prices"),
    ]

    def script(asked: Asked) -> Any:
        return replies[asked.before % 2]

    peer.script = script
    acme.measured()
    return acme


@both_in_full
def test_a_confirmed_name_becomes_a_competitor_with_history(
    ranked: Acme, url: str, run: RunToEnd, call: CallTool
) -> None:
    def places() -> dict[str, int]:
        return {
            ranking["name"]: ranking["rank"]
            for ranking in call("get_competitor_rankings", brandId="Acme")["rankings"]
        }

    seenby = ranked.seenby
    contoso, fabrikam = seenby.json(*ASKED)
    assert (contoso["name"], contoso["prompts"], contoso["answers"], contoso["beside"]) == (
        "Contoso",
        6,
        12,
        6,
    )
    assert (fabrikam["name"], fabrikam["prompts"], fabrikam["answers"], fabrikam["beside"]) == (
        "Fabrikam",
        6,
        6,
        0,
    )
    assert (contoso["state"], contoso["platforms"], len(contoso["evidence"])) == ("suggested", ["one"], 5)
    assert {evidence["quote"] for evidence in fabrikam["evidence"]} == {"Fabrikam"}
    assert [competitor["name"] for competitor in call("get_competitors", brandId="Acme")["competitors"]] == [
        "Globex",
        "Initech",
    ]
    assert seenby.json(*ASKED, "--confirm", "CONTOSO")["state"] == "confirmed"
    competitors = call("get_competitors", brandId="Acme")["competitors"]
    assert [(competitor["name"], competitor["aliases"]) for competitor in competitors][2:] == [
        ("Contoso", ["Contoso"])
    ]
    assert competitors[0]["sites"] == ["globex.example"], "what was known of the others was lost"
    assert "Contoso" not in places()

    async def reread() -> int:
        database = await Database.open(url)
        try:
            return await HistoryReextractor(database, Publisher(database, [], utc_now), utc_now).look()
        finally:
            await database.close()

    assert run(reread()) == 1
    assert places()["Contoso"] == 1
    assert [(entry["name"], entry["state"]) for entry in seenby.json(*ASKED)] == [
        ("Contoso", "confirmed"),
        ("Fabrikam", "suggested"),
    ]
    again = seenby(*ASKED, "--confirm", "Contoso")
    assert (again.code, "there is no suggestion 'Contoso'" in again.err) == (1, True)


def test_a_dismissed_name_stays_away_until_a_person_changes_their_mind(
    acme: Acme, peer: Peer, saying: Callable[..., Reply]
) -> None:
    def states() -> dict[str, str]:
        return {entry["name"]: entry["state"] for entry in acme.seenby.json(*ASKED)}

    assert states() == {}
    reply = saying("1. Contoso\n2. Fabrikam")

    def script(asked: Asked) -> Any:
        return reply

    peer.script = script
    acme.measured()
    assert acme.seenby.json(*ASKED, "--dismiss", "fabrikam")["name"] == "Fabrikam"
    acme.measured()
    acme.save(aliases=["Acme Shoes"])
    assert states() == {"Contoso": "suggested", "Fabrikam": "dismissed"}
    assert acme.seenby.json(*ASKED, "--confirm", "Fabrikam")["state"] == "confirmed"
    acme.save()  # a file that does not name it takes the competitor away again
    assert states() == {"Contoso": "suggested", "Fabrikam": "suggested"}
    acme.save(competitors=[{"name": "Contoso"}, {"name": "Fabrikam"}])
    assert states() == {}, "who is tracked is not suggested"
    acme.save()
    acme.seenby.json("company", "create", "Other", "--email", "owner@other.example")
    for decision in ((), ("--confirm", "Contoso"), ("--dismiss", "Contoso")):
        refused = acme.seenby("brand", "suggestions", "--company", "Other", "--brand", "Acme", *decision)
        assert (refused.code, "there is no brand 'Acme'" in refused.err) == (1, True)
    twice = acme.seenby(*ASKED, "--confirm", "Contoso", "--dismiss", "Fabrikam")
    assert (twice.code, "either --confirm or --dismiss" in twice.err) == (2, True)
    assert states() == {"Contoso": "suggested", "Fabrikam": "suggested"}
