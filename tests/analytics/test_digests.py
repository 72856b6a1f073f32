from hypothesis import given
from hypothesis import strategies as st

from analytics.digests import inputs_digest


@given(st.lists(st.text(), min_size=1), st.text())
def test_inputs_are_a_set_of_answers_read_by_one_revision(ids: list[str], analysis: str) -> None:
    assert inputs_digest([*ids[::-1], ids[0]], analysis) == inputs_digest(ids, analysis)
    assert inputs_digest(ids, analysis + "x") != inputs_digest(ids, analysis)
    assert inputs_digest([*ids, max(ids) + "x"], analysis) != inputs_digest(ids, analysis)
