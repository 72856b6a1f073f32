import time
import unicodedata
from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from typing import Protocol

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from analytics.answers.answer_reading import Reader
from analytics.answers.citations import Citation
from analytics.answers.ranks import list_ranks
from analytics.intervals import IntervalPair
from analytics.matching.aliases import Alias, Entity, folded_name, loose_forms, spellings
from analytics.matching.inflection import changed_forms
from analytics.matching.mentions import Matcher
from analytics.observation import Observation
from analytics.text.folding import fold
from tests.analytics.drawn_answers import some_answers
from tests.analytics.naive_intervals import Answers, all_questions, these_prompts
from tests.analytics.naive_score import NaiveScore
from tests.analytics.observed import score

NAMES = (
    "Acme", "Škoda", "Acme Motors", "Demand IQ", "Al-Futtaim", "O’Reilly Auto Parts", "Marks & Spencer", "Booking.com",
    "Straße Auto", "LI", "3M", "Лада", "トヨタ", "丰田", "현대", "تويوتا", "टाटा", "ﬁat", "E*Trade", "Łódź Cars",
)  # fmt: skip
ENTITIES = tuple(Entity(name, (Alias(name),)) for name in NAMES)
MATCHER = Matcher(ENTITIES)
CROWDED_MATCHER = Matcher(
    (*ENTITIES, *(Entity(f"other-{number}", (Alias(f"Qvx{number}zjw"),)) for number in range(1_000)))
)
"""Finds so many names that no look before the search would spare it."""
READER = Reader(ENTITIES, "Acme")
SHORT = 600
"""Repeats of a short piece; four times as many are about the longest text of an answer that is read."""
QUICK_SECONDS = 0.02
MOST_GROWTH, TRIES = 8, 5
FORMS = {
    name: spellings(folded_name(name))
    | loose_forms(folded_name(name))
    | {form.text for spelling in spellings(folded_name(name)) for form in changed_forms(spelling)}
    for name in NAMES
}

PIECES = st.one_of(
    st.sampled_from(NAMES),
    st.sampled_from(NAMES).map(lambda name: unicodedata.normalize("NFD", name)),
    st.sampled_from(NAMES).map(str.upper),
    st.sampled_from(
        [
            " ",
            "**",
            "_",
            "s",
            "’s",
            "\u00a0",
            "\u200b",
            "\u0301",
            "\ufe0f",
            "😀",
            "\n",
            ". ",
            "1. ",
            "2) ",
            "### 3. ",
            "| ",
            "|--|--|",
        ]
    ),
    st.sampled_from(
        ["not ", "I could not find ", "if ", "; ", " but ", "[1]", "](x)", "https://acme.com/ ", "@", "-"]
    ),
    st.characters(),
)
TEXTS = st.lists(PIECES, max_size=14).map("".join)


@settings(max_examples=1000)
@given(TEXTS)
def test_every_span_folds_to_a_spelling_of_its_name(text: str) -> None:
    for mention in MATCHER.find(text):
        at = 0
        for span in mention.spans:
            assert at <= span.start < span.end <= len(text)
            assert fold(text[span.start : span.end]).text in FORMS[mention.entity_id]
            at = span.end


@given(TEXTS)
def test_spans_of_all_entities_never_overlap(text: str) -> None:
    spans = sorted((span.start, span.end) for mention in MATCHER.find(text) for span in mention.spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))


@settings(max_examples=1000)
@given(TEXTS | st.text())
def test_few_and_many_names_give_the_same_mentions(text: str) -> None:
    assert MATCHER.find(text) == CROWDED_MATCHER.find(text)


@given(TEXTS | st.text())
@example("\ud800 Acme")
@example("1. Acme\n\x0b2. Acme")
def test_no_answer_makes_reading_fail_and_counts_agree(text: str) -> None:
    reading = READER.read(text, [Citation(text)], "en")
    for read in reading.mentions:
        mention = read.mention
        assert mention.occurrences == len(mention.counted)
        assert len(mention.quote) <= 300
        assert mention.quote in text


