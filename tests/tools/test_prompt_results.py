"""Single prompts: rates, rivals, outcome and change, with the answers that they count."""

from pathlib import Path
from typing import Any

import pytest

from analytics.prompt_results import PromptRate, change_of, named_more_often, outcome_of
from tests.tools.conftest import SCOOTER_PROMPTS, Office, import_answers, scooter_answer

MARCH = {"from": "2026-03-01", "to": "2026-03-31"}


async def results_of(office: Office, **arguments: Any) -> dict[str, Any]:
    """The listed prompts by their text."""
    listed = await office.call("get_prompt_results", brandId="Acme", **{**MARCH, **arguments})
    return {prompt["prompt"]: prompt for prompt in listed["prompts"]}


async def test_prompts_show_rates_rivals_and_outcome(measured: Office) -> None:
    prompts = await results_of(measured)
    assert list(prompts) == ["Which scooter for the city?", "Which scooter is best?"], "largest gap first"
    best = prompts["Which scooter is best?"]
    assert (best["answers"], best["own"]["named"], best["outcome"]) == (3, 1, "tie"), "1 of 3 and 2 of 3"
    assert [(rival["name"], rival["named"], rival["averageRank"]) for rival in best["rivals"]] == [
        ("Zentrix", 2, 1.5)
    ]
    assert best["gap"] == pytest.approx(1 / 3)
    assert best["own"]["interval"]["low"] < 1 / 3 < best["own"]["interval"]["high"]
    assert best["change"]["verdict"] == "not_comparable"


async def test_an_end_that_is_still_to_come_looks_at_the_days_before_today(measured: Office) -> None:
    until_today = await measured.call("get_prompt_results", brandId="Acme", days=28)
    until_then = await measured.call("get_prompt_results", brandId="Acme", days=28, to="2031-12-31")
    assert until_then["overall"]["answers"] == until_today["overall"]["answers"] > 0
    ahead = await measured.call(
        "get_prompt_results", brandId="Acme", **{"from": "2031-01-01"}, to="2031-12-31"
    )
    assert ahead["overall"]["answers"] == 0


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_each_rate_opens_into_the_answers_that_it_counts(measured: Office) -> None:
    for prompt in (await results_of(measured)).values():
        chosen = {"promptId": prompt["promptId"], **MARCH}
        counted = await measured.call("list_answers", brandId="Acme", **chosen)
        naming = await measured.call("list_answers", brandId="Acme", outcome="names_us", **chosen)
        assert (counted["total"], naming["total"]) == (prompt["answers"], prompt["own"]["named"])
        opened = [await measured.call("get_answer", answerId=answer) for answer in prompt["answerIds"]]
        assert all(answer["promptId"] == prompt["promptId"] for answer in opened)


async def test_compact_prompts_keep_rate_outcome_and_the_first_of_each_list(measured: Office) -> None:
    wide = await results_of(measured, byPlatform=True)
    narrow = await results_of(measured, byPlatform=True, detail="compact")
    full, compact = (results["Which scooter is best?"] for results in (wide, narrow))
    assert (full["answerIds"][:1], full["rivals"][:1]) == (compact["answerIds"], compact["rivals"])
    assert len(full["answerIds"]) == 3
    assert [(group["platform"], group["rate"]) for group in compact["platforms"]] == [
        (group["platform"], group["rate"]) for group in full["platforms"]
    ]
    assert {group["interval"] for group in compact["platforms"]} == {None}
    assert (compact["own"], compact["change"]) == (full["own"], full["change"])


