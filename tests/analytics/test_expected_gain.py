"""What prompts may gain, all at once as one by one."""

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
