"""When a channel's behaviour makes its numbers doubtful."""

from dataclasses import replace

import pytest

from measurement.publication.channel_health import Alert, ChannelHealth, alerts, median

FINE = ChannelHealth(
    planned=40,
    failed=0,
    refused=0,
    valid=40,
    answered=40,
    searched=40,
    measurable=40,
    citing=20,
    truncated=0,
    served_models=("m-1",),
    median_latency_ms=900,
    no_credential=False,
)
REFUSED = replace(FINE, failed=40, valid=0, answered=0, measurable=0, served_models=(), no_credential=True)


@pytest.mark.parametrize(
    ("now", "found"),
    [
        (FINE, []),
        (replace(FINE, failed=8), []),
        (replace(FINE, failed=9), [Alert.FAILURES]),
        (replace(FINE, truncated=8), []),
        (replace(FINE, truncated=9), [Alert.TRUNCATED]),
        (replace(FINE, citing=2), []),
        (replace(FINE, citing=1), [Alert.CITATIONS_VANISHED]),
        (replace(FINE, citing=0, served_models=("m-2",)), [Alert.SERVED_MODEL_CHANGED]),
        (replace(FINE, searched=33), []),
        (replace(FINE, searched=32), [Alert.SEARCHES_DROPPED]),
        (REFUSED, [Alert.FAILURES]),
    ],
)
def test_each_transition_is_told_at_its_bound_and_not_before(now: ChannelHealth, found: list[Alert]) -> None:
    assert alerts(now, FINE) == found


def test_citations_that_were_rare_cannot_vanish() -> None:
    assert alerts(replace(FINE, citing=0), replace(FINE, citing=19)) == []


def test_a_credential_is_missed_when_two_batches_in_a_row_had_none() -> None:
    assert alerts(REFUSED, REFUSED) == [Alert.FAILURES, Alert.NO_CREDENTIAL]
    assert alerts(FINE, REFUSED) == []


def test_a_first_batch_is_compared_with_nothing() -> None:
    assert alerts(replace(FINE, citing=0, searched=0), None) == []


def test_the_median_of_an_even_number_is_the_lower_middle() -> None:
    assert (median([5, 1, 9, 3]), median([7]), median([])) == (3, 7, None)
