"""Probes from the command line, with an engine that answers, refuses, breaks off, waits and goes away."""

import asyncio
import os
import random
import signal
import sys
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import text

from engines.transport.concurrency_limits import PER_CREDENTIAL
from storage.database import Database
from tests.measurement.conftest import Acme, Asked, CallTool, Peer, Reply

ASKS = int(os.environ.get("SEENBY_CAMPAIGN_ASKS", "60"))
KILLS = int(os.environ.get("SEENBY_CAMPAIGN_ASK_KILLS", "8"))
SLOWEST = float(os.environ.get("SEENBY_CAMPAIGN_ASK_SECONDS", "0.2"))
"""Seconds that an engine takes at most; these three make it larger, `make stress` does."""
both = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
BROKEN = {
    "an error": ({"status": 500, "body": b'{"error": {"message": "out of order"}}'}, "provider_unavailable"),
    "garbage": ({"body": b"<html>not what was asked for</html>"}, "invalid_response"),
    "half a body": ({"body": b'{"model": "peer-1", "choi', "length": 4000}, "invalid_response"),
    "no choice": ({"body": b'{"model": "peer-1"}'}, "invalid_response"),
    "no UTF-8": ({"body": b'{"model": "peer-1", "choices": "\xff\xfe"}'}, "invalid_response"),
    "another type": (
        {"body": b'{"model": "peer-1"}', "headers": {"content-type": "text/html"}},
        "invalid_response",
    ),
    "fifty megabytes": ({"body": b" " * (50 << 20)}, "invalid_response"),
    "a limit without an end": (
        {"body": b'{"error": {"message": "slow down"}}', "status": 429},
        "rate_limited",
    ),
    "a limit of two minutes": (
        {"body": b"{}", "status": 429, "headers": {"retry-after": "120"}},
        "rate_limited",
    ),
}


def tell(peer: Peer, script: Callable[[Any], Any]) -> None:
    """Let the peer answer every request like this."""
    peer.script = script


def factors(report: Any) -> dict[str, Any]:
    return {factor["part"]: factor for factor in report["score"]["factors"]}


def test_a_brand_that_is_named_half_the_time_has_a_presence_of_one_half(
    acme: Acme, peer: Peer, saying: Callable[..., Reply]
) -> None:
    tell(peer, lambda asked: saying("Acme leads." if asked.before == 0 else "Globex leads."))
    report = acme.measured()
    assert (report["status"], report["stored"], report["failed"]) == ("success", 12, 0)
    presence = factors(report)["presence"]
    assert (presence["value"], presence["samples"]) == (0.5, 12)


def test_a_brand_that_is_never_named_scores_exactly_zero(
    acme: Acme, peer: Peer, saying: Callable[..., Reply]
) -> None:
    tell(peer, lambda asked: saying("Globex leads, Initech follows."))
    score = acme.measured()["score"]
    assert (score["status"], score["score"], score["reason"]) == ("measured", 0.0, None)
    assert score["receipt"]["value"] == 0.0


def test_a_brand_that_was_never_measured_has_no_score_and_a_reason(
    acme: Acme, peer: Peer, saying: Callable[..., Reply]
) -> None:
    tell(peer, lambda asked: saying("", refusal="I will not say."))
    report = acme.probe()
    assert report.code == 1
    assert (report.json["status"], report.json["score"]["score"]) == ("failed", None)
    assert report.json["score"]["reason"] == "never_measured"


def test_blocked_and_empty_answers_do_not_count_against_the_brand(
    acme: Acme, peer: Peer, saying: Callable[..., Reply]
) -> None:
    replies = {0: saying("Acme leads."), 1: saying(""), 2: saying("I cannot say.", refusal="no")}
    tell(peer, lambda asked: replies[asked.before % 3])
    report = acme.measured("--repeats", "6")
    presence = factors(report)["presence"]
    assert (presence["value"], presence["samples"]) == (1.0, 12)
    assert report["stored"] == 36
    assert report["score"]["receipt"]["excluded"]["refused"] == 12


@pytest.mark.parametrize("kind", BROKEN)
def test_a_failing_platform_is_named_and_the_other_is_measured(
    acme: Acme,
    peer: Peer,
    saying: Callable[..., Reply],
    broken: Callable[..., Reply],
    rows: Callable[[str], int],
    kind: str,
) -> None:
    reply, code = BROKEN[kind]
    tell(peer, lambda asked: broken(**reply) if asked.platform == "two" else saying("Acme leads."))
    report = acme.measured("--platform", "one", "--platform", "two")
    assert (report["status"], report["stored"], report["failed"]) == ("partial", 12, 12)
    assert [(error["platform"], error["code"], error["asks"]) for error in report["errors"]] == [
        ("two", code, 12)
    ]
    assert report["score"]["degraded"] == ["two/visibility"]
    assert (factors(report)["presence"]["value"], report["score"]["answers"]) == (1.0, 12)
    assert rows("answers") == 12, "a failure was stored as an answer"