async def test_wins_alone_begin_with_the_widest(office: Office, tmp_path: Path) -> None:
    named = {0: 10, 1: 12, 2: 6}
    lines = [
        scooter_answer(
            3, prompt, "chatgpt", "Acme is fine." if repeat < times else "Zentrix is fine.", repeat=repeat,
            source_id=f"{prompt}-{repeat}",
        )
        for prompt, times in named.items()
        for repeat in range(12)
    ]  # fmt: skip
    await import_answers(office, tmp_path / "answers.jsonl", lines)
    won = await results_of(office, outcome="win")
    assert [(text[-3:-1], prompt["gap"]) for text, prompt in won.items()] == [
        ("01", -1.0),
        ("00", pytest.approx(2 / 12 - 10 / 12)),
    ]
    assert [text[-3:-1] for text in await results_of(office, outcome="tie")] == ["02"]


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_outcome_platform_and_competitor_narrow_the_prompts(measured: Office) -> None:
    assert await results_of(measured, outcome="win") == {}
    gemini = await results_of(measured, platform="gemini")
    assert {text: prompt["outcome"] for text, prompt in gemini.items()} == {
        "Which scooter is best?": "absent",
        "Which scooter for the city?": "tie",
    }
    assert set(await results_of(measured, competitor="zENTRIX")) == set(await results_of(measured))
    refused = await measured.call("get_prompt_results", brandId="Acme", competitor="Zentrx")
    assert (refused.code, "Zentrix" in refused.hint) == ("INVALID_PARAMS", True)


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_results_by_engine_are_those_of_the_engine_alone(measured: Office) -> None:
    together = await results_of(measured, byPlatform=True)
    assert all(prompt["platforms"] is None for prompt in (await results_of(measured)).values())
    for text, prompt in together.items():
        assert sum(cell["answers"] for cell in prompt["platforms"]) == prompt["answers"]
        for cell in prompt["platforms"]:
            alone = (await results_of(measured, platform=cell["platform"]))[text]
            assert cell["outcome"] == alone["outcome"]
            assert {name: cell[name] for name in alone["own"]} == alone["own"]
            strongest = alone["rivals"][0] if alone["rivals"] else None
            assert cell["rival"] == (strongest and {name: strongest[name] for name in cell["rival"]})


async def test_an_asked_prompt_without_an_answer_is_not_measured(measured: Office) -> None:
    made = await measured.call(
        "create_prompt_set",
        name="More",
        brandId="Acme",
        prompts=[{"text": "Which helmet?", "tags": ["gear"]}],
    )
    prompts = await results_of(measured, promptSetId=made["promptSetId"], tag="gear")
    assert {text: prompt["outcome"] for text, prompt in prompts.items()} == {"Which helmet?": "not_measured"}
    assert prompts["Which helmet?"]["own"]["rate"] is None


async def test_an_empty_period_says_so_and_is_not_zero(measured: Office) -> None:
    listed = await measured.call(
        "get_prompt_results", brandId="Acme", **{"from": "2025-01-01", "to": "2025-01-31"}
    )
    assert (listed["prompts"], listed["notice"] is None) == ([], False)


@pytest.mark.parametrize(
    ("own", "rivals", "outcome"),
    [
        (PromptRate(0, 0), [], "not_measured"),
        (PromptRate(3, 0), [PromptRate(3, 0)], "absent"),
        (PromptRate(3, 3), [PromptRate(3, 0)], "win"),
        (PromptRate(3, 0), [PromptRate(3, 1), PromptRate(3, 3)], "loss"),
        (PromptRate(3, 2), [PromptRate(3, 2)], "tie"),
        (PromptRate(1, 0), [PromptRate(1, 1)], "tie"),
        (PromptRate(46, 17), [PromptRate(46, 19), PromptRate(46, 10)], "tie"),
        (PromptRate(47, 11), [PromptRate(47, 34)], "loss"),
        (PromptRate(46, 43), [PromptRate(46, 30)], "win"),
    ],
)
def test_outcome_compares_with_the_strongest_rival(
    own: PromptRate, rivals: list[PromptRate], outcome: str
) -> None:
    assert outcome_of(own, rivals) == outcome


def test_a_win_holds_however_many_answers_name_both() -> None:
    for answers in (3, 9, 30):
        for more in range(answers + 1):
            for less in range(more):
                overlaps = range(max(0, more + less - answers), less + 1)
                if named_more_often(more, less, answers):
                    assert all(named_more_often(more, less, answers, both) for both in overlaps)


