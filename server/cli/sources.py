"""Sources: which sites and pages engines cite."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from server.cli.charts import bar, bounds, percent
from server.cli.option_groups import AnswerFilters, takes_option_groups
from server.cli.options import Company, Days, Json, Limit, Offset, OneBrand
from server.cli.output import Output
from server.cli.session import with_rows
from server.cli.tool_words import does

if TYPE_CHECKING:
    from server.cli.tool_caller import ToolCaller


@does("get_citations")
@takes_option_groups
def sources(
    brand: OneBrand,
    filters: AnswerFilters,
    group_by: Annotated[str, typer.Option(help="domain, or url for single pages.")] = "domain",
    owner: Annotated[str | None, typer.Option(help="own, competitor or third_party.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only this kind of site, such as news.")] = None,
    when: Annotated[
        str | None, typer.Option(help="Of answers with: brand_named, rival_named_instead or nobody_named.")
    ] = None,
    days: Days = 28,
    limit: Limit = 20,
    offset: Offset = 0,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """List the sites or pages that engines cite, most cited first."""
    choice: dict[str, Any] = {"groupBy": group_by, "owner": owner, "kind": kind, "when": when}
    choice |= {"days": days, "limit": limit, "offset": offset}
    with_rows(as_json, company, list_sources, brand, filters, choice)


async def list_sources(
    tools: "ToolCaller", output: Output, brand: str, filters: AnswerFilters, choice: dict[str, Any]
) -> None:
    """Print a page of sources."""
    result = await tools.ask_about("get_citations", brand, filters, choice)
    output.result(result, lambda: show_sources(output, result["citations"]))


def show_sources(output: Output, citations: list[dict[str, Any]]) -> None:
    """Print sources as a table; a terminal gets bars."""
    rows = [
        (
            citation["source"],
            citation["owner"],
            citation["kind"],
            citation["answers"],
            percent(citation["share"]),
            *([bar(citation["share"])] if output.draws else []),
            bounds(citation["interval"], 100),
            citation["prompts"],
        )
        for citation in citations
    ]
    drawn = ("",) if output.draws else ()
    output.table(("source", "owner", "kind", "answers", "share", *drawn, "95 % interval", "prompts"), rows)
