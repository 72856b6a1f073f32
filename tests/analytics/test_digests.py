from hypothesis import given
from hypothesis import strategies as st

from analytics.digests import IDS_AT_ONCE, canonical_json, digest, inputs_digest


@given(st.lists(st.text(), min_size=1), st.text())
def test_inputs_are_a_set_of_answers_read_by_one_revision(ids: list[str], analysis: str) -> None:
    assert inputs_digest([*ids[::-1], ids[0]], analysis) == inputs_digest(ids, analysis)
    assert inputs_digest(ids, analysis + "x") != inputs_digest(ids, analysis)
    assert inputs_digest([*ids, max(ids) + "x"], analysis) != inputs_digest(ids, analysis)


@given(st.text(), st.sampled_from((0, 1, IDS_AT_ONCE, IDS_AT_ONCE + 1)))
def test_inputs_digest_is_that_of_canonical_json(analysis: str, count: int) -> None:
    ids = [f'"{number:05}é' for number in range(count)]
    assert inputs_digest(ids, analysis) == digest(canonical_json({"analysis": analysis, "answers": ids}))
