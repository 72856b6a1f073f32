import pytest

from analytics.audit_sample import AuditCandidate, AuditLabel, draw, report

CANDIDATES = [AuditCandidate(key, f"p{key // 10}", key % 3 == 0) for key in range(400)]


def test_a_sample_is_half_named_with_two_answers_of_a_question_at_most() -> None:
    chosen = set(draw(CANDIDATES, 40, 7))
    drawn = [candidate for candidate in CANDIDATES if candidate.key in chosen]
    assert sum(candidate.named for candidate in drawn) == 20
    assert len(drawn) == 40
    prompts = [candidate.prompt for candidate in drawn]
    assert max(map(prompts.count, prompts)) == 2


def test_the_same_seed_draws_the_same_answers_whatever_their_order() -> None:
    assert draw(CANDIDATES, 40, 7) == draw(CANDIDATES[::-1], 40, 7) != draw(CANDIDATES, 40, 8)


def test_labels_give_the_published_correction_and_a_recall_weighted_back() -> None:
    labels = [AuditLabel(True, number >= 6) for number in range(60)]
    labels += [AuditLabel(False, number < 2) for number in range(60)]
    result = report(labels, 0.40, (0.30, 0.51))
    assert result.precision is not None
    assert result.corrected is not None
    assert result.precision.share == pytest.approx(0.9)
    assert result.recall == pytest.approx(0.36 / (0.36 + 0.02))
    assert result.corrected.rate == pytest.approx(0.38, abs=5e-5)
    assert result.corrected.interval == pytest.approx((0.2711, 0.5020), abs=5e-5)


def test_tones_agree_only_where_both_judged() -> None:
    labels = [
        AuditLabel(True, True, "positive", "positive"),
        AuditLabel(True, True, "neutral", "negative"),
        AuditLabel(True, True, None, "negative"),
        AuditLabel(True, True, "positive", None),
    ]
    result = report(labels, 0.5, (0.4, 0.6))
    assert result.tone is not None
    assert (result.tone.share, result.tone.of) == (0.5, 2)
    assert result.recall is None
    assert result.corrected is None
