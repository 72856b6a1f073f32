"""Statistical significance of a change between two calculations: p-values (Holm-adjusted), effect size, verdict."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, TypeAlias, TypeVar

from analytics.cell_sums import CellSums
from analytics.intervals import ALPHA, Interval, holm_levels
from analytics.market_sums import EntitySums
from analytics.observation import Channel
from analytics.paired_change import (
    PairedCells,
    PairedDifference,
    check_missing,
    paired_difference,
)
from analytics.prompt_means import CellKey, Cells
from analytics.score import Score
from analytics.score_inputs import Part, ScoreInputs, effective_weights

COMMON_PROMPTS = 0.8
OfCell = TypeVar("OfCell")

Verdict: TypeAlias = Literal[
    "changed", "changed_if_missing_are_alike", "no_detectable_change", "not_comparable"
]
Endpoint: TypeAlias = Literal["score", "presence", "prominence", "citation"]
Reason: TypeAlias = Literal[
    "no_earlier_calculation",
    "model_changed",
    "analysis_changed",
    "locale_changed",
    "prompts_changed",
    "degraded",
    "channels_changed",
    "served_model_changed",
    "basis_changed",
    "insufficient_data",
    "too_few_prompts",
    "headline_unchanged",
]


@dataclass(frozen=True)  # no slots: a cached property needs a `__dict__`
class Side:
    """One side of a comparison: a calculation with the sums of the answers behind it.

    `sums` are those of the scored entity. `prompts` maps each unbranded prompt id to the hash of its text.
    `analysis` names the matcher version and alias set. `served` holds the model names reported by each
    channel, `degraded` the excluded channels. `missing` counts, by cell, planned answers that never arrived
    or cannot be read. Declined and ungrounded answers are other kinds of observations and are not missing.
    """

    score: Score
    analysis: str
    country: str
    language: str
    prompts: Mapping[str, str]
    served: Mapping[Channel, frozenset[str]]
    sums: EntitySums = field(default_factory=lambda: EntitySums({}))
    degraded: frozenset[Channel] = frozenset()
    missing: Mapping[CellKey, float] = field(default_factory=dict[CellKey, float])

    @cached_property
    def cells(self) -> Mapping[CellKey, CellSums]:
        """The sums over the rated answers, by cell."""
        return {key: sums for key, sums in self.sums.cells.items() if sums.answers}

    @cached_property
    def channels(self) -> frozenset[Channel]:
        """Channels with a rated answer."""
        return frozenset(channel for _, channel in self.cells)


@dataclass(frozen=True, slots=True)
class ChangeResult:
    """One test over the prompts that both sides share: of all channels, one channel or one part.

    `before` and `after` are 0-1. `delta` is their difference, -1 to 1, and `interval` is its interval at
    confidence 1 - `level`, the level left by the family's correction. `missing` is the number of planned
    answers that are missing on both sides together; filling in `tipping` of them against the change would
    reverse it.
    """

    channel: Channel | None
    part: Part | None
    before: float | None
    after: float | None
    delta: float | None
    interval: Interval | None
    level: float | None
    p: float | None
    prompts: int
    answers_before: int
    answers_after: int
    missing: int
    tipping: int | None
    verdict: Verdict
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """The verdict of the primary endpoint, with supporting details.

    `value` is the change of the score in points over the prompts both sides share. `reason` says why there is
    no `value`, or why the verdict is "not_comparable". Only a verdict of "changed" permits words such as rose
    or fell. Channels are a separate question and never affect the verdict. Parts are tested only if the
    primary endpoint changed.
    """

    value: float | None
    verdict: Verdict
    reason: Reason | None
    endpoint: Endpoint = "score"
    primary: ChangeResult | None = None
    channels: tuple[ChangeResult, ...] = ()
    parts: tuple[ChangeResult, ...] = ()
    joined: tuple[Part, ...] = ()
    """Parts that the later score has and the earlier one has not."""
    left: tuple[Part, ...] = ()
    """Parts that the earlier score has and the later one has not."""


@dataclass(frozen=True, slots=True)
class _Subject:
    """The subject of a test: all channels, one channel or one part, with the cells of both sides."""

    channel: Channel | None
    part: Part | None
    cells: PairedCells


def baseline(current: Side, newest_first: Iterable[Side]) -> Side | None:
    """Return the latest earlier calculation that shares no answer with the current one."""
    answers = set(current.score.answer_ids)
    return next((side for side in newest_first if answers.isdisjoint(side.score.answer_ids)), None)


def compare(
    before: Side | None, after: Side, part: Part | None = None, comparable: "CommonAnswers | None" = None
) -> ScoreChange:
    """Compare a calculation with an earlier one of the same entity.

    The primary endpoint is the headline score over all common channels at 5%, or presence if the two sides do
    not measure the same parts. Channels and parts are separate families under Holm's correction. If `part`
    was chosen in advance, it is the primary endpoint and parts are not tested. `comparable` are the answers
    of both sides over comparable channels, for callers that have already computed them.
    """
    if before is None:
        return ScoreChange(None, "not_comparable", "no_earlier_calculation")
    obstacle = _obstacle(before, after)
    if obstacle is not None:
        return ScoreChange(None, "not_comparable", obstacle)
    common = sorted(before.channels & after.channels)
    channels_alike = comparable_channels(before, after)
    answers = comparable or common_answers(before, after, channels_alike)
    obstacle = _value_obstacle(before, after)
    endpoint, whole = endpoint_cells(answers, part)
    primary = _test(_Subject(None, part, whole))
    if obstacle is None and part is None and endpoint == "presence":
        obstacle = "basis_changed"
    channels = _test_family([_channel_subject(before, after, channel, part) for channel in channels_alike])
    for channel in common:
        if channel not in channels_alike:
            result = _test(_channel_subject(before, after, channel, part))
            channels.append(replace(result, verdict="not_comparable", reason="served_model_changed"))
    parts = _test_family(_part_subjects(answers)) if part is None else []
    if primary.verdict != "changed":
        parts = [_gated(result) for result in parts]
    value = 100 * primary.delta if obstacle is None and primary.delta is not None else None
    reason = obstacle or primary.reason
    if not channels_alike:
        reason = obstacle or "channels_changed"
    return ScoreChange(
        value=value,
        verdict=primary.verdict,
        reason=reason,
        endpoint=endpoint,
        primary=primary,
        channels=tuple(sorted(channels, key=lambda result: str(result.channel))),
        parts=tuple(parts),
        joined=tuple(name for name in after.score.basis if name not in before.score.basis),
        left=tuple(name for name in before.score.basis if name not in after.score.basis),
    )


def comparable_channels(before: Side, after: Side) -> list[Channel]:
    """Return the channels that both sides queried and that the same models served, in order."""
    common = sorted(before.channels & after.channels)
    return [channel for channel in common if before.served.get(channel) == after.served.get(channel)]


def _obstacle(before: Side, after: Side) -> Reason | None:
    """Return the reason why no test is possible, or None."""
    if _series(before.score.model) != _series(after.score.model):
        return "model_changed"
    if before.analysis != after.analysis:
        return "analysis_changed"
    if (before.country, before.language) != (after.country, after.language):
        return "locale_changed"
    if len(_common_prompts(before, after)) < COMMON_PROMPTS * max(len(before.prompts), len(after.prompts)):
        return "prompts_changed"
    return None


def _series(model: str) -> str:
    """Return `visibility/2.0` for `visibility/2.0.3`, because a patch version changes no number."""
    return model.rpartition(".")[0]


def _common_prompts(before: Side, after: Side) -> set[str]:
    """Return prompts that both sides asked with the same text; an edited prompt is a different one.

    A prompt whose answers are all missing on one side is assumed to be the one that the other side asked.
    """
    same = {prompt for prompt, text in before.prompts.items() if after.prompts.get(prompt) == text}
    lost_before = {prompt for prompt, _ in before.missing} - before.prompts.keys()
    lost_after = {prompt for prompt, _ in after.missing} - after.prompts.keys()
    return same | (lost_before & after.prompts.keys()) | (lost_after & before.prompts.keys())


def _value_obstacle(before: Side, after: Side) -> Reason | None:
    """Return why the two scores cannot be subtracted, although the common channels can still be tested."""
    if before.channels != after.channels:
        missing = before.channels ^ after.channels
        return "degraded" if missing <= before.degraded | after.degraded else "channels_changed"
    if any(before.served.get(channel) != after.served.get(channel) for channel in after.channels):
        return "served_model_changed"
    if before.score.value is None or after.score.value is None:
        return "insufficient_data"
    return None


@dataclass(frozen=True, slots=True)
class CommonAnswers:
    """The answers of both sides over shared cells, plus one-sided answers where the other side's are missing."""

    before: ScoreInputs
    after: ScoreInputs
    only_before: ScoreInputs
    only_after: ScoreInputs
    missing_before: Mapping[CellKey, float]
    missing_after: Mapping[CellKey, float]

    @property
    def weights(self) -> Mapping[Part, float]:
        """Weights of the parts in the headline of both sides; empty if the sides do not measure the same parts."""
        before, after = (
            [side.channels_measuring(part) for part in Part] for side in (self.before, self.after)
        )
        return effective_weights(self.before.measured) if before == after else {}

    def of_part(self, part: Part) -> PairedCells:
        """Return the cells of one part over the channels in which both sides measure it."""
        measuring = self.before.channels_measuring(part) & self.after.channels_measuring(part)
        return self.paired(lambda inputs, _: inputs.cells(part)).restricted(measuring)

    def paired(self, cells: Callable[[ScoreInputs, ScoreInputs], Cells]) -> PairedCells:
        """Return the cells of both sides; one-sided cells matter only when missing answers are filled in.

        `cells` takes the answers to use and the answers of the same side that determine the channel weights.
        """
        return PairedCells(
            {**cells(self.before, self.before), **cells(self.only_before, self.before)},
            {**cells(self.after, self.after), **cells(self.only_after, self.after)},
            self.missing_before,
            self.missing_after,
        )


