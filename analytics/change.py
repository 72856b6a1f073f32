"""Whether something changed between two calculations: a verdict with its tests, not only a difference."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from analytics.digests import inputs_digest, seed_of
from analytics.intervals import (
    ALPHA,
    REPLICATES,
    Interval,
    can_reach_significance,
    central,
    fewest_prompts,
    holm,
    mcnemar,
    newcombe_paired,
    prompt_draws,
    sign_flip,
)
from analytics.observations import Channel, Observation
from analytics.score import Score

COMMON_PROMPTS = 0.8

Verdict: TypeAlias = Literal["changed", "no_detectable_change", "not_comparable"]
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
]


@dataclass(frozen=True, slots=True)
class Side:
    """One calculation with the answers behind it.

    `observations` are the usable ones of the scored entity. `prompts` maps each unbranded prompt id to the
    hash of its text. `analysis` names matcher version and alias set. `served` are the model names that each
    channel reported; `degraded` the channels left out.
    """

    score: Score
    analysis: str
    country: str
    language: str
    prompts: Mapping[str, str]
    served: Mapping[Channel, frozenset[str]]
    observations: Sequence[Observation]
    degraded: frozenset[Channel] = frozenset()

    @property
    def channels(self) -> frozenset[Channel]:
        """Channels with a rated answer."""
        return frozenset(seen.channel for seen in self.observations if seen.rated)


@dataclass(frozen=True, slots=True)
class Row:
    """Presence before and after over paired answers, of one channel or (None) of all comparable channels.

    `delta` = (gained - lost) / pairs. `p_adjusted` is None for a row outside the corrected family. `needed`
    prompts would have to be paired for a verdict, where there are too few.
    """

    channel: Channel | None
    before: float | None
    after: float | None
    delta: float | None
    interval: Interval | None
    p: float | None
    p_adjusted: float | None
    pairs: int
    prompts: int
    verdict: Verdict
    reason: Reason | None = None
    needed: int | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """Difference of two scores, and the verdict of the test on presence.

    `reason` says why there is no `value`, or else why the verdict is "not_comparable". Only a verdict of
    "changed" permits words such as rose or fell.
    """

    value: float | None
    verdict: Verdict
    reason: Reason | None
    rows: tuple[Row, ...] = ()


@dataclass(slots=True)
class _Pairs:
    """Paired answers of one row: named before and after."""

    both: int = 0
    lost: int = 0
    gained: int = 0
    neither: int = 0

    @property
    def total(self) -> int:
        return self.both + self.lost + self.gained + self.neither

    def add(self, before: bool, after: bool) -> None:
        if before:
            self.both, self.lost = self.both + after, self.lost + (not after)
        else:
            self.gained, self.neither = self.gained + after, self.neither + (not after)


_Cells: TypeAlias = dict[tuple[Channel, str], list[tuple[bool, bool]]]


def baseline(current: Side, newest_first: Iterable[Side]) -> Side | None:
    """The latest earlier calculation that shares no answer with the current one."""
    answers = set(current.score.answer_ids)
    return next((side for side in newest_first if answers.isdisjoint(side.score.answer_ids)), None)


def compare(before: Side | None, after: Side, *, replicates: int = REPLICATES) -> Change:
    """Compare a calculation with an earlier one of the same entity.

    Every comparable channel and all of them together are tested on presence, over the prompts both sides
    asked with the same text; Holm's correction holds the family at 5 %.
    """
    if before is None:
        return Change(None, "not_comparable", "no_earlier_calculation")
    obstacle = _obstacle(before, after)
    if obstacle is not None:
        return Change(None, "not_comparable", obstacle)
    cells = _paired_cells(before, after)
    common = sorted(before.channels & after.channels)
    reserved = [channel for channel in common if before.served.get(channel) != after.served.get(channel)]
    comparable = [channel for channel in common if channel not in reserved]
    rows = _tested_rows(cells, comparable, _inputs(before, after), after.score.entity, replicates)
    for channel in reserved:
        row = _row(channel, cells, [channel], _inputs(before, after), after.score.entity, replicates)
        rows.append(replace(row, verdict="not_comparable", reason="served_model_changed"))
    return _concluded(before, after, rows, one_channel=len(common) == 1)


def _obstacle(before: Side, after: Side) -> Reason | None:
    """What forbids even the test."""
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
    """`visibility/1.0` of `visibility/1.0.3`: a patch changes no number."""
    return model.rpartition(".")[0]


def _common_prompts(before: Side, after: Side) -> set[str]:
    """Prompts that both sides asked in the same words; edited words are another question."""
    return {prompt for prompt, text in before.prompts.items() if after.prompts.get(prompt) == text}


def _value_obstacle(before: Side, after: Side) -> Reason | None:
    """What forbids the difference of the two scores, while the common channels can still be tested."""
    if before.channels != after.channels:
        missing = before.channels ^ after.channels
        return "degraded" if missing <= before.degraded | after.degraded else "channels_changed"
    if any(before.served.get(channel) != after.served.get(channel) for channel in after.channels):
        return "served_model_changed"
    if before.score.value is None or after.score.value is None:
        return "insufficient_data"
    return "basis_changed" if before.score.basis != after.score.basis else None


def _concluded(before: Side, after: Side, rows: Sequence[Row], *, one_channel: bool) -> Change:
    ordered = sorted((row for row in rows if row.channel is not None), key=lambda row: str(row.channel))
    overall = next((row for row in rows if row.channel is None), None)
    if one_channel:
        overall = ordered[0]
    elif overall is not None:
        ordered.append(overall)
    obstacle = _value_obstacle(before, after)
    value = None
    if obstacle is None and before.score.value is not None and after.score.value is not None:
        value = after.score.value - before.score.value
    if overall is None:
        return Change(value, "not_comparable", obstacle or "channels_changed", tuple(ordered))
    return Change(value, overall.verdict, obstacle or overall.reason, tuple(ordered))


def _paired_cells(before: Side, after: Side) -> _Cells:
    """Named before and after, over the first k answers of each cell in order of capture; k is the smaller."""
    prompts = _common_prompts(before, after)
    earlier, later = _answers_by_cell(before, prompts), _answers_by_cell(after, prompts)
    return {cell: list(zip(earlier[cell], later[cell], strict=False)) for cell in earlier if cell in later}


def _answers_by_cell(side: Side, prompts: set[str]) -> dict[tuple[Channel, str], list[bool]]:
    cells: dict[tuple[Channel, str], list[bool]] = defaultdict(list)
    for seen in sorted(side.observations, key=lambda seen: (seen.captured_at, seen.answer_id)):
        if seen.rated and seen.prompt_id in prompts:
            cells[seen.channel, seen.prompt_id].append(seen.named)
    return cells


def _inputs(before: Side, after: Side) -> str:
    return inputs_digest((*before.score.answer_ids, *after.score.answer_ids), after.analysis)


def _tested_rows(
    cells: _Cells, channels: Sequence[Channel], inputs: str, entity: str, replicates: int
) -> list[Row]:
    """The family: one row per channel and one for all; a single channel is its own overall row."""
    rows = [_row(channel, cells, [channel], inputs, entity, replicates) for channel in channels]
    if len(channels) > 1:
        rows.append(_row(None, cells, channels, inputs, entity, replicates))
    judged = _judged(rows)
    if len(judged) == 1:
        judged.append(replace(judged[0], channel=None))
    return judged


def _row(
    channel: Channel | None,
    cells: _Cells,
    channels: Sequence[Channel],
    inputs: str,
    entity: str,
    replicates: int,
) -> Row:
    """The test of one row, its verdict still open."""
    table = _Pairs()
    net: dict[str, int] = defaultdict(int)
    weight: dict[str, int] = defaultdict(int)
    for (where, prompt), pairs in cells.items():
        if where in channels:
            for was, now in pairs:
                table.add(was, now)
                net[prompt] += now - was
                weight[prompt] += 1
    if not table.total:
        return Row(channel, None, None, None, None, None, None, 0, 0, "not_comparable", "too_few_prompts")
    prompts = sorted(net)
    changes = [net[prompt] for prompt in prompts]
    one_each = table.total == len(prompts)
    groups = list(zip(changes, (weight[prompt] for prompt in prompts), strict=True))
    return Row(
        channel=channel,
        before=(table.both + table.lost) / table.total,
        after=(table.both + table.gained) / table.total,
        delta=(table.gained - table.lost) / table.total,
        interval=_delta_interval(table, groups, seed_of(entity, f"{inputs}|{channel or 'all'}"), replicates),
        p=mcnemar(table.gained, table.lost) if one_each else sign_flip(changes),
        p_adjusted=None,
        pairs=table.total,
        prompts=len(prompts),
        verdict="no_detectable_change",
    )


def _delta_interval(table: _Pairs, groups: Sequence[tuple[int, int]], seed: int, replicates: int) -> Interval:
    """Newcombe's paired interval, widened to the bootstrap of the net change over whole prompts."""
    low, high = newcombe_paired(table.both, table.lost, table.gained, table.neither)
    if len(groups) < 2:
        return low, high
    changes, pairs = [group[0] for group in groups], [group[1] for group in groups]
    below, above = central(
        sum(map(changes.__getitem__, draw)) / sum(map(pairs.__getitem__, draw))
        for draw in prompt_draws(len(groups), seed, replicates)
    )
    return min(low, below), max(high, above)


def _judged(rows: Sequence[Row]) -> list[Row]:
    """Verdicts of a family: rows that could never reach significance drop out, Holm corrects the rest.

    The rows with the fewest prompts drop first, since each that goes lowers the bar for those that stay. The
    number of prompts is known before any answer is looked at, so this selects nothing by outcome.
    """
    judged = dict(enumerate(rows))
    family = list(judged)
    while family:
        weakest = min(rows[index].prompts for index in family)
        if can_reach_significance(weakest, len(family)):
            break
        needed = fewest_prompts(len(family))
        for index in [index for index in family if rows[index].prompts == weakest]:
            family.remove(index)
            judged[index] = replace(
                rows[index], verdict="not_comparable", reason="too_few_prompts", needed=needed
            )
    ps = [p for index in family if (p := rows[index].p) is not None]
    for index, p in zip(family, holm(ps), strict=True):
        verdict: Verdict = "changed" if p < ALPHA else "no_detectable_change"
        judged[index] = replace(rows[index], verdict=verdict, p_adjusted=p)
    return list(judged.values())