def test_a_platform_that_hangs_does_not_delay_the_other_one(
    acme: Acme, peer: Peer, saying: Callable[..., Reply]
) -> None:
    def script(asked: Asked) -> Any:
        if asked.platform == "one" and peer.counts_of("one") == 12:
            peer.gate.set()  # what platform two was asked waits until platform one has been asked everything
        return saying("Acme leads.")

    peer.script = script
    peer.held = {"two"}
    peer.gate.clear()
    report = acme.measured("--platform", "one", "--platform", "two")
    assert report["stored"] == 24


def test_a_probe_that_misses_too_many_answers_ends_partial(
    acme: Acme, peer: Peer, saying: Callable[..., Reply], broken: Callable[..., Reply]
) -> None:
    tell(peer, lambda asked: broken(b"", 500) if "number 2" in asked.prompt else saying("Acme leads."))
    done = acme.probe()
    assert done.code == 3
    assert (done.json["status"], done.json["planned"], done.json["failed"]) == ("partial", 12, 2)
    assert "2 of 12 requests failed. Run the same command to measure again." in done.err
    assert done.json["score"]["score"] is not None


def test_when_every_platform_fails_nothing_is_measured(
    acme: Acme, peer: Peer, broken: Callable[..., Reply]
) -> None:
    tell(peer, lambda asked: broken(body=b"{}", status=503))
    done = acme.probe("--platform", "one", "--platform", "two")
    assert done.code == 1
    assert (done.json["status"], done.json["stored"], done.json["score"]["score"]) == ("failed", 0, None)
    assert "one: 12 requests failed: provider_unavailable" in done.err
    assert "Traceback" not in done.err


def test_a_partial_probe_keeps_trend_and_mentions_of_the_rest(
    acme: Acme,
    peer: Peer,
    saying: Callable[..., Reply],
    broken: Callable[..., Reply],
    call: CallTool,
) -> None:
    tell(peer, lambda asked: saying("Acme leads.") if asked.platform == "one" else broken(b"", 500))
    acme.measured("--platform", "one", "--platform", "two")
    assert call("get_brand_mentions", brandId="Acme")["total"] == 12
    trend = call("get_metric_trend", brandId="acme", metricName="mentionCount")
    assert [point["value"] for point in trend["points"]] == [12.0]
    platforms = {
        platform["platform"]: platform
        for platform in call("get_platform_metrics", brandId="Acme")["platforms"]
    }
    assert (platforms["one"]["status"], platforms["two"]["status"]) == ("measured", "degraded")
    sessions = {simulation["platform"]: simulation for simulation in call("list_simulations")["simulations"]}
    assert (sessions["one"]["status"], sessions["two"]["status"]) == ("completed", "failed")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--brand", "Acmee", "--company", "Shop"), ("there is no brand 'Acmee'", "Did you mean 'Acme'?")),
        (("--brand", "Acme", "--company", "Shpo"), ("there is no company 'Shpo'", "Did you mean 'Shop'?")),
        (("--brand", "Acme", "--platform", "onee"), ("there is no platform 'onee'", "Did you mean 'one'?")),
        (("--brand", "Acme", "--prompt-set", "Buyer"), ("no prompt set 'Buyer'", "Did you mean 'Buyers'?")),
        (("--brand", "Acme", "--mode", "visible"), ("no mode 'visible'", "Did you mean 'visibility'?")),
        (("--brand", "Acme", "--platform", "one", "--query", " "), ("the query is empty", "Give a question")),
    ],
)
def test_unknown_names_get_suggestions_and_nothing_is_asked(
    acme: Acme, peer: Peer, arguments: tuple[str, ...], said: tuple[str, str]
) -> None:
    done = acme.seenby("probe", *arguments)
    assert done.code == 1
    assert said[0] in done.err
    assert said[1] in done.err
    assert "Traceback" not in done.err
    assert peer.asked == []
    assert acme.seenby("replay", "--verify").code == 1


def test_an_engine_that_cannot_be_asked_is_named_before_anything_is_stored(
    acme: Acme, peer: Peer, rows: Callable[[str], int]
) -> None:
    done = acme.probe("--platform", "one", "--platform", "chatgpt")
    assert done.code == 1
    assert "chatgpt" in done.err
    assert "hint: " in done.err
    assert (peer.asked, rows("run_batches"), rows("asks")) == ([], 0, 0)


@both
def test_two_probes_of_one_plan_at_once_share_the_work_and_double_nothing(
    acme: Acme, peer: Peer, saying: Callable[..., Reply], rows: Callable[[str], int]
) -> None:
    tell(peer, lambda asked: saying("Acme leads."))
    peer.gate.clear()
    arguments = ("probe", "--brand", "Acme", "--json")
    first = acme.seenby.start(*arguments)
    peer.wait_for(4)  # the first process has as many requests open as the engine allows
    second = acme.seenby.start(*arguments)
    peer.wait_for(8)
    peer.gate.set()
    ends = [first.end(), second.end()]
    assert [end.code for end in ends] == [0, 0], ends
    assert {end.json["batchId"] for end in ends} == {ends[0].json["batchId"]}
    assert [end.json["stored"] for end in ends] == [12, 12]
    assert set(peer.counts.values()) == {2}
    assert (rows("answers"), rows("run_batches"), rows("score_calculations")) == (12, 1, 1)


