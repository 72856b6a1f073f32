from collections import Counter

import pytest

from bench.evaluation import EvaluationCase, Tally, cases, evaluate

CASES = list(cases())
LANGUAGES = sorted({case.language for case in CASES})
LEAST = 0.95
LEAST_RANKS = 0.9
LEAST_NEGATED = 0.9


def tally(chosen: list[EvaluationCase]) -> Tally:
    return sum(map(evaluate, chosen), Tally())


def test_the_set_has_three_hundred_answers_in_fifteen_languages() -> None:
    counts = Counter(case.language for case in CASES)
    assert len(CASES) >= 300
    assert sum(count >= 15 for count in counts.values()) >= 15
    assert sum(case.part == "hard" for case in CASES) >= 200


def test_every_label_is_of_a_tracked_brand() -> None:
    for case in CASES:
        labels = {*case.named, *(case.absent or ()), *(case.ranks or ())}
        assert labels <= set(case.brands), case.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_read_with_the_promised_precision_and_recall(language: str) -> None:
    result = tally([case for case in CASES if case.language == language])
    assert result.right >= LEAST * (result.right + result.wrong), result.failures
    assert result.right >= LEAST * (result.right + result.missed), result.failures
    assert result.ranked_right >= LEAST_RANKS * result.ranked, result.failures
    assert result.absences_right >= LEAST_NEGATED * result.absences, result.failures
