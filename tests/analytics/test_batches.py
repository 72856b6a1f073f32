from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from analytics.batches import AnswerBatch, ChannelAsks, looked_at, usable
from analytics.observation import Channel, Observation

NOON = datetime(2026, 3, 31, 12, tzinfo=UTC)


@pytest.fixture
def batch(seen: Callable[..., Observation], memory: Channel) -> Callable[..., AnswerBatch]:
    def make(name: str, days_ago: float, prompts: int = 4, repeats: int = 2, failed: int = 0) -> AnswerBatch:
        observations = [seen(f"p{i}") for i in range(prompts) for _ in range(repeats)]
        asked = {
            memory: ChannelAsks(planned=len(observations) + failed, valid=len(observations), failed=failed)
        }
        return AnswerBatch(name, NOON - timedelta(days=days_ago), asked, {"acme": observations})

    return make


def test_one_batch_with_thirty_answers_to_ten_prompts_is_enough(batch: Callable[..., AnswerBatch]) -> None:
    batches = [batch("old", 1), batch("new", 0, prompts=10, repeats=3)]
    assert [batch.id for batch in looked_at(batches, "acme")] == ["new"]


def test_earlier_batches_are_added_newest_first_until_there_is_enough(
    batch: Callable[..., AnswerBatch],
) -> None:
    batches = [batch("d", 3, 10, 2), batch("a", 0, 10, 1), batch("c", 2, 10, 1), batch("b", 1, 10, 1)]
    assert [batch.id for batch in looked_at(batches, "acme")] == ["a", "b", "c"]


def test_many_answers_to_few_prompts_are_not_enough(batch: Callable[..., AnswerBatch]) -> None:
    batches = [batch("a", 0, prompts=9, repeats=20), batch("b", 1)]
    assert [batch.id for batch in looked_at(batches, "acme")] == ["a", "b"]


def test_batches_over_28_days_before_the_newest_are_not_looked_at(batch: Callable[..., AnswerBatch]) -> None:
    batches = [batch("a", 0), batch("b", 28), batch("c", 28.01)]
    assert [batch.id for batch in looked_at(batches, "acme")] == ["a", "b"]


def test_nothing_measured_means_no_batches() -> None:
    assert looked_at([], "acme") == ()


def test_a_channel_with_over_a_fifth_failed_is_left_out(
    batch: Callable[..., AnswerBatch], memory: Channel
) -> None:
    fifth, more = batch("a", 0, failed=2), batch("b", 1, failed=3)
    assert fifth.degraded == ()
    assert more.degraded == (memory,)
    assert usable([fifth, more], "acme") == list(fifth.observations["acme"])
    assert usable([fifth], "nobody") == []


def test_answers_of_degraded_channels_do_not_count_as_enough(batch: Callable[..., AnswerBatch]) -> None:
    batches = [batch("a", 0, prompts=10, repeats=3, failed=30), batch("b", 1)]
    assert [batch.id for batch in looked_at(batches, "acme")] == ["a", "b"]


def test_failed_asks_are_not_refused_or_not_grounded_ones() -> None:
    assert not ChannelAsks(planned=10, valid=1, refused=4, empty=1, not_grounded=4).degraded
    assert ChannelAsks(10, 5, failed=1) + ChannelAsks(2, 1, refused=1) == ChannelAsks(
        12, 6, refused=1, failed=1
    )


def test_asks_of_two_batches_are_added_up_by_how_they_ended() -> None:
    first, second = ChannelAsks(100, 1, 2, 3, 4, 5, 6), ChannelAsks(1000, 10, 20, 30, 40, 50, 60)
    assert first + second == ChannelAsks(1100, 11, 22, 33, 44, 55, 66)
