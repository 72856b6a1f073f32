"""Answers that properties are tested on: some prompts in some channels, asked once or repeatedly, with holes."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

from hypothesis import strategies as st

from analytics.observation import Channel, Observation

CHANNELS = [
    Channel("chatgpt", "visibility"),
    Channel("chatgpt", "readiness", country="DE"),
    Channel("grok", "visibility", "import"),
]
START = datetime(2026, 3, 1, tzinfo=UTC)
SILENT: list[dict[str, Any]] = [{"named": False, "cites_owned": cites} for cites in (False, True)]
NAMING: list[dict[str, Any]] = [
    {"named": True, "cites_owned": cites, **place}
    for cites, place in product(
        (False, True),
        # At these positions no prominence is half a millionth, which floats round up or down.
        [{"rank": rank} for rank in (1, 2, 3, 5, 12, 40)]
        + [{"position": part / 997} for part in (0, 1, 500, 996)],
    )
]
ASIDE: tuple[dict[str, Any], ...] = ({"branded": True}, {"echo": True}, {"custom": True})
"""Of prompts that no rate counts."""


@st.composite
def some_answers(draw: st.DrawFn, prompts: int = 9, most: int = 4) -> list[Observation]:
    """Valid answers of one entity, in cells of none up to so many, or of one each.

    A channel reports its citations always, never or in some answers. The entity may have no site.
    """
    has_site = draw(st.sampled_from([True, True, False]))
    names = [f"p{number}" for number in range(draw(st.integers(5, prompts)))]
    aside = draw(st.dictionaries(st.sampled_from(names[1:]), st.sampled_from(ASIDE), max_size=2))
    repeats = draw(
        st.sampled_from([st.just(1), st.integers(0, 1), st.integers(0, most), st.integers(1, most)])
    )
    found: list[Observation] = []
    for channel in draw(st.lists(st.sampled_from(CHANNELS), min_size=1, unique=True)):
        reporting = draw(st.sampled_from([st.just(True), st.just(False), st.booleans()]))
        for prompt in names:
            for _ in range(draw(repeats)):
                said = draw(st.sampled_from(SILENT) | st.sampled_from(NAMING))
                found.append(
                    Observation(
                        answer_id=f"a{len(found):03}",
                        prompt_id=prompt,
                        channel=channel,
                        captured_at=START + timedelta(seconds=len(found)),
                        citation_measurable=draw(reporting),
                        **said,
                        **aside.get(prompt, {}),
                    )
                )
    return [replace(one, cites_owned=one.cites_owned if has_site else None) for one in found]


@st.composite
def some_markets(draw: st.DrawFn) -> dict[str, list[Observation]]:
    """What the same answers say of a brand and two competitors, which their prompts may name."""
    own = [replace(one, echo=False) for one in draw(some_answers(prompts=7, most=3))]
    market = {"own": own}
    for entity in ("rival", "other"):
        has_site = draw(st.booleans())
        echoing = draw(st.sets(st.sampled_from(["p1", "p2", "p3"]), max_size=1))
        market[entity] = []
        for one in own:
            said = draw(st.sampled_from(SILENT) | st.sampled_from(NAMING))
            plain = replace(one, named=False, rank=None, position=0.0)
            of_entity = replace(plain, **said, echo=one.prompt_id in echoing)
            market[entity].append(of_entity if has_site else replace(of_entity, cites_owned=None))
    return market
