"""The arithmetic of a report: credit to score, coverage and bounds, gates, overall, bands."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from readiness.checks.check import CREDIT, CheckStatus, Group
from readiness.survey.site_kind import Kind

COVERAGE_NEEDED = Fraction(6, 10)
GATE_CAP = 59
TECHNICAL_SHARE, JOURNEY_SHARE = Fraction(45, 100), Fraction(55, 100)
DEALER_WEIGHTS = {Group.VEHICLE: Fraction(3), Group.SERVICE: Fraction(3, 2), Group.HANDOFF: Fraction(3, 2)}
OTHER_WEIGHTS = {Group.SERVICE: Fraction(3), Group.HANDOFF: Fraction(2)}
BANDS = (("blocked", 0), ("limited", 40), ("usable", 60), ("ready", 80))
READY_COVERAGE = Fraction(8, 10)
UNMEASURED_BAND, UNREADABLE_BAND = "usable", "limited"
"""The best words for what was measured too little to be called ready, and for a site that only scripts can show."""
SCORED_KINDS = (Kind.DEALER, Kind.REPAIR_SHOP, Kind.SERVICE_SITE)


class Unscored(StrEnum):
    """Why a figure is null."""

    NOT_APPLICABLE = "not_applicable"
    INSUFFICIENT_EVIDENCE = "insufficient_evidence"
    TYPE_UNDETERMINED = "type_undetermined"
    NO_TECHNICAL = "technical_not_scored"
    NO_MAIN_JOURNEY = "main_journey_not_scored"


@dataclass(frozen=True, slots=True)
class Mark:
    """One answered check, as far as the arithmetic goes."""

    check_id: str
    weight: int
    status: CheckStatus
    gate: bool = False


@dataclass(frozen=True, slots=True)
class GroupScore:
    """Score, bounds (0-100) and coverage (0-1) of one group; `reason` says why the score is null."""

    score: int | None
    low: int | None
    high: int | None
    coverage: float
    reason: Unscored | None = None
    cap_reason: str | None = None


@dataclass(frozen=True, slots=True)
class Overall:
    """The figure over technical readiness and journeys, or why there is none.

    `coverage` (0-1) is the share that was measured of all that it weighs, journeys without a score included.
    """

    score: int | None
    reason: Unscored | None = None
    cap_reason: str | None = None
    coverage: float = 1.0


def group_score(marks: Sequence[Mark]) -> GroupScore:
    """Score of one group: earned over observed weight, null below 60 % coverage.

    Bounds are what the score could be were every unknown seen. A failed gate caps all three at 59.
    Halves are rounded up; the arithmetic is exact.
    """
    applicable = sum(mark.weight for mark in marks if mark.status is not CheckStatus.NOT_APPLICABLE)
    observed = sum(mark.weight for mark in marks if mark.status in CREDIT)
    earned = sum((Fraction(CREDIT.get(mark.status, 0)) * mark.weight for mark in marks), Fraction(0))
    if not applicable:
        return GroupScore(None, None, None, 0.0, Unscored.NOT_APPLICABLE)
    coverage = Fraction(observed, applicable)
    low = math.floor(100 * earned / applicable)
    high = math.ceil(100 * (earned + applicable - observed) / applicable)
    gate = next((mark.check_id for mark in marks if mark.gate and mark.status is CheckStatus.FAIL), None)
    cap = GATE_CAP if gate else 100
    if coverage < COVERAGE_NEEDED:
        reason = Unscored.INSUFFICIENT_EVIDENCE
        return GroupScore(None, min(low, cap), min(high, cap), round(float(coverage), 4), reason, gate)
    score = min(math.floor(100 * earned / observed + Fraction(1, 2)), cap)
    return GroupScore(score, min(low, cap), min(high, cap), round(float(coverage), 4), None, gate)


def overall_score(kind: Kind, technical: GroupScore, journeys: Mapping[Group, GroupScore]) -> Overall:
    """0.45 of the technical score and 0.55 of the weighted mean of the journeys.

    Of the main journey, where too little was seen for a score, its low counts: what could not be seen earns nothing.
    A failed gate of technical readiness caps it at 59: who cannot come in is not helped by good pages.
    """
    gate = technical.cap_reason
    if kind not in SCORED_KINDS:
        return Overall(None, Unscored.TYPE_UNDETERMINED, gate)
    if technical.score is None:
        return Overall(None, Unscored.NO_TECHNICAL, gate)
    weights = DEALER_WEIGHTS if kind is Kind.DEALER else OTHER_WEIGHTS
    main = Group.VEHICLE if kind is Kind.DEALER else Group.SERVICE
    scored = {
        group: score.score
        for group, score in journeys.items()
        if score.score is not None and group in weights
    }
    partly = journeys.get(main)
    if main not in scored and partly is not None and partly.low is not None and partly.coverage:
        scored[main] = partly.low
    if main not in scored:
        return Overall(None, Unscored.NO_MAIN_JOURNEY, gate)
    total = sum((weights[group] * score for group, score in scored.items()), Fraction(0))
    mean = total / sum(weights[group] for group in scored)
    score = math.floor(TECHNICAL_SHARE * technical.score + JOURNEY_SHARE * mean + Fraction(1, 2))
    return Overall(
        min(score, GATE_CAP) if gate else score, None, gate, _measured(technical, journeys, weights)
    )


def _measured(
    technical: GroupScore, journeys: Mapping[Group, GroupScore], weights: Mapping[Group, Fraction]
) -> float:
    """The share that was measured of technical readiness and of the journeys that apply, each with its weight."""
    asked = {
        group: score
        for group, score in journeys.items()
        if group in weights and score.reason is not Unscored.NOT_APPLICABLE
    }
    total = sum((weights[group] for group in asked), Fraction(0))
    shares = sum((weights[group] * Fraction(score.coverage) for group, score in asked.items()), Fraction(0))
    return round(float(TECHNICAL_SHARE * Fraction(technical.coverage) + JOURNEY_SHARE * shares / total), 4)


def band(score: int | None, coverage: float = 1.0, *, readable: bool = True) -> str | None:
    """The word for a score; at most usable where less than 80 % was measured, limited where only scripts show it."""
    if score is None:
        return None
    names = [name for name, _ in BANDS]
    word = next(index for index, (_, least) in reversed(list(enumerate(BANDS))) if score >= least)
    best = names.index(UNREADABLE_BAND) if not readable else len(names) - 1
    if coverage < READY_COVERAGE:
        best = min(best, names.index(UNMEASURED_BAND))
    return names[min(word, best)]
