"""A person labels a sample of answers; the report puts the corrected rate beside the raw one."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.in_full import both_in_full
from tests.measurement.conftest import Acme, Asked, Peer, Reply

OF_ACME = ("--company", "Shop", "--brand", "acme")


@pytest.fixture
def measured(acme: Acme, peer: Peer, saying: Callable[..., Reply]) -> Acme:
    """Acme was measured; one answer in two names it."""
    replies = [saying("Contoso is great value for money."), saying("Acme is great value for money.")]

    def script(asked: Asked) -> Any:
        return replies[asked.before % 2]

    peer.script = script
    acme.measured()
    return acme


@both_in_full
def test_labels_of_a_sample_give_precision_recall_and_a_corrected_rate(measured: Acme) -> None:
    seenby = measured.seenby
    sample = seenby.json("audit", "sample", *OF_ACME, "--size", "10")
    assert sample
    for answer in sample:
        named = "--named" if "Acme" in answer["text"] else "--not-named"
        seenby.json("audit", "label", *OF_ACME, "--answer", answer["answerId"], named)
    report = seenby.json("audit", "report", *OF_ACME)
    assert report["labeled"] == report["sampled"] == len(sample)
    assert (report["precision"], report["recall"]) == (1.0, 1.0)
    assert report["correctedRate"] == pytest.approx(report["rawRate"])
    low, high = report["correctedInterval"]
    assert low < report["rawInterval"][0] < report["rawInterval"][1] < high
