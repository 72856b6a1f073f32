"""Where every prompt is asked once, earlier quiet measurements of the same prompts tell how much answers vary."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest

from server.service import open_service
from server.settings import Settings
from tests.in_full import both_in_full
from tests.measurement.conftest import Acme, CallTool, Peer, Reply
from tests.measurement.watched import Watched

DAY = timedelta(days=1)
PROMPTS = 30
USUAL = (10, 9, 11, 10, 9, 10, 11, 9, 10, 10, 9, 11, 10, 9, 10, 10)
MORE = (26, 27, 26, 27)


@pytest.fixture
def watched(acme: Acme, peer: Peer, saying: Callable[..., Reply]) -> Watched:
    """Acme, asked about with thirty prompts once each time."""
    prompts = [f"Which product number {number} is worth its price?" for number in range(PROMPTS)]
    buyers = {"name": "Buyers", "prompts": prompts, "platforms": ["one"], "repeats": 1}
    assert acme.save(promptSets=[buyers]).code == 0
    watched = Watched(acme, answers=PROMPTS)
    peer.script = lambda asked: watched.reply(saying)
    return watched


def repeats_of_newest(acme: Acme) -> list[str]:
    """What the newest receipt says of the batches that count as repeats."""

    async def read() -> list[str]:
        async with open_service(Settings.from_environ(acme.seenby.environment)) as service:
            (company,) = await service.database.operators.companies.all()
            workspace = service.database.workspace(company.id)
            (brand,) = await workspace.brands.all()
            assert brand.revision_key is not None
            [newest] = await workspace.results.latest(brand.key, brand.revision_key)
            return list(newest.receipt["repeats"])

    return asyncio.run(read())


@both_in_full
@pytest.mark.timeout(300)
def test_earlier_answers_sharpen_the_interval_of_these_prompts(
    watched: Watched, acme: Acme, call: CallTool
) -> None:
    watched.looks((10,), DAY)
    alone = call("get_ai_visibility_score", brandId="Acme")
    assert alone["intervals"]["atMost"]
    watched.looks((10, 10), DAY)
    score = call("get_ai_visibility_score", brandId="Acme")
    assert score["score"] == alone["score"], "only the interval rests on earlier answers"
    sharper, wide = score["intervals"]["thesePrompts"], alone["intervals"]["thesePrompts"]
    assert not score["intervals"]["atMost"]
    assert sharper["high"] - sharper["low"] < wide["high"] - wide["low"]
    assert score["intervals"]["allQuestions"] == alone["intervals"]["allQuestions"]
    (buyers,) = call("list_prompt_sets", brandId="Acme")["promptSets"]
    for filters in ({"platform": "one"}, {"promptSetId": buyers["promptSetId"]}):
        filtered = call("get_ai_visibility_score", brandId="Acme", **filters)
        assert filtered["intervals"] == score["intervals"]
        assert filtered["factors"] == score["factors"]
    whole, chosen = (
        {row["name"]: row["intervals"] for row in ranked["rankings"]}
        for ranked in (
            call("get_competitor_rankings", brandId="Acme"),
            call("get_competitor_rankings", brandId="Acme", promptSetId=buyers["promptSetId"]),
        )
    )
    assert chosen == whole
    assert not any(intervals["atMost"] for intervals in whole.values())
    assert acme.seenby("replay", "--verify", "--company", "Shop").code == 0


@pytest.mark.timeout(300)
def test_measurements_before_a_step_are_no_repeats(watched: Watched, acme: Acme) -> None:
    watched.looks(USUAL, DAY)
    assert len(repeats_of_newest(acme)) == len(USUAL) - 1
    watched.looks(MORE, DAY)
    assert len(repeats_of_newest(acme)) == len(MORE) - 1
    assert acme.seenby("replay", "--verify", "--company", "Shop").code == 0


@pytest.mark.timeout(300)
def test_measurements_of_more_than_28_days_ago_are_no_repeats(watched: Watched, acme: Acme) -> None:
    watched.looks((10, 11, 9), timedelta(days=14))
    assert len(repeats_of_newest(acme)) == 2
    watched.looks((10,), timedelta(days=14))
    assert len(repeats_of_newest(acme)) == 2
