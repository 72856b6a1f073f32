from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pytest

from analytics.observation import Channel, Observation
from analytics.rankings import EntityRank, Ranking, with_changes
from analytics.score_inputs import Part
from tests.analytics.observed import rank, rank_each, score

Make = Callable[..., Observation]
Field = Callable[..., dict[str, list[Observation]]]


@pytest.fixture
def field(seen: Make, memory: Channel) -> Field:
    """Observations of several entities on the same answers, from how many of the prompts name each."""

    def make(
        named: Mapping[str, int], prompts: int = 20, channel: Channel = memory
    ) -> dict[str, list[Observation]]:
        first = [seen(f"p{i:02}", channel) for i in range(prompts)]
        return {
            entity: [replace(one, named=i < count) for i, one in enumerate(first)]
            for entity, count in named.items()
        }

    return make


def order(ranking: Ranking) -> list[tuple[str, int]]:
    return [(row.entity, row.rank) for row in ranking.rows]


def test_entities_are_ranked_by_score_and_equal_scores_share_a_rank(field: Field) -> None:
    ranking = rank("acme", field({"acme": 5, "bravo": 9, "charlie": 5, "delta": 0}))
    assert order(ranking) == [("bravo", 1), ("acme", 2), ("charlie", 2), ("delta", 4)]
    assert [row.presence for row in ranking.rows] == [0.45, 0.25, 0.25, 0.0]
    assert ranking.rows[3].score == 0.0
    assert (ranking.leader, ranking.status, ranking.confidence) == ("bravo", "measured", "low")


def test_platforms_ranked_together_rank_as_each_does_alone(field: Field) -> None:
    claude, gemini = (Channel(platform, "visibility", country="US") for platform in ("claude", "gemini"))
    there = field({"acme": 5, "bravo": 9, "charlie": 12}, channel=claude)
    here = field({"acme": 14, "bravo": 3, "charlie": 12}, prompts=16, channel=gemini)
    found = {
        entity: [*there[entity], *(replace(seen, answer_id=f"g-{seen.answer_id}") for seen in here[entity])]
        for entity in there
    }
    found["acme"][1] = replace(found["acme"][1], citation_measurable=True, cites_owned=True)
    found["bravo"][3] = replace(found["bravo"][3], echo=True)
    earlier = {entity: seen[:4] for entity, seen in there.items()}
    everywhere, on_each = rank_each("acme", found, ["claude", "gemini", "grok"], earlier)
    assert everywhere == rank("acme", found, earlier=earlier)
    assert on_each == {
        platform: rank("acme", found, platform=platform, earlier=earlier)
        for platform in ("claude", "gemini", "grok")
    }
    assert [ranking.status for ranking in on_each.values()] == ["measured", "measured", "not_measured"]
    assert on_each["claude"].leader == "charlie"
    assert on_each["gemini"].leader == "acme"


def test_only_answers_to_prompts_that_name_nobody_count(field: Field) -> None:
    found = field({"acme": 10, "bravo": 10})
    found["acme"][0] = replace(found["acme"][0], branded=True, echo=True)
    found["bravo"][1] = replace(found["bravo"][1], echo=True)
    for entity, seen in found.items():
        found[entity] = [replace(one, custom=True) if i == 2 else one for i, one in enumerate(seen)]
    ranking = rank("acme", found)
    assert (ranking.answers, ranking.prompts) == (17, 17)
    assert {row.presence for row in ranking.rows} == {7 / 17}


def test_the_basis_is_what_is_measured_for_everyone(field: Field) -> None:
    found = field({"acme": 20, "bravo": 20})
    found["acme"] = [
        replace(observation, citation_measurable=True, cites_owned=True) for observation in found["acme"]
    ]
    found["bravo"] = [replace(observation, citation_measurable=True) for observation in found["bravo"]]
    ranking = rank("acme", found)
    assert ranking.basis == (Part.PRESENCE, Part.PROMINENCE)
    assert ranking.rows[0].score == ranking.rows[1].score == pytest.approx(100 * (0.5 + 0.25 * 0.25) / 0.75)
    assert score("acme", found["acme"], "r1").basis == (Part.PRESENCE, Part.PROMINENCE, Part.CITATION)


