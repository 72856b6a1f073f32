"""Answers that say the same are one observation that is counted: every figure is what each on its own gives."""

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from analytics.batches import AnswerBatch, ChannelAsks, channels_asked_once, enough, rated_by_prompt
from analytics.metrics import measurement_verdict, metrics, platform_metrics, side_by_side
from analytics.observation import Channel, Observation
from analytics.rankings import comparable_scores, rank
from analytics.score import calculate_all, score

CHANNELS = (Channel("chatgpt", "visibility"), Channel("chatgpt", "readiness"), Channel("gemini", "readiness"))
ENTITIES = ("own", "rival", "other")
AT = datetime(2026, 3, 1, tzinfo=UTC)
WITHOUT_DIGEST: dict[str, Any] = {"inputs_sha256": "", "answer_ids": ()}


def some_answers(chance: random.Random) -> tuple[dict[str, list[Observation]], dict[str, list[Observation]]]:
    """The same answers by entity twice: those that say the same as one, and each on its own."""
    counted: dict[str, list[Observation]] = {entity: [] for entity in ENTITIES}
    apart: dict[str, list[Observation]] = {entity: [] for entity in ENTITIES}
    for number in range(60):
        times = chance.choice((1, 1, 2, 7))
        place: dict[str, Any] = {
            "prompt_id": f"p{chance.randrange(12):02}",
            "channel": chance.choice(CHANNELS),
            "captured_at": AT,
            "citation_measurable": chance.random() < 0.7,
            "branded": chance.random() < 0.1,
            "custom": chance.random() < 0.1,
        }
        for entity in ENTITIES:
            named, ranked = chance.random() < 0.5, chance.random() < 0.5
            seen = Observation(
                answer_id=f"a{number}",
                named=named,
                rank=chance.randrange(1, 9) if named and ranked else None,
                position=chance.random() if named and not ranked else 0.0,
                cites_owned=chance.choice((True, False)) if entity != "other" else None,
                tone=chance.choice(("positive", "neutral", "negative", "unknown", None)) if named else None,
                echo=entity != "own" and chance.random() < 0.05,
                count=times,
                **place,
            )
            counted[entity].append(seen)
            apart[entity] += [replace(seen, answer_id=f"a{number}/{copy}", count=1) for copy in range(times)]
    return counted, apart


def figures(observations: dict[str, list[Observation]]) -> list[Any]:
    """Everything that is made of observations, without what names single answers."""
    own = observations["own"]
    asked = {channel: ChannelAsks(500, 400) for channel in CHANNELS}
    batch = AnswerBatch("batch", AT, asked, observations)
    headline = score("own", own, "analysis")
    ranking = rank("own", observations, "analysis")
    calculation = calculate_all("own", [batch], "analysis")
    return [
        replace(headline, **WITHOUT_DIGEST),
        [replace(part, **WITHOUT_DIGEST) for part in calculation.platforms.values()],
        [replace(part, **WITHOUT_DIGEST) for part in calculation.modes.values()],
        replace(ranking, inputs_sha256=""),
        comparable_scores("own", observations),
        metrics("own", observations, own, headline),
        platform_metrics("own", [batch], (), "analysis"),
        measurement_verdict(headline, observations, ranking),
        side_by_side(own, "chatgpt"),
        rated_by_prompt([batch], "own"),
        enough([batch], "own"),
    ]


@pytest.mark.parametrize("seed", range(20))
def test_counted_answers_give_the_same_metrics_as_single_ones(seed: int) -> None:
    counted, apart = some_answers(random.Random(seed))
    assert figures(counted) == figures(apart)


def test_a_prompt_that_was_answered_alike_twice_is_not_asked_once(seen: Callable[..., Observation]) -> None:
    answer = seen("p1", CHANNELS[0], True)
    assert channels_asked_once([answer]) == {CHANNELS[0]}
    assert channels_asked_once([replace(answer, count=2)]) == frozenset()


@pytest.mark.parametrize("seed", range(10))
def test_earlier_answers_sharpen_alike_counted_or_one_by_one(seed: int) -> None:
    counted, apart = some_answers(random.Random(seed))
    once = {(answer.prompt_id, answer.channel): replace(answer, count=1) for answer in apart["own"]}
    newest = list(once.values())
    sharp = [
        replace(score("own", newest, "analysis", earlier=earlier["own"]), **WITHOUT_DIGEST)
        for earlier in (counted, apart)
    ]
    assert sharp[0] == sharp[1]
    intervals = sharp[0].intervals
    assert intervals is not None
    assert intervals.noise_source == "earlier_answers"
