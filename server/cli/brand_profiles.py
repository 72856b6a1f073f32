"""Brand profiles: made, changed, proposed from a site, and shown with the score and its trend."""

import json
from collections.abc import Sequence, Set
from pathlib import Path
from typing import Any, cast

from measurement.errors import InvalidFile
from server.cli.charts import bounds, sparkline
from server.cli.option_groups import ProfileFields
from server.cli.output import Output
from server.cli.tool_caller import ToolCaller

TREND_DAYS = 90


def read_fields(path: Path) -> dict[str, Any]:
    """Return the fields of a JSON object in a file. Raises InvalidFile."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidFile(path.name, None, f"it cannot be read as JSON: {error}") from error
    if not isinstance(fields, dict):
        raise InvalidFile(path.name, None, "it is not a JSON object of fields")
    return cast(dict[str, Any], fields)


async def create_brand(tools: ToolCaller, output: Output, name: str | None, profile: ProfileFields) -> None:
    """Store a new profile, or print what its site proposes."""
    changes, as_written = _changes(profile, name)
    print_change(output, await tools.call("create_brand_profile", as_written, **changes))


async def update_brand(
    tools: ToolCaller,
    output: Output,
    brand: str,
    name: str | None,
    profile: ProfileFields,
    added: Sequence[str],
) -> None:
    """Change the fields that were given; competitors that are `added` join those there are."""
    changes, as_written = _changes(profile, name)
    changes["brandId"] = await tools.brand_id(brand)
    if added:
        changes["addCompetitors"] = [{"name": rival} for rival in added]
    print_change(output, await tools.call("update_brand_profile", as_written, **changes))


def _changes(profile: ProfileFields, name: str | None) -> tuple[dict[str, Any], Set[str]]:
    """Return what was said of a profile, and which fields of it only the file says."""
    said = profile.arguments() if name is None else {**profile.arguments(), "name": name}
    written = read_fields(profile.file) if profile.file else {}
    return {**written, **said}, written.keys() - said.keys()


def print_change(output: Output, result: dict[str, Any]) -> None:
    """Print a profile after a change, or proposals for one."""
    profile = result["profile"]
    rows = [(row["field"], row["value"], row["source"], row["basis"]) for row in result["proposals"]]
    output.result(
        result,
        lambda: (
            show_profile(output, profile)
            if profile
            else output.table(("field", "value", "source", "basis"), rows)
        ),
    )


async def show_brand(tools: ToolCaller, output: Output, brand: str) -> None:
    """Print profile, score and trend."""
    brand_id = await tools.brand_id(brand)
    snapshot = await tools.call("get_brand_snapshot", brandId=brand_id, metricDays=TREND_DAYS)
    output.result(snapshot, lambda: show_snapshot(output, snapshot))


def show_snapshot(output: Output, snapshot: dict[str, Any]) -> None:
    """Print a brand's profile, its score, and its trend: a sparkline in a terminal."""
    show_profile(output, snapshot["profile"])
    score, points = snapshot["visibility"], snapshot["trend"]["points"]
    output.people.print()
    if score["score"] is None:
        output.people.print(f"visibility: no score ({score['reason']})")
    else:
        interval = bounds(score["intervals"]["thesePrompts"]) if score["intervals"] else "none"
        output.people.print(
            f"visibility {score['score']} of 100; 95 % interval {interval}; {score['answers']} answers"
        )
    if points:
        days = f"{points[0]['day']} to {points[-1]['day']}"
        ends = f"{points[0]['value']:.1f} to {points[-1]['value']:.1f}"
        values = [point["value"] for point in points]
        drawn = f"{sparkline(values, min(values), max(values))}  " if output.draws else ""
        output.people.print(f"{drawn}{ends} ({len(points)} days measured, {days})")


def show_profile(output: Output, profile: dict[str, Any]) -> None:
    """Print a profile, a line a field."""
    facts = [f"{name} {value}" for name, value in profile["facts"].items() if value and name != "prices"]
    facts += [f"{price['name']} {price['price']}" for price in profile["facts"]["prices"]]
    rows = [
        ("id", profile["id"]),
        ("name", profile["name"]),
        ("aliases", ", ".join(profile["aliases"])),
        ("website", profile["website"]),
        ("sites", ", ".join(profile["sites"])),
        ("industry", profile["industry"]),
        ("keywords", ", ".join(profile["keywords"])),
        ("voice", profile["brandVoice"]),
        ("audience", profile["targetAudience"]),
        ("category words", ", ".join(profile["categoryWords"])),
        ("ambiguous", "yes" if profile["ambiguous"] else ""),
        ("facts", "; ".join(facts)),
        ("competitors", ", ".join(rival["name"] for rival in profile["competitors"])),
        ("archived", "yes" if profile["archived"] else ""),
    ]
    output.table(("field", "value"), [row for row in rows if row[1]])