def test_change_of_a_prompt_agrees_with_newcombes_published_example() -> None:
    # Newcombe 1998, table II, example (a): 56/70 against 48/80, method 10: 0.0524 to 0.3339.
    change = change_of(PromptRate(70, 56), PromptRate(80, 48))
    assert change.interval == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert (change.verdict, change.difference) == ("rose", pytest.approx(0.2))
    assert change_of(PromptRate(80, 48), PromptRate(70, 56)).verdict == "fell"
    assert change_of(PromptRate(2, 2), PromptRate(80, 0)).verdict == "not_comparable"


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_memory_search_and_screen_stand_side_by_side_and_are_never_added(
    measured: Office, tmp_path: Path
) -> None:
    asked = {"prompt": "Which scooter is best?", "captured_at": "2026-03-20T08:00:00Z"}
    page = [{"url": "https://scooters.example/"}]
    lines = [
        {**asked, "platform": "chatgpt", "mode": "visibility", "text": "Zentrix is best."},
        {
            **asked,
            "platform": "google_ai_mode@cloro",
            "mode": "readiness",
            "text": "Acme.",
            "citations": page,
        },
    ]
    await import_answers(measured, tmp_path / "more.jsonl", lines)
    best = (await results_of(measured, byPlatform=True))["Which scooter is best?"]
    assert [(way["way"], way["answers"], way["named"]) for way in best["ways"]] == [
        ("memory", 1, 0),
        ("search", 3, 1),
        ("seen", 1, 1),
    ]
    assert best["ways"][0]["rival"]["name"] == "Zentrix"
    assert best["ways"][1]["interval"]["low"] < 1 / 3 < best["ways"][1]["interval"]["high"]
    assert sum(way["answers"] for way in best["ways"]) == best["answers"] == 5
    assert (await results_of(measured))["Which scooter is best?"]["ways"] is None


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_whole_days_count_the_same_as_their_answers(measured: Office, reads: list[str]) -> None:
    filters: list[dict[str, Any]] = [
        {},
        {"platform": "gemini"},
        {"mode": "readiness"},
        {"competitor": "Zentrix"},
    ]
    march = {"from": "2026-03-01", "to": "2026-03-31"}
    for chosen in filters:
        reads.clear()
        days = await results_of(measured, byPlatform=True, **march, **chosen)
        assert days
        assert not [sql for sql in reads if "answer_readings.measurable" in sql]
        # No answer was captured in the second that is missing here, so that these are the same answers.
        instants = {**march, "from": "2026-03-01T00:00:01Z"}
        assert await results_of(measured, byPlatform=True, **instants, **chosen) == days, chosen
        assert [sql for sql in reads if "answer_readings.measurable" in sql]


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_the_change_is_against_the_period_that_is_given(fallen: Office) -> None:
    whole = {"from": "2026-03-01", "to": "2026-03-31"}
    chosen = {"platform": "gemini", "sort": "rate", "limit": 100}
    since_february = await results_of(
        fallen, **whole, **chosen, compareFrom="2026-02-01", compareTo="2026-02-28"
    )
    lost = [prompt["change"] for prompt in since_february.values() if not prompt["own"]["named"]]
    assert [(change["previousCount"], change["previousAnswers"]) for change in lost] == [(1, 1)] * 10
    since_january = await results_of(
        fallen, **whole, **chosen, compareFrom="2026-01-01", compareTo="2026-01-31"
    )
    assert {prompt["change"]["verdict"] for prompt in since_january.values()} == {"not_comparable"}
    refused = await fallen.call("get_prompt_results", brandId="Acme", **whole, compareTo="2026-03-02")
    assert (refused.code, "overlap" in refused.reason) == ("INVALID_PARAMS", True)


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_a_competitor_share_has_an_interval_and_a_verdict(
    fallen: Office,
) -> None:
    february = {"compareFrom": "2026-02-01", "compareTo": "2026-02-28"}

    async def rival(**arguments: Any) -> Any:
        listed = await fallen.call("get_prompt_results", brandId="Acme", **MARCH, **arguments)
        [zentrix] = listed["overall"]["rivals"]
        return zentrix

    # Never named in February; in March by gemini on 10 of 12 prompts, of 24 answers in all.
    rose = await rival(**february)
    assert (rose["named"], rose["rate"]) == (10, pytest.approx(10 / 24))
    assert rose["interval"]["low"] < 10 / 24 < rose["interval"]["high"]
    assert (rose["change"]["verdict"], rose["change"]["previousCount"]) == ("rose", 0)
    assert rose["change"]["difference"] == pytest.approx(10 / 24)
    assert rose["change"]["interval"]["low"] > 0
    assert (await rival(**february, competitor="Zentrix"))["change"] is None, (
        "the correction counts all competitors"
    )
    # Chatgpt alone never names it; with gemini alone every channel is the same again.
    gemini = await rival(**february, platform="gemini")
    assert gemini["change"]["difference"] == pytest.approx(10 / 12)
    january = await rival(compareFrom="2026-01-01", compareTo="2026-01-31")
    assert (january["change"]["verdict"], january["change"]["reason"]) == (
        "not_comparable",
        "no_earlier_answers",
    )