LINES = st.lists(
    st.tuples(
        st.sampled_from(
            ["1. ", "2. ", "3) ", "1.\n  ", "# 1. ", "## 2) ", "### **3. ", "**1. ", "__2. ", "***3) ", "- ", "> 1. ", "   ",
             "\t2. ", "1 | ", "| 2 | ", "```\n", "Rank | ", "|--|--", ":-:|-", "\u00a01. ", "\x0b2. ", "#\u00a0", "1."]
        ),
        st.sampled_from(["Acme", "LI", "**3M**", "", "Acme: x", "=="]),
        st.sampled_from(["\n", "\n\n", "\r\n", "\r", "**\n\n", " |\n", "\x0b", "\u2028"]),
    ).map("".join),
    max_size=8,
).map("".join)  # fmt: skip


@settings(max_examples=500)
@given(LINES)
def test_no_ranked_structure_is_missed_by_the_look_before_parsing(text: str) -> None:
    forced = text + "\n\n| a | b |\n|---|---|\n| x | y |\n"
    assert list_ranks(forced, MATCHER.find(text)) == list_ranks(text, MATCHER.find(text))


@given(st.text(st.sampled_from("bcdfghjkmnpqrvwxz ,.!?\n*_-()[]124567890"), max_size=200))
def test_a_text_without_the_letters_of_any_name_has_no_hit(text: str) -> None:
    assert MATCHER.find(text) == ()


class PlainEntity(Protocol):
    """An entity of geo-score, which has no types: a matcher that somebody else wrote."""

    def named_in(self, text: str) -> bool: ...


plain_entity: Callable[[dict[str, str]], PlainEntity] = import_module("geo_watch").Entity
PLAIN = ("Acme", "Bravo Motors", "Zenit", "Hendrick")


@given(
    st.lists(
        st.sampled_from([*PLAIN, "toolbox", "Acmes", "bravo", "motors", "and", "not", ",", "zenith"]),
        max_size=9,
    )
)
def test_plain_names_are_found_where_an_independent_matcher_finds_them(words: list[str]) -> None:
    text = " ".join(words)
    matcher = Matcher([Entity(name, (Alias(name),)) for name in PLAIN])
    exact = text.replace("Acmes", "other")
    named = {mention.entity_id for mention in matcher.find(exact)}
    assert named == {name for name in PLAIN if plain_entity({"name": name}).named_in(exact)}


SENTENCES = [
    ("{} liefert die besten Autos.", "de"),
    ("Nous conseillons {}, sans hésiter.", "fr"),
    ("Najlepszy wybór to {} w Łodzi.", "pl"),
    ("おすすめは{}です。", "ja"),
    ("我推荐{}，因为便宜。", "zh"),
    ("أنصح بشراء {} لأنها جيدة.", "ar"),
    ("최고는 {}는 아니다.", "ko"),
    ("Лучше всего {}, конечно.", "ru"),
]


def decomposed(name: str) -> str:
    return unicodedata.normalize("NFD", name)


def planted(shape: str, name: str) -> tuple[str, str]:
    """How a shape shows a name, and the part of it that is the span."""
    return {
        "plain": (name, name),
        "possessive": (name + "'s", name),
        "curly possessive": (name + "’s", name),
        "bold": (f"**{name}**", name),
        "quoted": (f"„{name}“", name),
        "link label": (f"[{name}](https://x.example/{name})", name),
        "no-break space": (name.replace(" ", "\u00a0"), name.replace(" ", "\u00a0")),
        "decomposed": (decomposed(name), decomposed(name)),
        "capitals": (name.upper(), name.upper()),
        "full width": (name.replace("A", "Ａ"), name.replace("A", "Ａ")),
    }[shape]


SHAPES = (
    "plain", "possessive", "curly possessive", "bold", "quoted", "link label", "no-break space", "decomposed", "capitals",
    "full width",
)  # fmt: skip
PLANTED = ("Acme", "Škoda", "Acme Motors", "O’Reilly Auto Parts", "Marks & Spencer", "トヨタ", "丰田")