def test_neighbours_are_tied_when_their_difference_may_be_nothing(field: Field) -> None:
    clear = rank("acme", field({"acme": 4, "bravo": 18}))
    close = rank("acme", field({"acme": 9, "bravo": 10}))
    equal = rank("acme", field({"acme": 0, "bravo": 0}))
    assert [row.tied_with_above for row in clear.rows] == [False, False]
    assert [row.tied_with_above for row in close.rows] == [False, True]
    assert [row.tied_with_above for row in equal.rows] == [False, True]


def test_the_gap_is_that_of_the_leader_over_the_brand(field: Field) -> None:
    behind = rank("acme", field({"acme": 4, "bravo": 18}))
    ahead = rank("acme", field({"acme": 18, "bravo": 4}))
    assert behind.gap is not None
    assert 0 < behind.gap[0] < behind.rows[0].score - behind.rows[1].score < behind.gap[1]
    assert ahead.gap is None


def test_platform_restricts_to_its_channels(field: Field, search: Channel) -> None:
    in_memory, in_search = field({"acme": 20, "bravo": 0}), field({"acme": 0, "bravo": 20}, channel=search)
    observations = {entity: in_memory[entity] + in_search[entity] for entity in in_memory}
    assert order(rank("acme", observations, platform="chatgpt"))[0] == ("acme", 1)
    assert order(rank("acme", observations, platform="perplexity"))[0] == ("bravo", 1)
    assert rank("acme", observations, platform="grok").status == "not_measured"


@pytest.mark.parametrize("found", [{}, {"acme": list[Observation]()}])
def test_nothing_measured_ranks_nobody(found: Mapping[str, Sequence[Observation]]) -> None:
    ranking = rank("acme", found)
    assert (ranking.status, ranking.rows, ranking.leader, ranking.gap) == ("not_measured", (), None, None)


def test_too_few_answers_rank_nobody(field: Field) -> None:
    assert rank("acme", field({"acme": 4, "bravo": 1}, prompts=9)).status == "insufficient_data"
    assert rank("acme", field({"acme": 4, "bravo": 1}, prompts=9)).rows == ()


def moves(ranking: Ranking) -> dict[str, tuple[int | None, int | None, str]]:
    return {row.entity: (row.previous_rank, row.rank_change, row.direction) for row in ranking.rows}


def test_rank_changes_are_previous_minus_present(field: Field) -> None:
    before = rank("acme", field({"acme": 2, "bravo": 9, "charlie": 5}))
    after = with_changes(rank("acme", field({"acme": 12, "bravo": 9, "charlie": 1})), before)
    assert moves(after) == {"acme": (3, 2, "up"), "bravo": (1, -1, "down"), "charlie": (2, -1, "down")}


def test_nobody_moves_because_another_entity_joined_or_left(field: Field) -> None:
    before = rank("acme", field({"acme": 5, "bravo": 9, "gone": 20}))
    after = with_changes(rank("acme", field({"acme": 5, "bravo": 9, "joined": 20})), before)
    assert moves(after) == {"joined": (None, None, "new"), "bravo": (2, 0, "same"), "acme": (3, 0, "same")}


def test_without_a_comparable_earlier_ranking_everyone_is_new(field: Field) -> None:
    ranking = rank("acme", field({"acme": 5, "bravo": 9}))
    other_basis = replace(ranking, basis=(Part.PRESENCE,))
    for previous in (None, other_basis, replace(ranking, model="visibility/4.0.0")):
        assert {row.direction for row in with_changes(ranking, previous).rows} == {"new"}
    patched = with_changes(ranking, replace(ranking, model="visibility/3.0.7"))
    assert {row.direction for row in patched.rows} == {"same"}


def test_a_ranking_row_reads_back_its_identity(field: Field) -> None:
    before = rank("acme", field({"acme": 2, "bravo": 9, "charlie": 5}))
    after = with_changes(rank("acme", field({"acme": 12, "bravo": 9, "charlie": 1})), before)

    def holds(row: EntityRank) -> bool:
        return row.previous_rank is not None and row.rank_change == row.previous_rank - row.rank

    assert all(holds(row) for row in after.rows)
