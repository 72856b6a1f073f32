"""Cited domains and pages: owner, frequency, and which are cited when a competitor is named instead."""

import asyncio
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from web.errors import PageNotFound
from web.glossary import OWNERS
from web.request import PageRequest
from web.table_export import list_response
from web.view_filters import ViewFilters, count_pages, parse_page_number

PAGE_SIZE = 25
WHEN = {
    "rival_named_instead": "Competitor only",
    "brand_named": "Mentions us",
    "nobody_named": "No tracked brand",
    "": "All answers",
}
OUTCOME_OF = {"rival_named_instead": "rival_instead", "brand_named": "names_us", "nobody_named": "nobody"}
"""The outcome in the list of answers for the same choice."""
GROUPS = {"domain": "sites", "url": "pages"}
NEXT_STEPS = {
    "editorial": "Pitch the editors",
    "review_site": "Claim the listing",
    "forum": "Join the thread",
    "social": "Reply to the post",
    "video": "Offer a demo",
    "reference": "Extend the entry",
    "shop": "Complete the product page",
    "government": "Check official listings",
    "other": "Pitch the site",
}
"""What to do at a third-party source where a competitor is mentioned without us, by kind."""
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


async def _count_owners(request: PageRequest, arguments: Mapping[str, Any]) -> dict[str, int]:
    """Return the number of sources of each owner."""
    counted = await asyncio.gather(
        *(request.call_tool("get_citations", **{**arguments, "owner": owner}, limit=1) for owner in OWNERS)
    )
    return {
        owner: listed["total"] for owner, listed in zip(OWNERS, counted, strict=True) if listed is not None
    }


async def show_sources(request: PageRequest) -> Response:
    """List the cited sources, most cited first."""
    profile = await request.load_brand()
    view = await request.read_view(profile["id"], kept=("when", "owner", "kind", "group"))
    number = parse_page_number(request.http.query_params.get("page"))
    when = view.kept.get("when", "rival_named_instead")
    when = "" if when not in WHEN else when
    arguments: dict[str, Any] = {
        "brandId": profile["id"],
        **view.arguments,
        **({"when": when} if when else {}),
        **_read_choice(view),
    }
    listed, owned = await asyncio.gather(
        request.call_tool(
            "get_citations",
            **arguments,
            **view.comparison_arguments,
            limit=PAGE_SIZE,
            offset=(number - 1) * PAGE_SIZE,
        ),
        _count_owners(request, arguments),
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
        owned=owned,
        next_steps=NEXT_STEPS if when == "rival_named_instead" else {},
        kind=view.kept.get("kind", "") if view.kept.get("kind") in KINDS else "",
        kinds=KINDS,
        group=view.kept.get("group", "domain"),
        groups=GROUPS,
        number=number,
        pages=count_pages(listed["total"], PAGE_SIZE),
    )


async def export_sources(request: PageRequest) -> Response:
    """Export the sources of the view as CSV or JSON."""
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

    columns = ("source", "title", "owner", "kind", "answers", "share", "prompts")

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
    """Return owner, kind and grouping of the URL as tool arguments."""
    chosen: dict[str, str] = {}
    if view.kept.get("owner") in OWNERS:
        chosen["owner"] = view.kept["owner"]
    if view.kept.get("kind") in KINDS:
        chosen["kind"] = view.kept["kind"]
    if view.kept.get("group") in GROUPS:
        chosen["groupBy"] = view.kept["group"]
    return chosen
