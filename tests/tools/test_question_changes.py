"""Changes of a question set, told where a trend or a comparison crosses them."""

from datetime import UTC, datetime
from typing import Any

import pytest

from storage.ids import new_id
from tests.tools.conftest import Office

pytestmark = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
MARCH = {"from": "2026-03-01", "to": "2026-03-31"}
PERIODS = {**MARCH, "compareFrom": "2026-02-01", "compareTo": "2026-02-28"}


async def ask(office: Office, set_id: str, day: str) -> None:
    """Measure a brand with a set as it is now, on a day."""
    async with office.database.transaction(office.companies["ours"]) as workspace:
        brand = await workspace.brands.find("Acme")
        asked = await workspace.prompt_sets.find(set_id)
        assert brand is not None
        assert asked is not None
        batch = await workspace.batches.open(
            new_id(),
            brand.key,
            [],
            source="api",
            plan_sha256="0" * 64,
            prompt_set=(asked.key, asked.version),
            now=datetime.fromisoformat(day).replace(hour=8, tzinfo=UTC),
        )
        await workspace.batches.close(batch.key, "success", [], office.now())


async def make_set(office: Office, name: str) -> str:
    made = await office.call(
        "create_prompt_set", name=name, brandId="Acme", prompts=[{"text": f"Which scooter is {name}?"}]
    )
    return made["promptSetId"]


async def test_a_comparison_and_a_trend_say_when_other_questions_were_asked(measured: Office) -> None:
    buyers = await make_set(measured, "Buyers")
    await ask(measured, buyers, "2026-02-03")
    await ask(measured, buyers, "2026-03-10")
    await measured.call("update_prompt_set", promptSetId=buyers, prompts=[{"text": "Which one lasts?"}])
    await ask(measured, buyers, "2026-03-17")
    await ask(measured, buyers, "2026-03-24")
    riders = await make_set(measured, "Riders")
    await ask(measured, riders, "2026-03-24")
    said = [("2026-03-17", "Buyers", 2, False), ("2026-03-24", "Riders", 1, True)]

    def told(result: Any) -> list[tuple[str, str, int, bool]]:
        return [(row["day"], row["name"], row["version"], row["added"]) for row in result["questionChanges"]]

    compared = await measured.call("compare_periods", brandId="Acme", **PERIODS)
    cited = await measured.call("get_citations", brandId="Acme", **PERIODS)
    trend = {"brandId": "Acme", "metricName": "mentionCount", "context": True}
    drawn = await measured.call("get_metric_trend", **trend, **MARCH)
    assert (told(compared), told(cited), told(drawn)) == (said, said, said)
    of_one = await measured.call("compare_periods", brandId="Acme", **PERIODS, promptSetId=riders)
    assert told(of_one) == said[1:]
    later = {"from": "2026-03-24", "to": "2026-03-31", "compareFrom": "2026-03-17", "compareTo": "2026-03-23"}
    crossed = await measured.call("compare_periods", brandId="Acme", **later)
    assert told(crossed) == said[1:], "the first day of the earlier period begins with the new questions"
    assert told(await measured.call("get_metric_trend", **{**trend, "context": False}, **MARCH)) == []


async def test_questions_that_stay_are_no_change(measured: Office) -> None:
    buyers = await make_set(measured, "Buyers")
    await ask(measured, buyers, "2026-02-03")
    await measured.call("update_prompt_set", promptSetId=buyers, name="Customers", repeats=5)
    await ask(measured, buyers, "2026-03-10")
    assert (await measured.call("compare_periods", brandId="Acme", **PERIODS))["questionChanges"] == []
