"""Share of voice and average rank of two periods: the paired test, its false alarms, and what it does not claim."""

import random
from collections.abc import Mapping, Sequence
from math import isclose

import pytest

from analytics.cell_sums import CellSums
from analytics.change import ChangeResult, ScoreChange
from analytics.market_sums import EntitySums, MarketSums
from analytics.observation import Channel
from analytics.prompt_means import CellKey
from analytics.ratio_change import RatioChange, compare_ratios, ratio_value

A, B = Channel("a", "visibility"), Channel("b", "visibility")
Cells = Mapping[CellKey, CellSums]


def compared_score(missing: int = 0) -> ScoreChange:
    """A score that was compared; nothing of it but that decides."""
    primary = ChangeResult(
        None, None, 0.5, 0.5, 0.0, (-0.1, 0.1), 0.05, 1.0, 10, 30, 30, missing, None, "no_detectable_change"
    )
    return ScoreChange(0.0, "no_detectable_change", None, primary=primary)


def namings(mentions: Sequence[tuple[int, int]] = (), ranks: Sequence[int] = ()) -> CellSums:
    """Sums of a cell from whether each answer names the brand and how many entities it names, and from ranks."""
    return CellSums(
        answers=len(mentions) or len(ranks),
        named=sum(own for own, _ in mentions),
        mentions=sum(every for _, every in mentions),
        mentions_square=sum(every * every for _, every in mentions),
        own_mentions=sum(own * every for own, every in mentions),
        ranked=len(ranks),
        rank_sum=sum(ranks),
        rank_square=sum(rank * rank for rank in ranks),
    )


def named(*own_of: tuple[int, int], channel: Channel = A) -> Cells:
    """Cells from (mentions of the brand, mentions in all) of each prompt, three answers each."""
    return {
        (f"p{number:02}", channel): namings([(own > repeat, every > repeat) for repeat in range(3)])
        for number, (own, every) in enumerate(own_of)
    }


def ranked(*ranks_of: tuple[int, ...]) -> Cells:
    return {(f"p{number:02}", A): namings(ranks=ranks) for number, ranks in enumerate(ranks_of)}


def compare(before: Cells, after: Cells, change: ScoreChange | None = None) -> dict[str, RatioChange]:
    keys = before.keys() & after.keys()
    sides = [MarketSums({"own": EntitySums(cells)}) for cells in (before, after)]
    rows = compare_ratios("own", sides[0], sides[1], keys, change or compared_score())
    return {row.ratio: row for row in rows}


def test_a_share_that_moves_in_every_prompt_changes_by_their_difference() -> None:
    before, after = named(*[(1, 3)] * 12), named(*[(2, 3)] * 12)
    share = compare(before, after)["shareOfVoice"]
    assert (share.verdict, share.before.units, share.after.units) == ("changed", 36, 36)
    assert share.delta is not None
    assert share.interval is not None
    assert isclose(share.delta, 2 / 3 - 1 / 3)
    assert share.interval[0] > 0


def test_nothing_that_moved_leaves_an_interval_around_zero_and_never_none() -> None:
    same = named(*[(3, 3)] * 10)
    share = compare(same, same)["shareOfVoice"]
    assert (share.verdict, share.delta) == ("no_detectable_change", 0)
    assert share.interval is not None
    assert share.interval[0] < 0 < share.interval[1]
    ranks = compare(ranked(*[(1, 1)] * 10), ranked(*[(1, 1)] * 10))["averagePosition"]
    assert ranks.interval is not None
    assert ranks.interval[0] < 0 < ranks.interval[1]


def test_ranks_that_fall_behind_are_a_change_in_places() -> None:
    rank = compare(ranked(*[(1, 2)] * 12), ranked(*[(3, 4)] * 12))["averagePosition"]
    assert (rank.verdict, rank.delta, rank.before.value, rank.after.value) == ("changed", 2, 1.5, 3.5)


def test_missing_answers_leave_a_change_to_those_received() -> None:
    rank = compare(ranked(*[(1, 2)] * 12), ranked(*[(3, 4)] * 12), compared_score(missing=1))[
        "averagePosition"
    ]
    assert rank.verdict == "changed_if_missing_are_alike"


@pytest.mark.parametrize("reason", ["prompts_changed", "locale_changed", "model_changed"])
def test_what_forbids_the_test_of_the_score_forbids_these(reason: str) -> None:
    forbidden = ScoreChange(None, "not_comparable", reason)  # pyright: ignore[reportArgumentType] # any reason
    rows = compare(named(*[(1, 3)] * 12), named(*[(2, 3)] * 12), forbidden)
    assert {(row.verdict, row.interval) for row in rows.values()} == {("not_comparable", None)}
    share = rows["shareOfVoice"]
    assert (share.reason, share.before.value, share.after.value) == (reason, 1 / 3, 2 / 3)


