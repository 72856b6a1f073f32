"""Draws the answers of an audit, and computes from a person's labels how well the matcher reads."""

import random
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from analytics.audit_correction import CorrectedRate, LabeledSample, correct_rate
from analytics.intervals import ROUNDED_Z, Interval, wilson

MOST_PER_PROMPT = 2
"""Answers of one question in a sample: those of one question tend to be read alike."""


@dataclass(frozen=True, slots=True)
class AuditCandidate:
    """One answer that may be drawn; `named` is what the matcher read."""

    key: int
    prompt: str
    named: bool


@dataclass(frozen=True, slots=True)
class AuditLabel:
    """What the matcher and a person say of one answer; tones are None where there is none."""

    read_as_named: bool
    named: bool
    read_tone: str | None = None
    tone: str | None = None


@dataclass(frozen=True, slots=True)
class AuditShare:
    """A share (0-1) of `of` cases with its 95 % interval (Wilson)."""

    share: float
    of: int
    interval: Interval


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What labels say of the matcher; None where no label speaks of it.

    `precision`: of the answers read as naming the brand, those that do. `recall`: of the answers that name it, those
    read so, with both halves of the sample weighted back to all answers. `tone`: agreement of the judge with the
    person. `corrected` is the presence rate without the errors; it stands beside the raw rate, never instead of it.
    """

    precision: AuditShare | None
    recall: float | None
    tone: AuditShare | None
    corrected: CorrectedRate | None


def draw(candidates: Sequence[AuditCandidate], size: int, seed: int) -> list[int]:
    """Return the keys of a random sample: half named, half not, at most two answers of one question in all.

    The same candidates and seed give the same sample. A half that has too few answers is taken whole.
    """
    shuffled = sorted(candidates, key=lambda candidate: candidate.key)
    random.Random(seed).shuffle(shuffled)
    taken: Counter[Hashable] = Counter()
    chosen: list[int] = []
    left = {True: (size + 1) // 2, False: size // 2}
    for candidate in shuffled:
        if left[candidate.named] and taken[candidate.prompt] < MOST_PER_PROMPT:
            taken[candidate.prompt] += 1
            left[candidate.named] -= 1
            chosen.append(candidate.key)
    return sorted(chosen)


def share_of(right: int, whole: int) -> AuditShare | None:
    """Return a share with its interval, None of nothing."""
    return AuditShare(right / whole, whole, wilson(right / whole, whole, ROUNDED_Z)) if whole else None


def report(labels: Sequence[AuditLabel], rate: float, interval: Interval | None) -> AuditReport:
    """Compute the report from labels and the raw presence rate (0-1) of all answers with its interval."""
    named = [label for label in labels if label.read_as_named]
    others = [label for label in labels if not label.read_as_named]
    false_names = sum(not label.named for label in named)
    misses = sum(label.named for label in others)
    toned = [label for label in labels if label.tone and label.read_tone]
    recall = corrected = None
    if named and others:
        rightly_named = rate * (1 - false_names / len(named))
        missed = (1 - rate) * misses / len(others)
        recall = rightly_named / (rightly_named + missed) if rightly_named + missed else None
        if interval is not None:
            sample = LabeledSample(len(named), false_names, len(others), misses)
            corrected = correct_rate(rate, interval, sample)
    return AuditReport(
        precision=share_of(len(named) - false_names, len(named)),
        recall=recall,
        tone=share_of(sum(label.tone == label.read_tone for label in toned), len(toned)),
        corrected=corrected,
    )
