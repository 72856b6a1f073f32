"""The list of mentions under the filters that all analytics share, on both databases."""

from pathlib import Path
from typing import Any

import pytest

from tests.tools.conftest import Office, import_answers, scooter_answer

SAYINGS = (
    ("chatgpt", "Acme is fine."),
    ("gemini", "Acme is fine."),
    ("gemini", "Acme is fine."),
    ("chatgpt", "Zentrix is fine."),
)


@pytest.fixture
async def quoted(office: Office, tmp_path: Path) -> tuple[Office, str]:
    """Acme is named on the first three days of March; the questions of the first two belong to a set."""
    lines = [scooter_answer(3, day, platform, text) for day, (platform, text) in enumerate(SAYINGS)]
    first, second, *_ = (line["prompt"] for line in lines)
    made = await office.call(
        "create_prompt_set",
        name="Buyers",
        brandId="Acme",
        prompts=[
            {"text": first, "tags": ["price"], "intent": "compare"},
            {"text": second, "tags": ["low price"], "intent": "learn"},
        ],
    )
    await import_answers(office, tmp_path / "answers.jsonl", lines)
    return office, made["promptSetId"]


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_filters_narrow_the_mentions_and_pages_partition_them(quoted: tuple[Office, str]) -> None:
    office, set_id = quoted

    async def days(**arguments: Any) -> list[int]:
        listed = await office.call("get_brand_mentions", brandId="Acme", **arguments)
        found = [int(mention["capturedAt"][8:10]) for mention in listed["mentions"]]
        assert listed["total"] == len(found)
        assert (listed["notice"] == "No mention of the brand matches these filters.") is (not found)
        return found

    assert await days() == [3, 2, 1]
    assert await days(mode="visibility") == [3, 2, 1]
    assert await days(mode="readiness") == []
    assert await days(platform="GEMINI", mode="visibility") == [3, 2]
    assert await days(promptSetId=set_id) == [2, 1]
    assert await days(promptSetId=set_id, platform="gemini") == [2]
    assert await days(tag="price") == [1]
    assert await days(intent="learn", mode="visibility") == [2]
    assert await days(**{"from": "2026-03-02", "to": "2026-03-03"}) == [3, 2]
    assert await days(**{"from": "2026-03-02T08:00:01Z"}, platform="gemini") == [3]
    assert await days(to="2026-03-01", tag="price") == [1]
    assert await days(to="2026-02-28") == []
    pages = [
        await office.call("get_brand_mentions", brandId="Acme", to="2026-03-03", limit=2, offset=offset)
        for offset in (0, 2)
    ]
    assert [page["total"] for page in pages] == [3, 3]
    assert len({mention["answerId"] for page in pages for mention in page["mentions"]}) == 3


async def test_a_filter_that_names_what_is_not_there_is_refused(quoted: tuple[Office, str]) -> None:
    office, set_id = quoted
    refusals: tuple[tuple[dict[str, str], str], ...] = (
        ({"platform": "chatgtp"}, "no platform has this name"),
        ({"tag": "prices"}, "no tag has this name"),
        ({"intent": "lear"}, "no intent has this name"),
        ({"from": "2026-03-02", "to": "2026-03-01"}, "from is not before to"),
        ({"promptSetId": "none"}, "prompt set not found"),
    )
    for arguments, words in refusals:
        refused = await office.call("get_brand_mentions", brandId="Acme", **arguments)
        assert words in refused.message, arguments
    theirs = await office.call("get_brand_mentions", "theirs", brandId="Other", promptSetId=set_id)
    assert theirs.code == "NOT_FOUND"
