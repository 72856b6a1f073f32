"""What is asked of whom, from where."""

from datetime import UTC, datetime
from typing import Any

from analytics.power import smallest_detectable_change
from engines.engine import Mode
from measurement.planning.ask_plan import AskPlan
from measurement.planning.detection import PlanNoise, detectable_change
from storage.repositories.brands import Brand
from storage.repositories.prompts import Prompt

NOW = datetime(2026, 3, 1, tzinfo=UTC)
LOCALE = {"chatgpt": frozenset({"country", "city"}), "gemini": frozenset[Any]()}


def prompt(key: int, **place: Any) -> Prompt:
    fields: dict[str, Any] = {"language": None, "country": None, "city": None, **place}
    return Prompt(key, f"p{key}", f"Question {key}?", None, (), None, **fields)


def plan(*prompts: Prompt, countries: tuple[str, ...] = ()) -> AskPlan:
    brand = Brand.__new__(Brand)
    platforms = ("chatgpt", "gemini")
    return AskPlan(brand, None, prompts, "q", platforms, Mode.READINESS, 2, countries, LOCALE)  # pyright: ignore[reportArgumentType] # frozen sets of names


def test_each_country_is_asked_where_the_engine_can_be_told_one() -> None:
    made = plan(prompt(1), prompt(2, country="FR"), countries=("US", "DE"))
    asked = {
        country: [prompt.id for prompt in prompts] for country, prompts in made.by_country("chatgpt").items()
    }
    assert asked == {"US": ["p1"], "DE": ["p1"], "FR": ["p2"]}
    assert list(made.by_country("gemini")) == [""]
    assert made.asks == (3 + 2) * 2


def test_what_an_engine_cannot_be_told_is_named() -> None:
    made = plan(prompt(1, language="de", city="Berlin"), countries=("DE",))
    assert made.not_supported("chatgpt") == ("language",)
    assert made.not_supported("gemini") == ("country", "language", "city")
    assert plan(prompt(1)).not_supported("gemini") == ()


def test_other_countries_are_another_plan() -> None:
    assert plan(prompt(1)).sha256 != plan(prompt(1), countries=("US",)).sha256


def test_each_country_adds_one_answer_per_prompt_to_a_plan() -> None:
    prompts = [prompt(number) for number in range(30)]
    noise = PlanNoise(answers=0.1, prompts=0.02)
    # Two repeats of two engines; the first of them is asked from three countries.
    here, abroad = plan(*prompts), plan(*prompts, countries=("US", "DE", "FR"))
    assert detectable_change(here, 30, noise) == smallest_detectable_change(30, 4, 0.1, 0.02)
    assert detectable_change(abroad, 30, noise) == smallest_detectable_change(30, 8, 0.1, 0.02)
    assert detectable_change(plan(), 0, noise) is None
