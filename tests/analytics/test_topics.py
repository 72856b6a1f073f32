"""Prompts about the same topic are found by their tags, else by their words."""

from collections.abc import Sequence

import pytest

from analytics.intervals import NO_TOPICS, interval_pair
from analytics.observation import Channel
from analytics.prompt_means import cell, estimate
from analytics.topics import TopicPrompt, topics_of

PRODUCTS = (
    "running shoes",
    "crm software",
    "used car dealers",
    "electric bikes",
    "web hosting",
    "foam mattresses",
)
PARAPHRASES = (
    "What are the best {}?",
    "Which {} would you recommend for beginners?",
    "Can you suggest good {} for a small budget?",
    "I am looking for {}; what should I buy?",
)


def groups(prompts: Sequence[tuple[str, Sequence[str]]]) -> list[list[int]]:
    """The numbers of the prompts of each topic."""
    listed = [TopicPrompt(f"p{number:02}", text, tags) for number, (text, tags) in enumerate(prompts)]
    topics = topics_of(listed)
    found: dict[str, list[int]] = {}
    for number, prompt in enumerate(listed):
        found.setdefault(topics.get(prompt.id, prompt.id), []).append(number)
    return list(found.values())


def test_paraphrases_of_a_question_are_one_topic() -> None:
    prompts = [(paraphrase.format(product), ()) for product in PRODUCTS for paraphrase in PARAPHRASES]
    assert groups(prompts) == [list(range(first, first + 4)) for first in range(0, 24, 4)]


@pytest.mark.parametrize(
    "prompts",
    [
        [f"Which is the best used car dealer in {city}?" for city in ("Berlin", "Munich", "Hamburg", "Bonn")],
        [f"What is the best option number {number}?" for number in range(30)],
        ["What is good?", "Which is best?", "What should I do?"],
        ["Only one prompt"],
        [],
    ],
)
def test_prompts_that_share_only_common_words_are_topics_of_their_own(prompts: Sequence[str]) -> None:
    assert topics_of(TopicPrompt(str(number), text) for number, text in enumerate(prompts)) == {}


def test_a_tag_that_a_person_set_is_the_topic() -> None:
    prompts = [
        ("Best trail shoes?", ("q3", "shoes")),
        ("What should I run in?", ("q3", "shoes")),
        ("Best trail shoes for women?", ("q3", "gifts")),
        ("Which tents are light?", ("q3",)),
        ("Which light tents are there?", ("q3",)),
    ]
    assert groups(prompts) == [[0, 1], [2], [3, 4]]


def test_the_wide_interval_of_paraphrases_equals_that_of_their_topics() -> None:
    channel = Channel("chatgpt", "visibility")
    rates = [0.0, 1.0, 0.5, 0.0, 1.0, 0.0]
    each = {(f"t{number}", channel): cell([rate, rate]) for number, rate in enumerate(rates)}
    four = {
        (f"{topic}-{copy}", channel): of_topic for (topic, _), of_topic in each.items() for copy in range(4)
    }
    topics = {prompt: prompt.partition("-")[0] for prompt, _ in four}
    of_each, of_four = estimate(each), estimate(four)
    assert of_each is not None
    assert of_four is not None
    alone, together = interval_pair(each, of_each), interval_pair(four, of_four, topics=topics)
    assert together.all_questions == pytest.approx(alone.all_questions)
    assert (together.topics, alone.topics) == (6, 6)
    as_prompts = interval_pair(four, of_four, topics=NO_TOPICS)
    assert as_prompts.all_questions is not None
    assert alone.all_questions is not None
    assert as_prompts.all_questions[0] > alone.all_questions[0]