@both
def test_two_probes_of_one_question_at_once_are_one_batch(
    acme: Acme, peer: Peer, saying: Callable[..., Reply], rows: Callable[[str], int]
) -> None:
    tell(peer, lambda asked: saying("Acme leads."))
    peer.gate.clear()
    arguments = ("probe", "--brand", "Acme", "--platform", "one", "--query", "Who leads?", "--repeats", "10")
    commands = [acme.seenby.start(*arguments) for _ in range(2)]
    peer.wait_for(8)
    peer.gate.set()
    assert [command.end().code for command in commands] == [0, 0]
    assert (len(peer.asked), rows("answers"), rows("run_batches"), rows("prompts")) == (10, 10, 1, 7)


def test_a_probe_stopped_by_hand_is_resumed_by_the_same_command(
    acme: Acme, peer: Peer, saying: Callable[..., Reply]
) -> None:
    tell(peer, lambda asked: saying("Acme leads."))
    peer.gate.clear()
    command = acme.seenby.start("probe", "--brand", "Acme")
    peer.wait_for(4)
    stopped = command.kill(signal.SIGINT)
    assert stopped.code == 130
    assert "run the same command to continue" in stopped.err
    assert "Traceback" not in stopped.err
    peer.gate.set()
    report = acme.measured()
    assert (report["resumed"], report["stored"], report["score"]["status"]) == (True, 12, "measured")


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_answers_that_arrive_together_are_stored_in_one_transaction(
    acme: Acme, peer: Peer, saying: Callable[..., Reply], url: str
) -> None:
    tell(peer, lambda asked: saying("Acme leads."))
    peer.gate.clear()
    command = acme.seenby.start("probe", "--brand", "Acme", "--platform", "one", "--platform", "two")
    peer.wait_for(8)
    peer.gate.set()
    assert command.end().code == 0
    database = await Database.open(url)
    async with database.writing() as connection:
        counted = await connection.execute(text("SELECT count(*), count(DISTINCT xmin::text) FROM answers"))
        answers, transactions = counted.one()
    await database.close()
    assert answers == 24
    assert transactions < answers


@both
async def test_kills_lose_no_stored_answer_and_ask_none_of_them_again(
    acme: Acme, peer: Peer, saying: Callable[..., Reply], url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = [f"Which of the {number} shoes is the best?" for number in range(ASKS)]
    named = set(random.Random(7).sample(questions, ASKS * 2 // 5))
    acme.save(promptSets=[{"name": "Buyers", "prompts": questions, "platforms": ["one"], "repeats": 1}])
    tell(peer, lambda asked: saying("Acme leads." if asked.prompt in named else "Globex leads."))
    chance, peer.slowest = random.Random(11), SLOWEST
    stored: dict[str, str] = {}
    for _ in range(KILLS):
        known, asked = dict(stored), len(peer.asked)
        command = acme.seenby.start("probe", "--brand", "Acme")
        peer.wait_for(min(asked + chance.randint(1, 5), ASKS))
        await asyncio.sleep(chance.uniform(0, SLOWEST))
        assert command.kill().code == -signal.SIGKILL
        stored = await answers_by_question(url)
        assert known.items() <= stored.items(), "a stored answer is gone or was replaced"
        again = {ask.prompt for ask in peer.asked[asked:]} & known.keys()
        assert again == set(), "a question was asked again although its answer was stored"
    asked, peer.slowest = len(peer.asked), 0.0
    report = acme.measured()
    assert {ask.prompt for ask in peer.asked[asked:]} & stored.keys() == set()
    assert stored.items() <= (await answers_by_question(url)).items()
    assert (report["resumed"], report["stored"], report["failed"]) == (True, ASKS, 0)
    presence = factors(report)["presence"]
    assert (presence["value"], presence["samples"]) == (pytest.approx(0.4, abs=1e-12), ASKS)
    assert set(peer.counts) == set(questions)
    with capsys.disabled():
        sys.stdout.write(
            f"\n{url.split(':')[0]}: {KILLS} kills, {len(peer.asked)} requests for {ASKS} answers\n"
        )
    # A killed process loses at most the answers that its workers, one more than requests may be open, had in hand.
    assert len(peer.asked) <= ASKS + KILLS * (PER_CREDENTIAL + 1)


async def answers_by_question(url: str) -> dict[str, str]:
    """Stored answers as the next process will find them: identifier by question."""
    database = await Database.open(url)
    async with database.writing() as connection:
        found = await connection.execute(
            text(
                "SELECT prompts.text, answers.id FROM answers JOIN prompts ON prompts.key = answers.prompt_key"
            )
        )
        rows = found.all()
    await database.close()
    assert len({prompt for prompt, _ in rows}) == len(rows)
    return {row[0]: row[1] for row in rows}