@pytest.mark.parametrize("name", PLANTED)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "sentence", [text for text, _ in SENTENCES], ids=[language for _, language in SENTENCES]
)
def test_a_planted_name_is_found_with_its_span(sentence: str, shape: str, name: str) -> None:
    shown, named = planted(shape, name)
    text = "😀 " + sentence.format(shown)
    start = text.index(shown) + shown.index(named)
    (mention,) = MATCHER.find(text)
    assert mention.entity_id == name
    assert [(span.start, span.end) for span in mention.spans] == [(start, start + len(named))]


@pytest.mark.parametrize("text", ["وتويوتا", "أنصحك بتويوتا", "سيارة تُويُوتا جيدة", "وبتويوتا"])
def test_a_name_is_found_behind_arabic_particles_and_with_vowel_signs(text: str) -> None:
    assert MATCHER.find(text) != ()


def test_a_name_within_another_arabic_word_is_not_found() -> None:
    assert MATCHER.find("مستويوتا") == ()


@pytest.mark.parametrize(
    "piece",
    ["Acme", "Acme ", "Acme; ", "Acme not ", "no Acme, ", "_", "a_", " ", "1. Acme\n", "| Acme | 1 |\n", "# 1. Acme\n",
     "I never heard of Acme if ", "**1. Acme**\n\n", "1. Acme\n\n# x\n", "\u0301", "*", "Acme but ", "the Acme but ", "Acme is (2nd) ", "if Acme ", "https://a.b ", "great "],
)  # fmt: skip
def test_time_of_reading_grows_with_the_answer_only(piece: str) -> None:
    """Four times the text takes about four times as long; twice of a square would take sixteen."""
    least = 100.0
    for _ in range(TRIES):
        small = seconds_of_reading(piece * SHORT)
        least = min(least, seconds_of_reading(piece * (4 * SHORT)) / max(small, QUICK_SECONDS))
        if least <= MOST_GROWTH:
            break
    assert least <= MOST_GROWTH


def seconds_of_reading(pieces: str) -> float:
    began = time.process_time()
    READER.read("Rank | Name\n--|--\n" + pieces, (), "en")
    return time.process_time() - began


@settings(max_examples=300, deadline=None)
@given(some_answers(), some_answers() | st.just([]))
def test_a_score_of_sums_is_that_of_single_answers(
    answers: list[Observation], earlier: list[Observation]
) -> None:
    result = score("acme", answers, "r1", earlier=earlier)
    naive = NaiveScore.of(answers)
    repeats = NaiveScore.of(earlier)
    weights = naive.weights()
    assert [str(part) for part in result.basis] == list(weights)
    assert (result.answers, result.prompts) == (
        len(naive.answers),
        len({answer.prompt_id for answer in naive.answers}),
    )
    for factor in result.factors:
        part, values = str(factor.part), naive.values(factor.part)
        assert factor.samples == naive.samples(part)
        assert factor.effective_weight == pytest.approx(weights.get(part, 0))
        assert (factor.value is None) == (factor.reason is not None) == (part not in weights)
        if factor.value is not None:
            assert factor.value == pytest.approx(naive.part(part), abs=1e-9)
            yes_or_no = part in ("presence", "citation")
            is_that_of(factor.intervals, values, repeats.values(part), 1, yes_or_no=yes_or_no)
    if result.value is not None:
        headlines = naive.headlines(weights)
        expected = sum(weight * naive.part(part) for part, weight in weights.items())
        assert result.value == pytest.approx(100 * expected, abs=1e-7)
        is_that_of(result.intervals, headlines, repeats.headlines(weights, naive), 100)
    assert (result.value is None) == (len(naive.answers) < 10 or result.prompts < 5)


def is_that_of(
    intervals: IntervalPair | None, values: Answers, earlier: Answers, unit: int, *, yes_or_no: bool = False
) -> None:
    """Assert that intervals in this unit are those of single values."""
    assert intervals is not None
    expected, source = these_prompts(values, earlier)
    assert intervals.noise_source == source
    assert [limit / unit for limit in intervals.these_prompts] == pytest.approx(expected, abs=1e-9)
    others = all_questions(values, yes_or_no=yes_or_no)
    assert (intervals.all_questions is None) == (others is None)
    if intervals.all_questions is not None:
        assert [limit / unit for limit in intervals.all_questions] == pytest.approx(others, abs=1e-9)
