import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from readiness.checks.check import CheckStatus, Group
from readiness.report.score import GroupScore, Mark, Unscored, band, group_score, overall_score
from readiness.survey.site_kind import Kind

STATUSES = st.sampled_from(list(CheckStatus))
MARKS = st.lists(st.tuples(st.integers(0, 20), STATUSES, st.booleans()), max_size=25).map(
    lambda rows: [Mark(f"c{i}", weight, status, gate) for i, (weight, status, gate) in enumerate(rows)]
)


@given(MARKS)
def test_low_score_and_high_stay_in_order_and_between_0_and_100(marks: list[Mark]) -> None:
    score = group_score(marks)
    if score.low is not None and score.high is not None:
        assert 0 <= score.low <= (score.low if score.score is None else score.score) <= score.high <= 100


@given(MARKS, st.integers(0, 20))
def test_a_check_that_does_not_apply_changes_nothing(marks: list[Mark], weight: int) -> None:
    assert group_score([*marks, Mark("more", weight, CheckStatus.NOT_APPLICABLE)]) == group_score(marks)


@given(MARKS, st.data())
def test_turning_a_check_into_a_pass_never_lowers_a_figure(marks: list[Mark], data: st.DataObject) -> None:
    candidates = [index for index, mark in enumerate(marks) if mark.status is not CheckStatus.NOT_APPLICABLE]
    if not candidates:
        return
    index = data.draw(st.sampled_from(candidates))
    better = [
        Mark(m.check_id, m.weight, CheckStatus.PASS, m.gate) if i == index else m for i, m in enumerate(marks)
    ]
    before, after = group_score(marks), group_score(better)
    if before.score is not None:
        assert after.score is not None
        assert after.score >= before.score
    assert before.low is None or (after.low is not None and after.low >= before.low)


def test_halves_round_up_and_bounds_round_outwards() -> None:
    marks = [
        Mark("a", 1, CheckStatus.PASS),
        Mark("b", 1, CheckStatus.WARN),
        Mark("c", 6, CheckStatus.FAIL),
        Mark("d", 1, CheckStatus.UNKNOWN),
    ]
    score = group_score(marks)
    assert (score.score, score.low, score.high) == (math.floor(18.75 + 0.5), 16, 28)
    assert score.coverage == round(8 / 9, 4)


def test_no_score_below_coverage_or_where_nothing_applies() -> None:
    thin = group_score([Mark("a", 59, CheckStatus.PASS), Mark("b", 41, CheckStatus.UNKNOWN)])
    assert (thin.score, thin.reason, thin.low, thin.high) == (None, Unscored.INSUFFICIENT_EVIDENCE, 59, 100)
    assert group_score([Mark("a", 60, CheckStatus.PASS), Mark("b", 40, CheckStatus.UNKNOWN)]).score == 100
    assert group_score([Mark("a", 5, CheckStatus.NOT_APPLICABLE)]).reason is Unscored.NOT_APPLICABLE


def test_a_failed_gate_caps_all_three_figures_and_says_which() -> None:
    score = group_score([Mark("gate", 10, CheckStatus.FAIL, gate=True), Mark("b", 90, CheckStatus.PASS)])
    assert (score.score, score.low, score.high, score.cap_reason) == (59, 59, 59, "gate")


def scored(score: int | None) -> GroupScore:
    return GroupScore(score, score, score, 1.0)


def test_the_overall_score_weighs_journeys_by_type() -> None:
    journeys = {Group.VEHICLE: scored(80), Group.SERVICE: scored(40), Group.HANDOFF: scored(60)}
    dealer = Fraction(45 * 70, 100) + Fraction(55, 100) * (3 * 80 + Fraction(3, 2) * 100) / 6
    assert overall_score(Kind.DEALER, scored(70), journeys).score == math.floor(dealer + Fraction(1, 2))
    shop = Fraction(45 * 70, 100) + Fraction(55, 100) * Fraction(3 * 40 + 2 * 60, 5)
    assert overall_score(Kind.REPAIR_SHOP, scored(70), journeys).score == math.floor(shop + Fraction(1, 2))


def test_the_overall_score_needs_a_type_technical_and_the_main_journey() -> None:
    journeys = {Group.VEHICLE: scored(None), Group.SERVICE: scored(50), Group.HANDOFF: scored(50)}
    assert overall_score(Kind.DEALER, scored(70), journeys).reason is Unscored.NO_MAIN_JOURNEY
    assert overall_score(Kind.REPAIR_SHOP, scored(None), journeys).reason is Unscored.NO_TECHNICAL
    assert overall_score(Kind.UNDETERMINED, scored(70), journeys).reason is Unscored.TYPE_UNDETERMINED


def test_a_main_journey_barely_seen_counts_by_what_was_seen_of_it() -> None:
    seen = GroupScore(None, 10, 100, 0.26, Unscored.INSUFFICIENT_EVIDENCE)
    journeys = {Group.VEHICLE: seen, Group.SERVICE: scored(50), Group.HANDOFF: scored(50)}
    overall = overall_score(Kind.DEALER, scored(70), journeys)
    assert (overall.score, overall.reason) == (math.floor(0.45 * 70 + 0.55 * (30 + 150) / 6 + 0.5), None)


def test_bands_begin_where_they_say() -> None:
    assert [band(score) for score in (0, 39, 40, 59, 60, 79, 80, 100, None)] == [
        "blocked", "blocked", "limited", "limited", "usable", "usable", "ready", "ready", None
    ]  # fmt: skip


def test_nothing_barely_measured_or_script_only_is_called_ready() -> None:
    measured = [Mark("a", 80, CheckStatus.PASS), Mark("b", 20, CheckStatus.UNKNOWN)]
    thin = [Mark("a", 79, CheckStatus.PASS), Mark("b", 21, CheckStatus.UNKNOWN)]
    words = [band(score.score, score.coverage) for score in map(group_score, (measured, thin))]
    assert words == ["ready", "usable"]
    assert band(95, 1.0, readable=False) == "limited"
    assert [band(score, 0.6, readable=False) for score in (20, 50, 70)] == ["blocked", "limited", "limited"]


def test_what_was_measured_of_the_whole_counts_journeys_without_a_score() -> None:
    unseen = GroupScore(None, 10, 100, 0.2, Unscored.INSUFFICIENT_EVIDENCE)
    beside = {Group.VEHICLE: scored(100), Group.SERVICE: unseen, Group.HANDOFF: scored(100)}
    overall = overall_score(Kind.DEALER, scored(100), beside)
    assert overall.coverage == round(0.45 + 0.55 * (3 + 1.5 * 0.2 + 1.5) / 6, 4)
    none = GroupScore(None, None, None, 0.0, Unscored.NOT_APPLICABLE)
    without = {Group.VEHICLE: none, Group.SERVICE: scored(100), Group.HANDOFF: scored(100)}
    assert overall_score(Kind.REPAIR_SHOP, scored(100), without).coverage == 1.0
