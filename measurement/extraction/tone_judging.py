"""The question by which an engine judges what answers say of a brand, in their language; only exact quotes count."""

import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias, cast

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from analytics.digests import canonical_json
from analytics.text.language import detect
from measurement.planning.costs import WritingPlan
from measurement.planning.prompt_quoting import notes

AT_ONCE = 10
LONGEST_TEXT = 3000
OUTPUT_TOKENS = 4000
TEMPERATURE = 0.0
"""The lowest temperature that an engine's API offers: the same texts should get the same judgment."""
FORM = '[{"text": 1, "label": "positive", "recommendation": "recommended", "quote": "...", "statements": ["..."]}]'
Label: TypeAlias = Literal["positive", "neutral", "negative"]
Recommendation: TypeAlias = Literal["recommended", "mentioned", "warned_against"]
ENGLISH = "en"
"""Language of the question where there is none in an answer's language, or that language is not known."""


@dataclass(frozen=True, slots=True)
class ToneQuestion:
    """The question in one language, with the labels that precede the brand's name and each text."""

    text: str
    brand: str
    material: str
    question: str


@cache
def tone_questions() -> Mapping[str, ToneQuestion]:
    """Return the question in each of its languages (ISO 639-1)."""
    text = files("measurement.extraction").joinpath("tone_questions.toml").read_text(encoding="utf-8")
    return {language: ToneQuestion(**words) for language, words in tomllib.loads(text).items()}


def question_language(text: str, prompt_language: str | None = None) -> str:
    """Return the language in which to ask about a text; the prompt's (BCP 47) decides if the text does not."""
    language = detect(text, prompt_language)
    return language if language and language in tone_questions() else ENGLISH


class ToneJudgement(BaseModel):
    """What an engine says of one text."""

    model_config = ConfigDict(extra="ignore", strict=True)

    text: int
    label: Label
    recommendation: Recommendation
    quote: str
    statements: list[str] = []


OBJECTS: TypeAdapter[list[Any]] = TypeAdapter(list[Any])


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verified judgment; it is `unknown`, without a recommendation, unless its quote occurs in the text."""

    label: Literal[Label, "unknown"]
    recommendation: Recommendation | None
    quote: str | None
    statements: tuple[str, ...]


UNJUDGED = Judgement("unknown", None, None, ())


def method(model: str) -> str:
    """Return the name of judging with a model: `judge/<model>/<digest of questions and temperature>`.

    Changing a word in any language changes the method.
    """
    words = {language: asdict(question) for language, question in tone_questions().items()}
    asked = f"{canonical_json(words)}\n{FORM}\n{TEMPERATURE}"
    return f"judge/{model}/{hashlib.sha256(asked.encode()).hexdigest()[:12]}"


def request(brand: str, texts: Sequence[str], language: str = ENGLISH) -> str:
    """Return the full question about up to ten texts in a supported language, with each text fenced as data."""
    words = tone_questions()[language]
    fenced = [
        notes(f"{words.text} {number}", text[:LONGEST_TEXT], words.material)
        for number, text in enumerate(texts, 1)
    ]
    named = f"{words.brand}: {json.dumps(brand, ensure_ascii=False)}"
    return "\n\n".join((f"{words.question}\n{FORM}", named, *fenced))


def judging_plan(platform: str, calls: int) -> WritingPlan:
    """Return what so many questions may take at most."""
    return WritingPlan(platform, calls, AT_ONCE * LONGEST_TEXT, OUTPUT_TOKENS)


def judgements(texts: Sequence[str], answer: str) -> list[Judgement] | None:
    """Parse the engine's answer; None if it is not a JSON array.

    A text that the engine leaves out, judges twice or misquotes is not judged.
    """
    try:
        judgements_sent = OBJECTS.validate_json(strip_code_fence(answer))
    except ValidationError:
        return None
    by_text: dict[int, list[ToneJudgement]] = {}
    for sent in judgements_sent:
        try:
            judged = ToneJudgement.model_validate(cast("Mapping[str, Any]", sent))
        except ValidationError:
            continue
        by_text.setdefault(judged.text, []).append(judged)
    return [quoted_judgement(text, by_text.get(number, [])) for number, text in enumerate(texts, 1)]


def quoted_judgement(text: str, quoted_judgements: Sequence[ToneJudgement]) -> Judgement:
    """Keep only the quotes that occur in the text."""
    if len(quoted_judgements) != 1:
        return UNJUDGED
    (judgement,) = quoted_judgements
    statements = tuple(quote for quote in judgement.statements if quote.strip() and quote in text)
    if not judgement.quote.strip() or judgement.quote not in text:
        return Judgement("unknown", None, None, statements)
    return Judgement(judgement.label, judgement.recommendation, judgement.quote, statements)


def strip_code_fence(answer: str) -> str:
    """Return the JSON of an answer, without the Markdown fence that may surround it."""
    _, opened, rest = answer.partition("```")
    inner, closed, _ = rest.partition("```")
    return (inner.removeprefix("json") if opened and closed else answer).strip()
