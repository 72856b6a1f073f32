"""Sources: which sites and pages engines cite."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from server.cli.charts import bar, bounds, percent
from server.cli.options import (
    Company,
    Country,
    Days,
    From,
    Intent,
    Json,
    Limit,
    Mode,
    Offset,
    OneBrand,
    Platform,
    PromptSet,
    Tag,
    To,
)
from server.cli.output import Output
from server.cli.session import with_tools

if TYPE_CHECKING:
    from server.cli.tool_caller import ToolCaller


def sources(
    brand: OneBrand,
    group_by: Annotated[str, typer.Option(help="domain, or url for single pages.")] = "domain",
    owner: Annotated[str | None, typer.Option(help="own, competitor or third_party.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only this kind of site, such as news.")] = None,
    when: Annotated[
        str | None, typer.Option(help="Of answers with: brand_named, rival_named_instead or nobody_named.")
    ] = None,
    days: Days = 28,
    platform: Platform = None,
    country: Country = None,
    mode: Mode = None,
    prompt_set: PromptSet = None,
    tag: Tag = None,
    intent: Intent = None,
    from_: From = None,
    to: To = None,
    limit: Limit = 20,
    offset: Offset = 0,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """List the sites or pages that engines cite, most cited first."""
    choice: dict[str, Any] = {"groupBy": group_by, "owner": owner, "kind": kind, "when": when, "days": days}
    choice |= {"platform": platform, "country": country, "mode": mode, "tag": tag, "intent": intent}
    choice |= {"from": from_, "to": to, "limit": limit, "offset": offset}
    with_tools(as_json, company, list_sources, brand, prompt_set, choice)


async def list_sources(
    tools: "ToolCaller", output: Output, brand: str, prompt_set: str | None, choice: dict[str, Any]
) -> None:
    """Print a page of sources."""
    result = await tools.ask_about("get_citations", brand, prompt_set, choice)
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