def endpoint_cells(common: CommonAnswers, part: Part | None = None) -> tuple[Endpoint, PairedCells]:
    """Return the cells of the primary endpoint: the chosen part, else the headline, else presence."""
    if part is not None:
        return part.value, common.of_part(part)
    weights = common.weights
    if weights:
        return "score", common.paired(lambda inputs, whole: inputs.headline_cells(weights, whole))
    return "presence", common.paired(lambda inputs, _: inputs.cells(Part.PRESENCE))


def common_answers(before: Side, after: Side, channels: Sequence[Channel]) -> CommonAnswers:
    """Return the rated answers of both sides over the cells that both queried."""
    prompts = _common_prompts(before, after)
    answers = [_chosen_cells(side.cells, prompts, channels) for side in (before, after)]
    missing = [_chosen_cells(side.missing, prompts, channels) for side in (before, after)]
    in_both = answers[0].keys() & answers[1].keys()
    only = [answers[side].keys() & missing[1 - side].keys() - in_both for side in (0, 1)]

    def inputs(side: int, keys: AbstractSet[CellKey]) -> ScoreInputs:
        of_side = {key: of_cell for key, of_cell in answers[side].items() if key in keys}
        return ScoreInputs.of(replace((before, after)[side].sums, cells=of_side))

    return CommonAnswers(
        inputs(0, in_both), inputs(1, in_both), inputs(0, only[0]), inputs(1, only[1]), missing[0], missing[1]
    )


