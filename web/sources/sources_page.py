"""Cited domains and pages: owner, frequency, and which are cited when a competitor is named instead."""

from typing import Any

from starlette.responses import Response

from web.errors import PageNotFound
from web.glossary import OWNERS
from web.request import PageRequest
from web.table_export import list_response
from web.view_filters import ViewFilters, count_pages, parse_page_number

PAGE_SIZE = 25
WHEN = {
    "rival_named_instead": "When a competitor is named and we are not",
    "brand_named": "When we are named",
    "nobody_named": "When no tracked brand is named",
    "": "All answers",
}
OUTCOME_OF = {"rival_named_instead": "rival_instead", "brand_named": "names_us", "nobody_named": "nobody"}
"""How the list of answers calls the same choice."""
GROUPS = {"domain": "sites", "url": "pages"}
KINDS = (
    "editorial",
    "review_site",
    "forum",
    "social",
    "video",
    "reference",
    "shop",
    "government",
    "other",
)


async def show_sources(request: PageRequest) -> Response:
    """List what the answers cite, most cited first."""
    profile = await request.load_brand()
    view = await request.read_view(profile["id"], kept=("when", "owner", "kind", "group"))
    number = parse_page_number(request.http.query_params.get("page"))
    when = view.kept.get("when", "rival_named_instead")
    when = "" if when not in WHEN else when
    listed = await request.call_tool(
        "get_citations",
        brandId=profile["id"],
        limit=PAGE_SIZE,
        offset=(number - 1) * PAGE_SIZE,
        **view.arguments,
        **view.comparison_arguments,
        **({"when": when} if when else {}),
        **_read_choice(view),
    )
    if listed is None:
        raise PageNotFound
    return request.render(
        "sources/sources.html",
        view=view,
        brand=profile,
        listed=listed,
        when=when,
        whens=WHEN,
        outcome=OUTCOME_OF.get(when, ""),
        owner=view.kept.get("owner", ""),
        owners=OWNERS,
        kind=view.kept.get("kind", "") if view.kept.get("kind") in KINDS else "",
        kinds=KINDS,
        group=view.kept.get("group", "domain"),
        groups=GROUPS,
        number=number,
        pages=count_pages(listed["total"], PAGE_SIZE),
    )


async def export_sources(request: PageRequest) -> Response:
    """Give the sources of the view as CSV or JSON."""
    profile = await request.load_brand()
    view = await request.read_view(profile["id"], kept=("when", "owner", "kind", "group"))
    when = view.kept.get("when", "rival_named_instead")

    async def load(limit: int, offset: int) -> dict[str, Any] | None:
        return await request.call_for_file(
            "get_citations",
            brandId=profile["id"],
            limit=limit,
            offset=offset,
            **view.arguments,
            **({"when": when} if when in OUTCOME_OF else {}),
            **_read_choice(view),
        )

    columns = ("source", "title", "owner", "kind", "answers", "share", "questions")

    def row_of(source: dict[str, Any]) -> tuple[object, ...]:
        return (
            source["source"],
            source["title"],
            source["owner"],
            source["kind"],
            source["answers"],
            source["share"],
            source["prompts"],
        )

    return await list_response(request.http.url.path, "sources", columns, load, "citations", row_of)


def _read_choice(view: ViewFilters) -> dict[str, str]:
    """Return owner, kind and grouping of the address as the tool takes them."""
    chosen: dict[str, str] = {}
    if view.kept.get("owner") in OWNERS:
        chosen["owner"] = view.kept["owner"]
    if view.kept.get("kind") in KINDS:
        chosen["kind"] = view.kept["kind"]
    if view.kept.get("group") in GROUPS:
        chosen["groupBy"] = view.kept["group"]
    return chosen
