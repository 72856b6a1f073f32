"""Comparisons of two periods: what changed, how sure that is, and through what."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from server.cli.charts import bar, bounds, signed
from server.cli.option_groups import AnswerFilters, takes_option_groups
from server.cli.options import Company, Days, Json, Limit, Offset, OneBrand
from server.cli.output import Output
from server.cli.session import with_rows
from server.cli.tool_words import does

if TYPE_CHECKING:
    from server.cli.tool_caller import ToolCaller


@does("compare_periods")
@takes_option_groups
def compare(
    brand: OneBrand,
    filters: AnswerFilters,
    metric: Annotated[
        str, typer.Option(help="visibilityScore, presence, prominence, citation or tone.")
    ] = "visibilityScore",
    days: Days = 28,
    compare_from: Annotated[
        str | None, typer.Option(help="First day of the earlier period; it lies just before without it.")
    ] = None,
    compare_to: Annotated[str | None, typer.Option(help="Last day of the earlier period.")] = None,
    limit: Limit = 10,
    offset: Offset = 0,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Say whether a brand's score changed between two periods, and through what."""
    choice: dict[str, Any] = {"metric": metric, "days": days, "limit": limit, "offset": offset}
    choice |= {"compareFrom": compare_from, "compareTo": compare_to}
    with_rows(as_json, company, compare_periods, brand, filters, choice)


async def compare_periods(
    tools: "ToolCaller", output: Output, brand: str, filters: AnswerFilters, choice: dict[str, Any]
) -> None:
    """Print the difference of two periods."""
    result = await tools.ask_about("compare_periods", brand, filters, choice)
    output.result(result, lambda: show_comparison(output, result))


def show_comparison(output: Output, result: dict[str, Any]) -> None:
    """Print the verdict, both periods, and what each engine, part and prompt brings to the difference."""
    output.people.print(result["statement"])
    periods = [
        (
            name,
            period["since"][:10],
            last_day(period["until"]),
            period["answers"],
            period["score"],
            bounds(period["interval"]),
        )
        for name, period in (("before", result["before"]), ("after", result["after"]))
    ]
    output.table(("", "from", "to", "answers", "score", "95 % interval"), periods)
    output.people.print(result["missing"]["meaning"])
    for heading, shares in (
        ("engine", [(row["channel"], row) for row in result["engines"]]),
        ("part", [(row["part"], row) for row in result["parts"]]),
        ("prompt", [(row["prompt"], row) for row in result["prompts"]]),
    ):
        if shares:
            output.people.print()
            show_shares(output, heading, shares)


def last_day(until: str) -> str:
    """Return the last day of a period, whose end is an instant that it does not hold."""
    return (datetime.fromisoformat(until) - timedelta(seconds=1)).date().isoformat()


def brought(row: Mapping[str, Any]) -> str:
    """Return what a row brings to the difference, or why that is not known."""
    if row["contribution"] is None:
        return str(row.get("reason") or "not comparable").replace("_", " ")
    return signed(row["contribution"])


def show_shares(output: Output, heading: str, shares: list[tuple[str, dict[str, Any]]]) -> None:
    """Print what some things bring to the difference, in points; a terminal gets bars."""
    largest = max(abs(row["contribution"] or 0.0) for _, row in shares) or 1.0
    rows = [
        (
            name,
            row["before"],
            row["after"],
            brought(row),
            *([bar(abs(row["contribution"] or 0.0) / largest)] if output.draws else []),
        )
        for name, row in shares
    ]
    output.table((heading, "before", "after", "brings", *(("",) if output.draws else ())), rows)
