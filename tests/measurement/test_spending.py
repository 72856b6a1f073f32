"""What asking costs: told before it starts, stored with every answer, limited by a run's and a day's budget."""

import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.in_full import both_in_full
from tests.measurement.conftest import Acme, Asked, CallTool, Peer, Reply

PRICES = """
[one.peer]
input_per_mtok = 100
output_per_mtok = 1000
currency = "USD"
as_of = 2026-11-01
"""
READ, WRITTEN = 1_000, 100
EACH = 0.2
"""What an answer of so many tokens costs by the table above, in US dollars."""


def spent(broken: Callable[..., Reply], read: int = READ, written: int = WRITTEN, **usage: Any) -> Any:
    """An answer that names Acme and states what it consumed."""
    message = {"role": "assistant", "content": "Acme leads."}
    body = {
        "model": "peer-1",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": read, "completion_tokens": written, **usage},
    }
    return broken(json.dumps(body).encode())


@pytest.fixture
def priced(acme: Acme, peer: Peer, broken: Callable[..., Reply], tmp_path: Path) -> Acme:
    """Acme, with a price for what platform one answers."""
    path = tmp_path / "prices.toml"
    path.write_text(PRICES)
    acme.seenby.environment["SEENBY_PRICES"] = str(path)
    reply = spent(broken)

    def script(_: Asked) -> Any:
        return reply

    peer.script = script
    return acme


def test_a_preview_says_what_a_probe_would_ask_and_cost_and_asks_nothing(
    priced: Acme, peer: Peer, rows: Callable[[str], int]
) -> None:
    assumed = priced.measured("--preview", "--max-output-tokens", "100")
    assert (assumed["asks"], assumed["refused"], assumed["budget"]) == (12, None, None)
    assert assumed["platforms"][0]["basis"] == "assumed"
    # Six prompts with two answers each: Student's quantiles .975 and .8 with five degrees of freedom.
    detectable = 100 * (2.570582 + 0.919544) * ((2 / 6 / 2 + 0.01) / 6) ** 0.5
    assert assumed["smallestDetectableChange"] == pytest.approx(detectable, abs=1e-3)
    assert 12 * 0.1 < float(assumed["totals"]["USD"]) < 12 * EACH
    unknown = priced.measured("--preview", "--platform", "two")
    assert (unknown["totals"], unknown["unknownPrices"]) == ({}, ["two"])
    assert unknown["platforms"][0]["cost"] is None
    assert (peer.asked, rows("run_batches")) == ([], 0)
    priced.measured()
    known = priced.measured("--preview")
    assert known["platforms"][0]["basis"] == "measured"
    assert float(known["totals"]["USD"]) == pytest.approx(12 * EACH)


@both_in_full
def test_each_answer_keeps_its_cost_and_the_day_adds_them_up(priced: Acme) -> None:
    assert priced.seenby("budget", "set", "--per-day", "100").code == 0
    report = priced.measured()
    assert report["cost"] == {
        "known": [{"currency": "USD", "amount": "2.4", "answers": 12}],
        "answersOfUnknownCost": 0,
    }
    assert priced.seenby.json("budget", "show")["spentToday"] == "2.4"


def test_a_stated_cost_wins_over_the_price_table(
    priced: Acme, peer: Peer, broken: Callable[..., Reply], saying: Callable[..., Reply]
) -> None:
    replies = [spent(broken, cost=0.5), saying("Acme leads.")]

    def script(asked: Asked) -> Any:
        return replies[asked.before % 2]

    peer.script = script
    assert priced.measured()["cost"] == {
        "known": [{"currency": "USD", "amount": "3", "answers": 6}],
        "answersOfUnknownCost": 6,
    }


def test_a_budget_rejects_unknown_prices_and_expensive_plans(
    priced: Acme, peer: Peer, rows: Callable[[str], int]
) -> None:
    priced.seenby("budget", "set", "--per-run", "1.00")
    unpriced = priced.probe("--platform", "two")
    dear = priced.probe()
    assert (unpriced.code, dear.code) == (1, 1)
    assert "no price in it for two" in unpriced.err
    assert "SEENBY_PRICES" in unpriced.err
    assert "one run may cost 1.00" in dear.err
    assert priced.measured("--preview")["refused"] is not None
    assert (peer.asked, rows("run_batches"), rows("asks")) == ([], 0, 0)
    assert priced.seenby("budget", "clear").code == 0
    assert priced.measured()["stored"] == 12


