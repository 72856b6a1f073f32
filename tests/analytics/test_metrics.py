from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from analytics.batches import AnswerBatch, ChannelAsks
from analytics.metric_names import JUDGED, MEASURED
from analytics.metrics import (
    AverageScore,
    JudgedSums,
    Metric,
    MetricName,
    average_score,
    judged_metrics,
    shown,
    side_by_side,
)
from analytics.observation import Channel, Observation
from tests.analytics.observed import (
    measurement_verdict,
    metrics,
    platform_metrics,
    rated_sums,
    score,
)

Make = Callable[..., Observation]
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
Found = dict[str, list[Observation]]


def unnamed(observations: list[Observation]) -> list[Observation]:
    return [replace(observation, named=False, rank=None) for observation in observations]


def all_metrics(found: Found) -> dict[MetricName, Metric]:
    headline = score("acme", found["acme"], "r1")
    return metrics("acme", found, headline)


def test_the_published_example_in_every_metric(worked: list[Observation]) -> None:
    rival = [replace(observation, named=i < 4) for i, observation in enumerate(unnamed(worked))]
    values = all_metrics({"acme": worked, "bravo": rival})
    assert values[MetricName.VISIBILITY_SCORE].value == score("acme", worked, "r1").value
    assert values[MetricName.MENTION_COUNT] == Metric(6, 10)
    assert values[MetricName.AVERAGE_POSITION] == Metric(2.25, 4)
    assert (values[MetricName.CITATION_RATE].value, values[MetricName.CITATION_RATE].samples) == (0.6, 5)
    assert (values[MetricName.SHARE_OF_VOICE].value, values[MetricName.SHARE_OF_VOICE].samples) == (0.6, 10)
    assert tuple(values) == MEASURED
    for name in (MetricName.CITATION_RATE, MetricName.SHARE_OF_VOICE):
        intervals = values[name].intervals
        assert intervals is not None
        for low, high in (intervals.these_prompts, intervals.all_questions or (1, 0)):
            assert low < 0.6 < high


@pytest.mark.parametrize("found", [{"acme": []}, {"acme": [], "bravo": []}])
def test_never_asked_or_all_failed_makes_every_metric_null(found: Found) -> None:
    assert {metric.value for metric in all_metrics(found).values()} == {None}
    assert all(metric.reason for metric in all_metrics(found).values())


def test_asked_but_never_named_is_zero_where_somebody_looked(worked: list[Observation]) -> None:
    silent = [replace(observation, cites_owned=False) for observation in unnamed(worked)]
    rival = [replace(observation, named=True) for observation in silent]
    alone, beaten = (
        all_metrics({"acme": silent, "bravo": silent}),
        all_metrics({"acme": silent, "bravo": rival}),
    )
    for name in (MetricName.VISIBILITY_SCORE, MetricName.MENTION_COUNT, MetricName.CITATION_RATE):
        assert alone[name].value == 0
    assert alone[MetricName.AVERAGE_POSITION].value is None
    assert (alone[MetricName.SHARE_OF_VOICE].value, alone[MetricName.SHARE_OF_VOICE].reason) == (
        None,
        "nobody_named",
    )
    assert beaten[MetricName.SHARE_OF_VOICE].value == 0


def test_share_of_voice_needs_a_competitor(worked: list[Observation]) -> None:
    assert all_metrics({"acme": worked})[MetricName.SHARE_OF_VOICE].reason == "no_competitor_recorded"


def test_share_of_voice_leaves_out_prompts_that_name_any_tracked_entity(seen: Make) -> None:
    observations = [seen(f"p{i}", named=True) for i in range(4)]
    rival = [replace(observation, echo=i == 0) for i, observation in enumerate(observations)]
    observations[1] = replace(observations[1], branded=True, echo=True)
    observations[2] = replace(observations[2], custom=True)
    assert all_metrics({"acme": observations, "bravo": rival})[MetricName.SHARE_OF_VOICE].samples == 2


def test_branded_and_custom_answers_count_as_mentions_only(seen: Make, search: Channel) -> None:
    plain = [seen(f"p{i}", search, citation_measurable=True, cites_owned=False) for i in range(10)]
    named = {"named": True, "rank": 1, "citation_measurable": True, "cites_owned": True}
    more = [seen("b1", search, branded=True, **named), seen("c1", search, custom=True, **named)]
    values = all_metrics({"acme": plain + more, "bravo": plain + more})
    assert values[MetricName.MENTION_COUNT] == Metric(2, 12)
    assert values[MetricName.VISIBILITY_SCORE].value == 0
    assert values[MetricName.CITATION_RATE].value == 0
    assert values[MetricName.AVERAGE_POSITION].value is None


def test_a_brand_without_a_site_has_no_citation_rate(seen: Make, search: Channel) -> None:
    observations = [seen(f"p{i}", search, citation_measurable=True) for i in range(10)]
    assert (
        all_metrics({"acme": observations})[MetricName.CITATION_RATE].reason
        == "no_citation_measurable_answer"
    )


def test_judged_mentions_give_sentiment_and_a_recommendation_rate(search: Channel) -> None:
    cells = {
        ("p0", search): JudgedSums(3, 2, 1, 2).plus(JudgedSums(1)),
        ("p1", search): JudgedSums(4, 3, 0, 4),
    }
    values = judged_metrics(cells)
    assert values[MetricName.SENTIMENT] == Metric(75.0, 8)
    rate = values[MetricName.RECOMMENDATION_RATE]
    assert (rate.value, rate.samples) == (0.75, 8)
    assert rate.intervals is not None
    assert rate.intervals.these_prompts[0] < 0.75 < rate.intervals.these_prompts[1]