def _chosen_cells(
    cells: Mapping[CellKey, OfCell], prompts: Collection[str], channels: Collection[Channel]
) -> dict[CellKey, OfCell]:
    """Return the entries of cells with these prompts and channels."""
    return {key: of_cell for key, of_cell in cells.items() if key[0] in prompts and key[1] in channels}


def _part_subjects(common: CommonAnswers) -> list[_Subject]:
    """Return the parts that both sides measure, each over the channels in which both measure it."""
    return [
        _Subject(None, part, common.of_part(part))
        for part in common.before.measured
        if part in common.after.measured
    ]


def _channel_subject(before: Side, after: Side, channel: Channel, part: Part | None) -> _Subject:
    """Return the primary endpoint in one channel."""
    return _Subject(channel, part, endpoint_cells(common_answers(before, after, [channel]), part)[1])


def _test(subject: _Subject) -> ChangeResult:
    """Test one subject on its own."""
    difference = paired_difference(subject.cells.before, subject.cells.after)
    return _too_few(subject) if difference is None else _conclude(subject, difference, 1)


def _test_family(subjects: Sequence[_Subject]) -> list[ChangeResult]:
    """Test a family of subjects; those with too few prompts belong to no family."""
    tested = [(subject, paired_difference(subject.cells.before, subject.cells.after)) for subject in subjects]
    family = [(subject, difference) for subject, difference in tested if difference is not None]
    divisors = holm_levels([difference.p for _, difference in family])
    results = [_too_few(subject) for subject, difference in tested if difference is None]
    return results + [
        _conclude(subject, difference, divisor)
        for (subject, difference), divisor in zip(family, divisors, strict=True)
    ]


def _conclude(subject: _Subject, difference: PairedDifference, divisor: int) -> ChangeResult:
    """Return the verdict of a test at the level left by its family's correction."""
    level = ALPHA / divisor
    interval = difference.interval(divisor)
    verdict: Verdict = "no_detectable_change"
    tipping: int | None = None
    if difference.p < level:
        missing = check_missing(subject.cells, difference, divisor)
        verdict = "changed" if missing.survives else "changed_if_missing_are_alike"
        interval, tipping = missing.interval, missing.tipping
    return ChangeResult(
        channel=subject.channel,
        part=subject.part,
        before=difference.before,
        after=difference.after,
        delta=difference.delta,
        interval=interval,
        level=level,
        p=difference.p,
        prompts=difference.prompts,
        answers_before=round(difference.answers_before),
        answers_after=round(difference.answers_after),
        missing=round(subject.cells.missing),
        tipping=tipping,
        verdict=verdict,
    )


def _too_few(subject: _Subject) -> ChangeResult:
    """Return the result for a subject with fewer than two prompts on both sides."""
    cells = subject.cells
    common = cells.before.keys() & cells.after.keys()
    return ChangeResult(
        channel=subject.channel,
        part=subject.part,
        before=None,
        after=None,
        delta=None,
        interval=None,
        level=None,
        p=None,
        prompts=len({prompt for prompt, _ in common}),
        answers_before=round(sum(cells.before[key].answers for key in common)),
        answers_after=round(sum(cells.after[key].answers for key in common)),
        missing=round(cells.missing),
        tipping=None,
        verdict="not_comparable",
        reason="too_few_prompts",
    )


def _gated(result: ChangeResult) -> ChangeResult:
    """Return a part's result without a verdict, because a part only explains a change of the headline."""
    if result.verdict == "not_comparable":
        return result
    return replace(
        result,
        interval=None,
        level=None,
        p=None,
        tipping=None,
        verdict="no_detectable_change",
        reason="headline_unchanged",
    )