def test_a_day_that_is_spent_refuses_the_next_probe(priced: Acme, peer: Peer) -> None:
    priced.seenby("budget", "set", "--per-day", "4.00")
    short = ("--max-output-tokens", "100")
    assert priced.measured(*short)["stored"] == 12
    refused = priced.probe(*short)
    assert refused.code == 1
    assert "today has spent 2.40 of 4.00" in refused.err
    assert len(peer.asked) == 12


@both_in_full
def test_a_budget_that_is_used_up_on_the_way_is_not_passed(
    priced: Acme, peer: Peer, broken: Callable[..., Reply]
) -> None:
    dear = spent(broken, written=500)  # 0.60 each, where 0.1 and a little are assumed

    def script(_: Asked) -> Any:
        return dear

    peer.script = script
    priced.seenby("budget", "set", "--per-run", "2.00")
    done = priced.probe("--max-output-tokens", "100")
    report = done.json
    assert (report["stored"] + report["failed"], len(peer.asked)) == (12, report["stored"])
    assert [error["code"] for error in report["errors"]] == ["budget_exhausted"]
    paid = float(report["cost"]["known"][0]["amount"])
    assert 1.2 <= paid <= 2.0 + 5 * 0.6, "more than what was on its way when the budget was reached"
    assert priced.seenby.json("budget", "show")["spentToday"] == report["cost"]["known"][0]["amount"]


@pytest.mark.parametrize(
    "arguments", [("--per-run", "much"), ("--per-day", "-1"), (), ("--per-run", "1", "--currency", "Dollar")]
)
def test_a_budget_that_is_none_is_refused(acme: Acme, arguments: tuple[str, ...]) -> None:
    done = acme.seenby("budget", "set", *arguments)
    assert done.code == 1
    assert done.err.splitlines()[-1].startswith("hint: ")


def test_a_price_table_that_is_wrong_is_named_before_anything_starts(acme: Acme, tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(PRICES.replace('"USD"', '"dollars"'))
    wrong = acme.seenby("brand", "list", SEENBY_PRICES=str(path))
    missing = acme.seenby("brand", "list", SEENBY_PRICES=str(tmp_path / "none.toml"))
    assert (wrong.code, missing.code) == (1, 1)
    assert "SEENBY_PRICES: one.peer.currency must be three capital letters" in wrong.err
    assert "SEENBY_PRICES: the file cannot be read" in missing.err


@both_in_full
def test_a_cancelled_batch_is_left_at_once_and_counts_for_nothing(
    acme: Acme, peer: Peer, saying: Callable[..., Reply], call: CallTool
) -> None:
    reply = saying("Acme leads.")

    def script(_: Asked) -> Any:
        return reply

    peer.script = script
    peer.gate.clear()
    command = acme.seenby.start("probe", "--brand", "Acme", "--json")
    peer.wait_for(4)
    running = acme.seenby.json("batches", "list")
    assert [(one["brand"], one["asks"], one["stored"]) for one in running] == [("Acme", 12, 0)]
    assert acme.seenby("batches", "cancel", running[0]["batchId"]).code == 0
    done = command.end()
    assert (done.code, done.json["status"], len(peer.asked)) == (1, "cancelled", 4)
    assert [(error["code"], error["asks"]) for error in done.json["errors"]] == [("cancelled", 5)]
    assert acme.seenby.json("batches", "list") == []
    assert acme.seenby("batches", "cancel", running[0]["batchId"]).code == 1
    sessions = call("list_simulations")["simulations"]
    assert [(session["status"], session["planned"]) for session in sessions] == [("cancelled", 12)]
    peer.gate.set()
    report = acme.measured()
    assert (report["resumed"], report["stored"], report["score"]["answers"]) == (False, 12, 12)


def test_a_probe_told_to_end_is_resumed_by_the_same_command(
    acme: Acme, peer: Peer, saying: Callable[..., Reply]
) -> None:
    reply = saying("Acme leads.")

    def script(_: Asked) -> Any:
        return reply

    peer.script = script
    peer.gate.clear()
    command = acme.seenby.start("probe", "--brand", "Acme")
    peer.wait_for(4)
    stopped = command.kill(signal.SIGTERM)
    assert stopped.code == 143
    assert "run the same command to continue" in stopped.err
    peer.gate.set()
    assert acme.measured()["resumed"] is True
