"""Prompt templates: what buyers ask, by what a brand sells and where, from a bundled data file."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, cast


@dataclass(frozen=True, slots=True)
class IndustryTemplates:
    """The questions of one industry, with placeholders."""

    key: str
    title: str
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProposedQuestion:
    """A question as it would be asked; a branded one names the brand."""

    text: str
    branded: bool


@cache
def _document() -> dict[str, Any]:
    return tomllib.loads(files("measurement.planning").joinpath("question_templates.toml").read_text("utf-8"))


@cache
def industries() -> Mapping[str, IndustryTemplates]:
    """Return the industries that have prompts of their own, by key."""
    entries = cast(dict[str, dict[str, Any]], _document()["industries"])
    return {
        key: IndustryTemplates(key, entry["title"], tuple(entry["questions"]))
        for key, entry in entries.items()
    }


def propose_questions(brand: str, category: str, place: str = "") -> list[ProposedQuestion]:
    """Return prompts for a brand: those of what it sells, then those that name it.

    `category` is what a person typed, such as `espresso machines` or `Car dealer`; `place` may be empty.
    """
    document = _document()
    industry = industries().get(match_industry(category))
    texts = industry.questions if industry else cast(list[str], document["category"])
    words = {
        "place": f" in {place}" if place else "",
        "category": category or f"products like those of {brand}",
        "brand": brand,
    }
    return [
        *(ProposedQuestion(_fill(text, words), not category) for text in texts),
        *(ProposedQuestion(_fill(text, words), True) for text in cast(list[str], document["branded"])),
    ]


def match_industry(words: str) -> str:
    """Return the industry that a text such as `auto dealer` or one of our titles means, or an empty string."""
    folded = words.casefold()
    for key, templates in industries().items():
        if folded in (key, templates.title.casefold(), key.replace("_", " ")):
            return key
    return SCHEMA_WORDS.get(folded, "")


SCHEMA_WORDS: Mapping[str, str] = {
    "auto dealer": "car_dealer",
    "motorcycle dealer": "car_dealer",
    "auto repair": "car_repair",
    "auto body shop": "car_repair",
    "tire shop": "car_repair",
    "motorcycle repair": "car_repair",
}
"""Industries by schema.org type, in words."""


def _fill(template: str, words: Mapping[str, str]) -> str:
    """Fill in the placeholders; braces in the user's words are left as they are."""
    for name, value in words.items():
        template = template.replace("{" + name + "}", value)
    return template