def test_only_cells_of_both_periods_are_compared_and_all_are_shown() -> None:
    before = {**named(*[(1, 3)] * 6), **named(*[(3, 3)] * 6, channel=B)}
    share = compare(before, named(*[(1, 3)] * 6))["shareOfVoice"]
    assert (share.delta, share.verdict) == (0, "no_detectable_change")
    assert share.before.value == (6 + 18) / 36


def test_nobody_named_and_nobody_ranked_is_no_zero() -> None:
    rows = compare(named(*[(0, 0)] * 6), named(*[(0, 0)] * 6))
    assert [(row.after.value, row.verdict, row.reason) for row in rows.values()] == [
        (None, "not_comparable", "insufficient_data")
    ] * 2


def market(chance: random.Random, prompts: int, repeats: int, own: list[float], mean: list[float]) -> Cells:
    """Answers of two channels that name the brand and three rivals by chance, and rank it about a mean place."""
    cells: dict[CellKey, CellSums] = {}
    for prompt in range(prompts):
        for channel in (A, B):
            answers = [
                (chance.random() < own[prompt], sum(chance.random() < 0.4 for _ in range(3)))
                for _ in range(repeats)
            ]
            ranks = [max(1, round(chance.gauss(mean[prompt], 1))) for is_named, _ in answers if is_named]
            mentions = [(int(is_named), int(is_named) + others) for is_named, others in answers]
            cells[f"p{prompt:02}", channel] = namings(mentions, ranks)
    return cells


def test_unchanged_markets_rarely_alarm_and_intervals_hold_the_truth() -> None:
    chance = random.Random(20)
    trials, alarms, missed = 300, {"shareOfVoice": 0, "averagePosition": 0}, 0
    for _ in range(trials):
        own = [chance.betavariate(1, 2) for _ in range(20)]
        mean = [1 + 3 * chance.random() for _ in range(20)]
        before, after = (market(chance, 20, 3, own, mean) for _ in range(2))
        for name, row in compare(before, after).items():
            alarms[name] += row.p is not None and row.p < 0.05
        many = ratio_value(market(chance, 20, 40, own, mean), "averagePosition").value
        pair = ratio_value(before, "averagePosition").intervals
        assert pair is not None
        assert many is not None
        missed += not pair.these_prompts[0] <= many <= pair.these_prompts[1]
    # 5 % of 300 are 15; three standard deviations above are 26.
    assert max(alarms.values()) <= 26, alarms
    assert missed <= 35, "the truth is itself an estimate here, so that a few more than one in twenty are out"


def test_the_interval_of_a_mean_rank_is_worked_out_from_its_repeats() -> None:
    # Eight ranks of mean 3.25; with four more half a place away their variance is 34.5 / 12 = 2.875, over 8 .359375.
    # Within prompts it is 1.5 / 6 = .25, over 8 .03125; of both: (2 * .03125 + .359375) / 3 = .375 squared.
    value = ratio_value(ranked((1, 1, 1, 2), (5, 5, 5, 6)), "averagePosition")
    assert (value.value, value.units) == (3.25, 8)
    assert value.intervals is not None
    low, high = value.intervals.these_prompts
    assert isclose(low, 3.25 - 1.959964 * 0.375, abs_tol=1e-6)
    assert isclose(high, 3.25 + 1.959964 * 0.375, abs_tol=1e-6)


def test_the_interval_of_a_mean_rank_for_all_such_questions_is_students() -> None:
    # Ten prompts of means 1.25 and 5.25: their spread is 40 / 9; that of single ranks 168.5 / 44, over 40 .0957386.
    # (10 * 4.4444444 + 10 * .0957386) / 11 / 10 = .4127439; Student's 2.262157 at nine degrees of freedom.
    value = ratio_value(ranked(*[(1, 1, 1, 2), (5, 5, 5, 6)] * 5), "averagePosition")
    assert value.intervals is not None
    assert value.intervals.all_questions is not None
    low, high = value.intervals.all_questions
    assert isclose(low, 3.25 - 2.262157 * 0.4127439**0.5, abs_tol=1e-5)
    assert isclose(high, 3.25 + 2.262157 * 0.4127439**0.5, abs_tol=1e-5)


def test_the_interval_of_a_share_ends_at_one_that_of_a_rank_does_not() -> None:
    rank = compare(ranked(*[(1, 2)] * 12), ranked(*[(3, 4)] * 12))["averagePosition"]
    share = compare(named(*[(0, 3)] * 12), named(*[(3, 3)] * 12))["shareOfVoice"]
    assert rank.interval is not None
    assert share.interval is not None
    assert rank.interval[1] > 2
    assert share.interval[1] == 1
