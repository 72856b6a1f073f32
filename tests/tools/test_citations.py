"""Cited sources: counts, owners, kinds and the answers behind each, by domain and by page."""

from pathlib import Path
from typing import Any

import pytest

from analytics.answers.source_kinds import kind_of
from tests.tools.conftest import Office, import_answers

MARCH = {"from": "2026-03-01", "to": "2026-03-31"}


async def sources_of(office: Office, **arguments: Any) -> dict[str, Any]:
    """The listed sources by their name."""
    listed = await office.call("get_citations", brandId="Acme", **{**MARCH, **arguments})
    return {citation["source"]: citation for citation in listed["citations"]}


async def test_domains_show_counts_shares_and_owners(measured: Office) -> None:
    listed = await measured.call("get_citations", brandId="Acme", **MARCH)
    owners = {citation["source"]: citation["owner"] for citation in listed["citations"]}
    assert owners == {"acme.com": "own", "zentrix.com": "competitor", "reuters.com": "third_party"}
    assert listed["measurableAnswers"] == 4, "the branded prompt is left out"
    for citation in listed["citations"]:
        assert (citation["answers"], citation["share"], citation["prompts"]) == (1, 0.25, 1)
        assert citation["change"]["verdict"] == "not_comparable"


async def test_a_source_opens_into_an_answer_that_cites_it(measured: Office) -> None:
    for group in ("domain", "url"):
        for source, citation in (await sources_of(measured, groupBy=group)).items():
            [answer_id] = citation["answerIds"]
            answer = await measured.call("get_answer", answerId=answer_id)
            assert any(source in (cited["domain"], cited["url"]) for cited in answer["citations"])
            assert citation["promptIds"] == [answer["promptId"]]


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_when_owner_and_kind_choose_the_sources(measured: Office) -> None:
    assert set(await sources_of(measured, when="rival_named_instead")) == {"zentrix.com"}
    assert set(await sources_of(measured, when="brand_named")) == {"acme.com"}
    assert set(await sources_of(measured, when="nobody_named")) == {"reuters.com"}
    assert set(await sources_of(measured, owner="competitor")) == {"zentrix.com"}
    assert set(await sources_of(measured, kind="editorial")) == {"reuters.com"}
    assert set(await sources_of(measured, groupBy="url", owner="own")) == {"https://acme.com/scooters"}


async def test_no_measured_answer_is_said_and_is_not_zero(measured: Office) -> None:
    listed = await measured.call(
        "get_citations", brandId="Acme", **{"from": "2025-01-01", "to": "2025-01-31"}
    )
    assert (listed["measurableAnswers"], "not measured" in listed["notice"]) == (0, True)


@pytest.mark.parametrize(
    ("domain", "owner", "kind"),
    [
        ("en.wikipedia.org", "third_party", "reference"),
        ("old.reddit.com", "third_party", "forum"),
        ("www.nhtsa.gov", "third_party", "government"),
        ("reddit.com", "owned", "own"),
        ("zentrix.com", "competitor", "competitor"),
        ("notwikipedia.org", "third_party", "other"),
        (None, "third_party", "other"),
    ],
)
def test_the_longest_listed_end_of_a_host_gives_its_kind(domain: str | None, owner: str, kind: str) -> None:
    assert kind_of(domain, owner) == kind


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_the_change_of_a_source_is_against_the_period_that_is_given(measured: Office) -> None:
    days = {"from": "2026-03-02", "to": "2026-03-05"}
    january = {"compareFrom": "2026-01-01", "compareTo": "2026-01-31"}
    just_before = {"from": "2026-02-26", "to": "2026-03-01"}
    before = await measured.call("get_citations", brandId="Acme", **just_before)
    assert before["measurableAnswers"] == 1
    for given, answers in (({}, 1), (january, 0)):
        rows = (await sources_of(measured, **days, **given)).values()
        assert {row["change"]["previousAnswers"] for row in rows} == {answers}


@pytest.mark.parametrize("group", ["domain", "url"])
@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_newest_answers_citing_a_source_are_found_at_any_age(
    office: Office, tmp_path: Path, group: str
) -> None:
    daily, weekly, old = ("https://daily.com/a", "https://weekly.com/b", "https://old.com/c")
    cited = {
        "2026-03-31": [daily],
        "2026-03-30": [daily, weekly],
        "2026-03-27": [daily, weekly],
        "2026-03-20": [daily, weekly],
        "2026-02-10": [weekly, old],
        "2026-01-05": [old],
        "2026-01-04": [old, daily],
        "2026-01-03": [old],
    }
    lines = [
        {
            "platform": "chatgpt",
            "prompt": f"Which scooter suits {day}?",
            "text": "Acme is fine.",
            "captured_at": f"{day}T08:00:00Z",
            "citations": [{"url": url} for url in urls],
        }
        for day, urls in cited.items()
    ]
    await import_answers(office, tmp_path / "answers.jsonl", lines)
    found = await sources_of(office, **{"from": "2026-01-01", "groupBy": group})
    days: dict[str, list[str]] = {}
    for source, citation in found.items():
        opened = [await office.call("get_answer", answerId=each) for each in citation["answerIds"]]
        days[source.removeprefix("https://").partition(".")[0]] = [each["capturedAt"][:10] for each in opened]
    assert days == {
        "daily": ["2026-03-31", "2026-03-30", "2026-03-27"],
        "weekly": ["2026-03-30", "2026-03-27", "2026-03-20"],
        "old": ["2026-02-10", "2026-01-05", "2026-01-04"],
    }


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_a_page_under_several_addresses_is_one_source_that_lists_them(
    office: Office, tmp_path: Path
) -> None:
    bing = "https://www.bing.com/ck/a?!&&p=0&u=a1aHR0cHM6Ly93d3cuYWNtZS5jb20vY2Fmw6kv&ntb=1"
    reported = [
        ["https://acme.com/caf%C3%A9", "http://www.acme.com/caf%c3%a9/?gbraid=1"],
        ["https://acme.com/caf%C3%A9"],
        [bing],
    ]
    in_text = ["See https://www.acme.com/café.", 'See <a href="https://acme.com/café?ref=chatgpt">it</a>.']
    lines = [
        {
            "platform": "chatgpt",
            "prompt": f"Which scooter suits rider {number}?",
            "text": answer,
            "captured_at": f"2026-03-{number + 1:02}T08:00:00Z",
            "citations": [{"url": url} for url in urls],
        }
        for number, (answer, urls) in enumerate(
            [*(("Acme is fine.", urls) for urls in reported), *((answer, []) for answer in in_text)]
        )
    ]
    await import_answers(office, tmp_path / "answers.jsonl", lines)
    [page] = (await sources_of(office, groupBy="url")).values()
    assert (page["source"], page["answers"]) == ("https://acme.com/caf%C3%A9", 3)
    assert page["addresses"][0] == "https://acme.com/caf%C3%A9", "most cited first"
    assert set(page["addresses"]) == {url for urls in reported for url in urls}
    for source in (page["source"], bing):
        listed = await office.call("list_answers", brandId="Acme", source=source, **MARCH)
        assert listed["total"] == 3
    [domain] = (await sources_of(office)).values()
    assert (domain["source"], domain["answers"], domain["addresses"]) == ("acme.com", 5, [])
