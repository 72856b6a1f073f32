"""What prompts may gain, all at once as one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.intervention import expected_gain, prompt_gains
from analytics.observation import Channel

CHANNELS = [Channel("chatgpt", "search", "api", "de"), Channel("gemini", "memory", "api", "de")]
PROMPTS = [f"p{number}" for number in range(8)]
VALUES = st.dictionaries(
    st.tuples(st.sampled_from(PROMPTS), st.sampled_from(CHANNELS)),
    st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    max_size=16,
)
TAGS = st.fixed_dictionaries(
    {prompt: st.frozensets(st.sampled_from("abc"), max_size=2) for prompt in PROMPTS}
)


@given(VALUES, TAGS)
def test_all_prompts_at_once_gain_what_each_gains_by_itself(
    values: dict[tuple[str, Channel], float], tags: dict[str, frozenset[str]]
) -> None:
    one_by_one = {
        prompt: gain
        for prompt, own in tags.items()
        if (gain := expected_gain(
            values, {prompt}, {other for other, others in tags.items() if own & others}
        )) is not None
    }  # fmt: skip
    assert prompt_gains(values, tags) == one_by_one


def test_a_gain_is_the_lead_of_the_best_quarter_with_its_interval() -> None:
    """Worked by hand: of 1, .8, .6 and .4 the best two have .9 on average.

    With the pseudo-values 0 and 1 their squared deviations from .7 are .09 + .01 + .49 + .09 = .68; the standard error
    is sqrt(.68 / 3 / 4), and Student's t with one degree of freedom 12.7062. One of five prompts gains .7.
    """
    (channel, _) = CHANNELS
    values = {(name, channel): value for name, value in zip("abcde", (0.2, 1.0, 0.8, 0.6, 0.4), strict=True)}
    gain = expected_gain(values, {"a"}, frozenset("bcde"))
    assert gain is not None
    assert gain.points == pytest.approx(20 * 0.7)
    assert gain.interval == pytest.approx((0.0, 20 * (0.7 + 12.706204736174698 * (0.68 / 3 / 4) ** 0.5)))
    assert gain.comparable == 4


def test_only_answers_that_lack_something_widen_the_interval() -> None:
    """Worked by hand: with own values .2 and 1 only the first lacks .7 of the best two of 1, .8, .6 and .4.

    One of the two prompts of six counts, so the half width is that of the case above over six prompts.
    """
    (channel, _) = CHANNELS
    names = {"a": 0.2, "f": 1.0, "b": 1.0, "c": 0.8, "d": 0.6, "e": 0.4}
    gain = expected_gain({(name, channel): value for name, value in names.items()}, {"a", "f"}, set("bcde"))
    assert gain is not None
    assert gain.points == pytest.approx(100 / 6 * 0.7)
    assert gain.interval == pytest.approx((0.0, 100 / 6 * (0.7 + 12.706204736174698 * (0.68 / 3 / 4) ** 0.5)))
