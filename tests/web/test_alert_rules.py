"""Alert rules: a crossed threshold is a notification once, until the value has come back."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.web.conftest import Person, Running, captured
from tests.web.test_design import import_lines


async def add_rule(person: Person, metric: str, direction: str, threshold: str) -> int:
    """Add a rule on the page of monitors; return the status."""
    page = f"/brands/{person.brand}/monitors"
    return (
        await person.submit(page, {"metric": metric, "direction": direction, "threshold": threshold})
    ).status_code


async def measure_now(person: Person, service: Running, folder: Path, hours_ago: int, named: int) -> None:
    """Import answers of a moment today or yesterday."""
    day = datetime.now(UTC) - timedelta(hours=hours_ago)
    lines = [
        {**line, "source_id": f"{hours_ago}-{number}"} for number, line in enumerate(captured(day, named))
    ]
    await import_lines(person, service, folder, lines)


async def alerts(person: Person) -> list[str]:
    rows = (await person.http.get("/notifications.json")).json()
    return [row["title"] for row in rows if "rose above" in row["title"] or "fell below" in row["title"]]


async def test_a_crossed_threshold_notifies_once_until_the_value_is_back(
    measured: Person, service: Running, tmp_path: Path
) -> None:
    assert await add_rule(measured, "shareOfVoice", "below", "10") == 303
    for hours_ago, named, told in ((9, 8, 0), (7, 0, 1), (5, 0, 1), (3, 8, 1), (1, 0, 2)):
        await measure_now(measured, service, tmp_path, hours_ago, named)
        assert await alerts(measured) == ["Share of voice of Acme fell below 10%"] * told
    page = (await measured.http.get(f"/brands/{measured.brand}/monitors")).text
    assert "Share of voice falls below 10%" in page
    assert '<span class="tag warn">crossed</span>' in page
    [remove] = re.findall(r'action="([^"]+/remove)"', page)
    assert (await measured.submit(f"/brands/{measured.brand}/monitors", {}, remove)).status_code == 303
    assert "falls below 10%" not in (await measured.http.get(f"/brands/{measured.brand}/monitors")).text


@pytest.mark.parametrize("threshold", ["", "much", "-1", "101", "nan", "inf"])
async def test_a_threshold_that_is_no_number_is_explained_and_stays_typed(
    measured: Person, threshold: str
) -> None:
    page = f"/brands/{measured.brand}/monitors"
    fields = {"metric": "citationRate", "direction": "above", "threshold": threshold}
    answer = await measured.submit(page, fields)
    assert answer.status_code == 422
    assert "Enter a number from 0 to 100." in answer.text
    assert '<option value="citationRate" selected>' in answer.text