async def test_a_competitors_change_on_each_prompt_has_a_verdict_or_a_reason(
    office: Office, tmp_path: Path
) -> None:
    # By prompt, in how many of how many answers Zentrix is named in February and in March.
    counts = {
        0: ((0, 6), (6, 6)),
        1: ((6, 6), (0, 6)),
        2: ((3, 6), (3, 6)),
        3: ((0, 0), (6, 6)),
        4: ((2, 2), (6, 6)),
        5: ((6, 6), (0, 0)),
    }
    lines = [
        scooter_answer(
            month, prompt, "chatgpt", "Zentrix is fine." if repeat < named else "Others are.", repeat=repeat,
            source_id=f"{month}-{prompt}-{repeat}",
        )
        for prompt, months in counts.items()
        for month, (named, answers) in zip((2, 3), months, strict=True)
        for repeat in range(answers)
    ]  # fmt: skip
    await import_answers(office, tmp_path / "answers.jsonl", lines)
    february = {"compareFrom": "2026-02-01", "compareTo": "2026-02-28"}
    prompts = await results_of(office, **february, competitor="Zentrix", sort="rivalChange")
    assert [text[-3:-1] for text in list(prompts)[:2]] == ["00", "01"], (
        "largest change of the competitor first"
    )
    changes = {int(text[-3:-1]): prompt["rivals"][0]["change"] for text, prompt in prompts.items()}
    assert {number: (change["verdict"], change["reason"]) for number, change in changes.items()} == {
        0: ("rose", None),
        1: ("fell", None),
        2: ("no_detectable_change", None),
        3: ("not_comparable", "no_earlier_answers"),
        4: ("not_comparable", "too_few_answers"),
    }
    assert (changes[0]["previousCount"], changes[0]["previousAnswers"], changes[0]["difference"]) == (
        0,
        6,
        1.0,
    )
    assert changes[0]["interval"]["low"] > 0 > changes[1]["interval"]["high"]
    named = await results_of(office, **february)
    assert {text[-3:-1] for text, prompt in named.items() if prompt["rivals"]} == {"00", "02", "03", "04"}


async def test_shares_of_rivals_are_not_compared_over_other_channels(office: Office, tmp_path: Path) -> None:
    lines = [
        scooter_answer(month, prompt, platform, "Zentrix is fine.")
        for month, platform in ((2, "chatgpt"), (3, "chatgpt"), (3, "gemini"))
        for prompt in range(SCOOTER_PROMPTS)
    ]
    await import_answers(office, tmp_path / "answers.jsonl", lines)
    asked: dict[str, Any] = {
        "brandId": "Acme",
        **MARCH,
        "compareFrom": "2026-02-01",
        "compareTo": "2026-02-28",
    }
    mixed = await office.call("get_prompt_results", **asked)
    alone = await office.call("get_prompt_results", **asked, platform="chatgpt")
    changes = [result["overall"]["rivals"][0]["change"] for result in (mixed, alone)]
    assert [(change["verdict"], change["reason"]) for change in changes] == [
        ("not_comparable", "channels_changed"),
        ("no_detectable_change", None),
    ]