def test_without_a_judge_nothing_is_known_of_tone() -> None:
    assert set(judged_metrics({}).values()) == {Metric(None, 0, reason="not_judged")}
    assert judged_metrics({}).keys() == JUDGED


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        (MetricName.VISIBILITY_SCORE, 48.888, 48.9),
        (MetricName.SHARE_OF_VOICE, 1 / 3, 0.3333),
        (MetricName.CITATION_RATE, 2 / 3, 0.6667),
        (MetricName.AVERAGE_POSITION, 2.25, 2.25),
        (MetricName.MENTION_COUNT, 6.0, 6),
        (MetricName.SENTIMENT, 62.54, 62.5),
        (MetricName.SENTIMENT, None, None),
    ],
)
def test_values_are_shown_rounded(name: MetricName, value: float | None, expected: float | None) -> None:
    assert shown(name, value) == expected


@pytest.fixture
def batch(seen: Make, memory: Channel, search: Channel) -> AnswerBatch:
    observations = [seen(f"p{i}", memory, named=i < 6) for i in range(12)] + [
        seen(f"p{i}", search, named=True) for i in range(12)
    ]
    asked = {memory: ChannelAsks(13, 12, refused=1), search: ChannelAsks(20, 12, failed=8)}
    return AnswerBatch(
        "b1", datetime(2026, 3, 1, tzinfo=UTC), asked, {"acme": observations, "bravo": unnamed(observations)}
    )


def test_platforms_have_metrics_counts_and_a_status(batch: AnswerBatch) -> None:
    chatgpt, grok, perplexity = platform_metrics("acme", [batch], ["grok", "chatgpt"], "r1")
    assert [values.platform for values in (chatgpt, grok, perplexity)] == ["chatgpt", "grok", "perplexity"]
    assert [(mode.mode, mode.status, mode.asked) for mode in chatgpt.modes] == [
        ("visibility", "measured", ChannelAsks(13, 12, refused=1))
    ]
    assert (chatgpt.total.presence.value, chatgpt.total.presence.samples) == (0.5, 12)
    assert chatgpt.total.metrics[MetricName.SHARE_OF_VOICE].value == 1.0
    assert (grok.total.status, grok.total.reason, grok.modes) == ("not_measured", "never_asked", ())
    assert grok.total.last_measured is None


def test_a_degraded_platform_has_mentions_but_no_score(batch: AnswerBatch) -> None:
    total = platform_metrics("acme", [batch], [], "r1")[1].total
    assert (total.status, total.reason) == ("degraded", "over_20_percent_failed")
    assert total.metrics[MetricName.VISIBILITY_SCORE].value is None
    assert total.metrics[MetricName.MENTION_COUNT].value == 12


def test_a_platform_with_custom_queries_alone_is_measured_without_a_score(
    seen: Make, search: Channel
) -> None:
    asked = {search: ChannelAsks(1, 1)}
    found = {"acme": [seen("c1", search, named=True, custom=True)]}
    (values,) = platform_metrics("acme", [AnswerBatch("b1", NOON, asked, found)], [], "r1")
    assert (values.total.status, values.total.reason, values.total.last_measured) == (
        "measured",
        None,
        found["acme"][0].captured_at,
    )
    assert values.total.metrics[MetricName.MENTION_COUNT] == Metric(1, 1)
    assert values.total.metrics[MetricName.VISIBILITY_SCORE].reason == "not_measured"


def test_memory_and_search_stand_side_by_side(seen: Make) -> None:
    memory, search = Channel("chatgpt", "visibility"), Channel("chatgpt", "readiness")
    table = {"p1": (1, 1), "p2": (1, 0), "p3": (0, 1), "p4": (0, 0)}
    observations = [
        seen(p, channel, named=bool(hit))
        for p, hits in table.items()
        for channel, hit in zip((memory, search), hits, strict=True)
    ]
    observations += [seen("p4", search), seen("p2", memory), seen("p5", memory, named=True)]
    observations += [
        seen("p4", Channel("grok", "readiness"), named=True),
        seen("p4", search, named=True, branded=True),
    ]
    result = side_by_side(rated_sums(observations), "chatgpt")
    assert (result.both, result.memory_only, result.search_only, result.neither) == (
        ("p1",),
        ("p2",),
        ("p3",),
        ("p4",),
    )


@pytest.mark.parametrize(
    ("brand", "rival", "prompts", "expected"),
    [
        (0, 0, 0, "no_data"),
        (3, 3, 20, "thin_sample"),
        (9, None, 40, "no_competitors"),
        (3, 4, 40, "nobody_named"),
        (4, 30, 40, "real_gap"),
        (19, 20, 40, "healthy"),
        (30, 4, 40, "healthy"),
    ],
)
def test_the_measurement_is_judged_before_the_number(
    seen: Make, brand: int, rival: int | None, prompts: int, expected: str
) -> None:
    first = [seen(f"p{i:02}") for i in range(prompts)]
    observations = {"acme": [replace(one, named=i < brand) for i, one in enumerate(first)]}
    if rival is not None:
        observations["bravo"] = [replace(one, named=i < rival) for i, one in enumerate(first)]
    headline = score("acme", observations["acme"], "r1")
    assert measurement_verdict(headline, observations) == expected


def test_brands_without_a_score_are_counted_apart_from_the_average() -> None:
    assert average_score([40.0, None, 60.0]) == AverageScore(50.0, 2, 1)
    assert average_score([None]) == AverageScore(None, 0, 1)
    assert average_score([]) == AverageScore(None, 0, 0)
