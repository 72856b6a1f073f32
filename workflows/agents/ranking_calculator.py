"""Says who leads the brand on the same answers, and whether the lead can be told from chance."""

from collections.abc import Mapping
from typing import Any

from analytics.metrics import MetricName, shown
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Result, Work
from workflows.agents.measured import measured
from workflows.calculating import EVERY_PLATFORM
from workflows.errors import AgentFailed


async def run(work: Work) -> Result:
    """Give the ranking in force, every row with its score. Fails with `no_input` when nothing was measured yet."""
    await measured(work)
    found = await work.workspace.results.rankings(work.brand.key, 1)
    if not found:
        raise AgentFailed("no_input")
    table = found[0].rankings[EVERY_PLATFORM]
    rows: list[dict[str, Any]] = table["rows"]
    findings = tuple(leader(work.brand.name, row, rows) for row in ahead(rows))
    output = {"status": table["status"], "basis": table["basis"], "answers": table["answers"], "rows": rows}
    own = next((row for row in rows if row["isBrand"]), None)
    place = f"{work.brand.name} is number {own['rank']} of {len(rows)}." if own else "Nobody could be ranked."
    return Result(output, place, findings)


def ahead(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows above the brand whose lead is no tie; rows are sorted, best first."""
    above: list[dict[str, Any]] = []
    for row in rows:
        if row["isBrand"]:
            return above if not row["tiedWithAbove"] else above[: first_tied(above)]
        above.append(row)
    return []


def first_tied(above: list[dict[str, Any]]) -> int:
    """Return where the chain of ties that ends at the brand begins."""
    at = len(above) - 1
    while at > 0 and above[at]["tiedWithAbove"]:
        at -= 1
    return at


def leader(brand: str, row: Mapping[str, Any], rows: list[dict[str, Any]]) -> FindingDraft:
    """Tell of a competitor that is named more."""
    own = next(one for one in rows if one["isBrand"])
    detail = (
        f"On the same answers {row['name']} scores {shown(MetricName.VISIBILITY_SCORE, row['rankingScore'])} and "
        f"{brand} {shown(MetricName.VISIBILITY_SCORE, own['rankingScore'])} of 100."
    )
    evidence = [{"type": "competitor", "id": row["entityId"], "excerpt": row["name"]}]
    title = f"{row['name']} is ahead of {brand}"
    return FindingDraft("warning", "visibility", title, detail, evidence)
