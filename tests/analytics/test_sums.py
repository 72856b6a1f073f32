"""Metrics and rankings of sums are those counted answer by answer, however the answers are split into batches."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics.batches import AnswerBatch, ChannelAsks
from analytics.cell_sums import NOTHING
from analytics.market_sums import market_of, sums_of
from analytics.measured_batches import asked_once, measured_batches, repeats_of
from analytics.metrics import Metric, MetricName, average_position, citation_rate, metrics, shares_of_voice
from analytics.observation import Channel, Observation
from analytics.prompt_means import CellKey
from analytics.rankings import comparable_scores, gap_to_leader
from analytics.score import score
from tests.analytics.drawn_answers import CHANNELS, some_answers, some_markets
from tests.analytics.naive_intervals import (
    Trials,
    pooled_rate,
    prompt_values,
    ratio_all_questions,
    ratio_these_prompts,
    these_prompts,
)
from tests.analytics.naive_score import PART_WEIGHTS, NaiveScore, rated, weights_of
from tests.analytics.observed import Found, rank

NOON = datetime(2026, 3, 31, 12, tzinfo=UTC)


def neutral(found: Found) -> dict[str, list[Observation]]:
    """The answers to prompts that name none of the entities."""
    answers = [answer for answer in zip(*found.values(), strict=True) if len(rated(answer)) == len(answer)]
    return {entity: [answer[at] for answer in answers] for at, entity in enumerate(found)}


def trials_of(tried: Iterable[tuple[Observation, int, int]]) -> Trials:
    by_cell: dict[CellKey, list[tuple[int, int]]] = defaultdict(list)
    for seen, hit, trials in tried:
        by_cell[seen.prompt_id, seen.channel].append((hit, trials))
    return by_cell


def is_rate(metric: Metric, trials: Trials) -> None:
    """Assert that a metric is the pooled rate of these answers, with its intervals."""
    if not any(trial for cell in trials.values() for _, trial in cell):
        assert (metric.value, metric.samples) == (None, 0)
        return
    assert (metric.value, metric.samples) == pooled_rate(trials)
    assert metric.intervals is not None
    same, source = ratio_these_prompts(trials)
    assert metric.intervals.these_prompts == pytest.approx(same, abs=1e-9)
    assert metric.intervals.noise_source == source
    others = ratio_all_questions(trials)
    assert metric.intervals.all_questions == (others if others is None else pytest.approx(others, abs=1e-9))


@settings(max_examples=150, deadline=None)
@given(some_markets(), st.sets(st.sampled_from(CHANNELS), max_size=1))
def test_metrics_of_sums_are_those_of_single_answers(found: Found, degraded: set[Channel]) -> None:
    market = market_of(found, degraded)
    values = metrics("own", market, score("own", market.rated("own"), "r1"))
    every = found["own"]
    usable = {entity: [one for one in seen if one.channel not in degraded] for entity, seen in found.items()}

    named = sum(one.named for one in every) if every else None
    assert (values[MetricName.MENTION_COUNT].value, values[MetricName.MENTION_COUNT].samples) == (
        named,
        len(every),
    )

    for entity, seen in usable.items():
        ranks = [one.rank for one in rated(seen) if one.rank]
        position = average_position(market.rated(entity))
        assert (position.value, position.samples) == (sum(ranks) / len(ranks) if ranks else None, len(ranks))
        citable = [one for one in rated(seen) if one.citation_measurable and one.cites_owned is not None]
        is_rate(
            citation_rate(market.rated(entity)),
            trials_of((one, int(bool(one.cites_owned)), 1) for one in citable),
        )
    assert values[MetricName.AVERAGE_POSITION] == average_position(market.rated("own"))
    assert values[MetricName.CITATION_RATE] == citation_rate(market.rated("own"))

    fair = neutral(usable)
    namings = [sum(one.named for one in answer) for answer in zip(*fair.values(), strict=True)]
    shares = shares_of_voice(found, market)
    for entity, seen in fair.items():
        tried = ((one, int(one.named), naming) for one, naming in zip(seen, namings, strict=True))
        is_rate(shares[entity], trials_of(tried))
    assert values[MetricName.SHARE_OF_VOICE] == shares["own"]
    neutral_sums = market.neutral().entities["own"].added()
    assert (neutral_sums.answers, neutral_sums.naming) == (
        len(namings),
        sum(naming > 0 for naming in namings),
    )


@settings(max_examples=100, deadline=None)
@given(some_markets(), some_markets() | st.just(dict[str, list[Observation]]()))
def test_a_ranking_of_sums_is_that_of_single_answers(found: Found, earlier: Found) -> None:
    ranking = rank("own", found, earlier=earlier)
    fair = {entity: NaiveScore.of(seen) for entity, seen in neutral(found).items()}
    repeats = {entity: NaiveScore.of(seen) for entity, seen in neutral(earlier).items()} if earlier else {}
    basis = [part for part in PART_WEIGHTS if all(naive.samples(part) for naive in fair.values())]
    weights = weights_of(basis)
    answers = fair["own"].answers
    prompts = {one.prompt_id for one in answers}
    assert (ranking.answers, ranking.prompts) == (len(answers), len(prompts))
    assert [str(part) for part in ranking.basis] == list(weights)
    assert (not ranking.rows) == (len(answers) < 10 or len(prompts) < 5)
    for row in ranking.rows:
        naive = fair[row.entity]
        headlines = naive.headlines(weights)
        assert row.score == pytest.approx(100 * prompt_values(headlines)[0], abs=1e-7)
        assert row.presence == pytest.approx(naive.part("presence"), abs=1e-9)
        again = repeats[row.entity].headlines(weights, naive) if repeats else None
        same, source = these_prompts(headlines, again)
        assert row.intervals.noise_source == source
        assert [limit / 100 for limit in row.intervals.these_prompts] == pytest.approx(same, abs=1e-9)
    market = market_of(found)
    assert {row.entity: row.score for row in ranking.rows} == comparable_scores("own", market)
    assert gap_to_leader("own", market) == ranking.gap


@settings(max_examples=80, deadline=None)
@given(some_markets(), st.data())
def test_sums_of_batches_are_those_of_their_answers(found: Found, data: st.DataObject) -> None:
    count = len(found["own"])
    chosen = data.draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))
    asked = {channel: ChannelAsks(500, 500) for channel in CHANNELS}
    batches = [
        AnswerBatch(
            f"b{number}",
            NOON,
            asked,
            {
                entity: [one for one, at in zip(seen, chosen, strict=True) if at == number]
                for entity, seen in found.items()
            },
        )
        for number in range(3)
    ]
    whole = market_of(found)
    assert measured_batches(batches).market == whole
    for entity, sums in whole.entities.items():
        assert (
            sums.restricted(lambda key: key[1] == CHANNELS[0])
            .added()
            .plus(sums.restricted(lambda key: key[1] != CHANNELS[0]).added())
            == sums.added()
        )
        first = market_of(batches[0].observations).entities[entity].cells
        others = measured_batches(batches[1:]).market.entities[entity].cells
        for key, of_cell in sums.cells.items():
            assert of_cell.minus(first.get(key, NOTHING)) == others.get(key, NOTHING)


@settings(max_examples=80, deadline=None)
@given(some_answers(), st.randoms(use_true_random=False))
def test_answers_of_degraded_channels_only_count_as_valid(
    answers: list[Observation], rng: random.Random
) -> None:
    left_out = rng.choice(CHANNELS)
    usable = [one for one in answers if one.channel != left_out]
    sums, kept = sums_of(answers, lambda one: one.channel == left_out), sums_of(usable)
    assert {key: of_cell for key, of_cell in sums.cells.items() if key[1] != left_out} == kept.cells
    lost = sums.restricted(lambda key: key[1] == left_out).added()
    others = [one for one in answers if one.channel == left_out]
    assert lost == NOTHING._replace(valid=len(others), named_in_all=sum(one.named for one in others))


def test_channels_that_ask_every_prompt_once_are_those_without_a_repeat(
    seen: Callable[..., Observation], memory: Channel, search: Channel
) -> None:
    once = [seen("p1", memory), seen("p2", memory), seen("p1", search), seen("p1", search, branded=True)]
    assert asked_once(sums_of(once)) == {memory, search}
    assert asked_once(sums_of([*once, seen("p2", memory)])) == {search}
    assert asked_once(sums_of([seen("p1", memory, custom=True)])) == frozenset()


def test_earlier_answers_count_as_repeats_only_in_channels_that_ask_once(
    seen: Callable[..., Observation], memory: Channel, search: Channel
) -> None:
    answers = [seen("p1", memory), seen("p1", search), seen("p1", search)]
    asked = {memory: ChannelAsks(1, 1), search: ChannelAsks(2, 2)}
    current = measured_batches([AnswerBatch("b1", NOON, asked, {"acme": answers})])
    earlier = market_of({"acme": [seen("p1", memory), seen("p1", search)]})
    repeats = repeats_of(current, earlier, "acme")
    assert repeats is not None
    assert repeats.entities["acme"].cells.keys() == {("p1", memory)}
    current = measured_batches([AnswerBatch("b1", NOON, asked, {"acme": answers[1:]})])
    assert repeats_of(current, earlier, "acme") is None


def test_what_batches_measured_is_added_up_by_channel(
    seen: Callable[..., Observation], memory: Channel, search: Channel
) -> None:
    broken = AnswerBatch(
        "new", NOON, {memory: ChannelAsks(10, 1, failed=9)}, {"acme": [seen("p1", memory, True)]}
    )
    whole = AnswerBatch(
        "old",
        NOON - timedelta(days=1),
        {memory: ChannelAsks(1, 1), search: ChannelAsks(2, 1, refused=1)},
        {"acme": [seen("p1", memory), seen("p1", search)]},
    )
    both = measured_batches([broken, whole])
    assert both.asked == {memory: ChannelAsks(11, 2, failed=9), search: ChannelAsks(2, 1, refused=1)}
    assert (both.batches, both.degraded) == (("new", "old"), (("new", memory),))
    assert both.last_valid == {
        memory: max(
            one.captured_at
            for batch in (broken, whole)
            for one in batch.observations["acme"]
            if one.channel == memory
        ),
        search: whole.observations["acme"][1].captured_at,
    }
    of_memory = both.market.entities["acme"].cells["p1", memory]
    assert (of_memory.answers, of_memory.named, of_memory.valid, of_memory.named_in_all) == (1, 0, 2, 1)
