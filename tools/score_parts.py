"""Parts of a score result: factors, the score of each engine and mode, change, and the receipt.

They are read from the stored documents as they stand, whose fields have the names of the wire.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from analytics.metric_names import MetricName
from analytics.metrics import SHOWN_DECIMALS
from analytics.score_inputs import Part
from measurement.publication.result_documents import FactorDocument, PartialScoreDocument
from tools.calls.wire import POINT_DECIMALS, Figure, Interval, Intervals, Wire, in_points


class ChangeRow(Wire):
    """One test over the prompts that both measurements have."""

    channel: str | None = Field(description="platform/mode; null is all channels together.")
    part: str | None = Field(description="presence, prominence or citation; null is the endpoint.")
    before: Figure | None = Field(description="0 to 1; of the score, a hundredth.")
    after: Figure | None
    delta: Figure | None
    interval: Interval | None = Field(description="Of delta, at confidence 1 - level.")
    level: float | None = Field(description="0.05, or what Holm's correction leaves of it.")
    p: Figure | None
    prompts: int
    answersBefore: int
    answersAfter: int
    missing: int = Field(description="Planned answers that never came, of both sides together.")
    tipping: int | None = Field(description="So many missing answers against the change would undo it.")
    verdict: str
    reason: str | None


class Change(Wire):
    """Change since the latest earlier calculation that shares no answer with this one."""

    value: float | None = Field(
        description="Points of the score, over the prompts of both, or null with a reason."
    )
    before: float | None = Field(
        description="Points of the score before, over the prompts of both; null unless the endpoint is score."
    )
    after: float | None = Field(description="Points of the score now, over the prompts of both.")
    interval: Interval | None = Field(description="95 % interval of after minus before, in points.")
    verdict: str = Field(
        description="changed, changed_if_missing_are_alike, no_detectable_change or not_comparable."
    )
    reason: str | None
    endpoint: str = Field(description="What the verdict is about: score, or presence where parts differ.")
    rowUnit: str = Field(
        default="share from 0 to 1, a hundredth of points",
        description="Of before, after, delta and interval in primary, channels and parts.",
    )
    primary: ChangeRow | None = Field(description="The test behind the verdict.")
    channels: list[ChangeRow] = Field(description="Whether one engine changed: a question of its own.")
    parts: list[ChangeRow] = Field(description="What explains a change; tested only when there is one.")

    @model_validator(mode="before")
    @classmethod
    def _from_document(cls, stored: Any) -> Any:
        scored: dict[str, Any] = (stored["endpoint"] == "score" and stored["primary"]) or {}
        interval: dict[str, float] | None = scored.get("interval")
        value = stored["value"]
        return {
            **stored,
            "value": None if value is None else round(value, POINT_DECIMALS) + 0.0,
            "before": in_points(scored.get("before")),
            "after": in_points(scored.get("after")),
            "interval": interval and {name: in_points(bound) for name, bound in interval.items()},
        }


class ReceiptAnswers(Wire):
    """The answers behind a number."""

    count: int
    sha256: str


class Receipt(Wire):
    """What a number rests on. The id is the hash of the content; `seenby replay --verify` recomputes it."""

    receiptId: str
    metric: str
    value: float | None = Field(description="Unrounded.")
    brandId: str
    versions: dict[str, str | list[str]]
    batches: list[str]
    channels: list[str]
    answers: ReceiptAnswers
    excluded: dict[str, int]
    calculatedAt: datetime


class Factor(Wire):
    """One part of the score."""

    part: str = Field(description="presence, prominence or citation.")
    value: float | None = Field(description="0 to 1; null when it could not be measured.")
    points: float | None = Field(
        description="The same from 0 to 100; times effectiveWeight, all parts add up to the score."
    )
    intervals: Intervals | None = Field(description="Of value, 0 to 1.")
    weight: float = Field(description="Weight in the model.")
    effectiveWeight: float = Field(description="Weight here, after parts that are not measured dropped out.")
    samples: int = Field(description="Answers that measured it.")
    reason: str | None = Field(description="Why it is not measured, or null.")

    @model_validator(mode="before")
    @classmethod
    def _from_document(cls, stored: Any) -> Any:
        return {**stored, "points": in_points(stored["value"])}


def shown_score(score: float | None) -> float | None:
    """Return a score with the decimals that scores are shown with."""
    return None if score is None else round(score, SHOWN_DECIMALS[MetricName.VISIBILITY_SCORE])


ShownScore = Annotated[float, AfterValidator(shown_score)]


class PartialScore(Wire):
    """The same rule on one platform's or one mode's answers."""

    name: str
    status: str
    score: ShownScore | None
    intervals: Intervals | None
    confidence: str | None
    answers: int
    prompts: int


def named_parts(stored: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return stored partial scores, which are kept by name, as a list."""
    return [{"name": name, **part} for name, part in stored.items()]


def headline_words(factors: Sequence[Mapping[str, Any]]) -> str | None:
    """Return in how many answers the brand is named, with the interval of this prompt set; None if not measured."""
    presence = next((factor for factor in factors if factor["part"] == Part.PRESENCE), None)
    if presence is None or presence["value"] is None:
        return None
    words = f"Named in {presence['value']:.0%} of answers"
    interval: Mapping[str, float] | None = presence["intervals"] and presence["intervals"]["thesePrompts"]
    return (
        f"{words} (95% CI {100 * interval['low']:.0f} to {100 * interval['high']:.0f})" if interval else words
    )


def parts_notice(document: Mapping[str, Any]) -> str | None:
    """Return which part joined or left the score since the previous measurement, and which one is left out."""
    change: Mapping[str, Any] = document["change"] or {}
    said = [
        f"{names[0].capitalize()} {verb} the score since the previous measurement, so the two scores are not compared."
        for verb, names in (("joined", change.get("joined", ())), ("left", change.get("left", ())))
        if names
    ]
    if any(factor["reason"] == "no_site_known" for factor in document["factors"]):
        said.append(
            "Citations are no part of this score, because the brand has no site: set website or sites on its profile."
        )
    return " ".join(said) or None


def outside_notice(document: Mapping[str, Any]) -> str | None:
    """Return why a score lies outside those of its modes; None if it does not."""
    score = shown_score(document["score"])
    of_modes = [
        shown for part in document["modes"].values() if (shown := shown_score(part["score"])) is not None
    ]
    if score is None or not of_modes or min(of_modes) <= score <= max(of_modes):
        return None
    return (
        "The score lies outside the scores of its modes, because it is not their mean: answers from memory have no "
        "citations, so that their score counts the other parts more."
    )


def factor_view(factor: FactorDocument) -> Factor:
    """Return one part of the score as it is shown."""
    return Factor.model_validate(factor.to_json())


def partial_scores(scores: Mapping[str, PartialScoreDocument]) -> list[PartialScore]:
    """Return the scores of platforms or modes as they are shown."""
    return [
        PartialScore.model_validate(part)
        for part in named_parts({name: score.to_json() for name, score in scores.items()})
    ]
