"""Question templates: what buyers ask, by industry and place, from a bundled data file."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, cast

OTHER = "other"


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
    """Return the templates by industry key; `other` is the last one and fits every business."""
    entries = cast(dict[str, dict[str, Any]], _document()["industries"])
    return {
        key: IndustryTemplates(key, entry["title"], tuple(entry["questions"]))
        for key, entry in entries.items()
    }


def propose_questions(brand: str, industry: str, place: str = "", field: str = "") -> list[ProposedQuestion]:
    """Return questions for a brand: those of its industry, then those that name it.

    An unknown `industry` counts as `other`. `place` and `field` are words such as `Springfield` and
    `accounting software`, and may be empty.
    """
    templates = industries().get(industry) or industries()[OTHER]
    words = {
        "place": f" in {place}" if place else "",
        "field": f" for {field}" if field else " in this field",
        "brand": brand,
    }
    branded = cast(list[str], _document()["branded"])
    return [
        *(ProposedQuestion(_fill(text, words), False) for text in templates.questions),
        *(ProposedQuestion(_fill(text, words), True) for text in branded),
    ]


def match_industry(words: str) -> str:
    """Return the industry that a text such as `auto dealer` or one of our titles means; else `other`."""
    folded = words.casefold()
    for key, templates in industries().items():
        if folded in (key, templates.title.casefold(), key.replace("_", " ")):
            return key
    return SCHEMA_WORDS.get(folded, OTHER)


SCHEMA_WORDS: Mapping[str, str] = {
    "auto dealer": "car_dealer",
    "motorcycle dealer": "car_dealer",
    "auto repair": "car_repair",
    "auto body shop": "car_repair",
    "tire shop": "car_repair",
    "motorcycle repair": "car_repair",
    "auto parts store": "shop",
}
"""Industries by schema.org type, in words."""


def _fill(template: str, words: Mapping[str, str]) -> str:
    """Fill in the placeholders; braces in the user's words are left as they are."""
    for name, value in words.items():
        template = template.replace("{" + name + "}", value)
    return template
