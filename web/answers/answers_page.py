"""The page of a brand's answers, filtered by what they say; the address holds the filters."""

from urllib.parse import urlencode

from starlette.responses import Response

from web.errors import PageNotFound
from web.layout.pagination import count_pages, parse_page_number
from web.request import PageRequest

PAGE_SIZE = 20
OUTCOMES = {
    "": "All answers",
    "names_us": "Names us",
    "rival_instead": "Names a rival and not us",
    "nobody": "Names nobody tracked",
    "cites_us": "Cites our site",
    "contradicts": "Contradicts a fact",
    "truncated": "Cut off",
    "left_out": "Left out of the rates",
}


async def show_answers(request: PageRequest) -> Response:
    """List answers, newest first."""
    brand_id = request.http.path_params["brand_id"]
    query = request.http.query_params
    profile = await request.call_tool("get_brand_profile", brandId=brand_id)
    if profile is None:
        raise PageNotFound
    number = parse_page_number(query.get("page"))
    chosen = {"outcome": query.get("outcome", "") if query.get("outcome", "") in OUTCOMES else ""}
    chosen |= {name: query.get(name, "") for name in ("platform", "promptId")}
    filters = {name: value for name, value in chosen.items() if value}
    listed = await request.call_tool(
        "list_answers", brandId=profile["id"], limit=PAGE_SIZE, offset=(number - 1) * PAGE_SIZE, **filters
    )
    if listed is None:
        raise PageNotFound
    return request.render(
        "answers/answers.html",
        brand=profile,
        answers=listed["answers"],
        total=listed["total"],
        notice=listed["notice"],
        outcomes=OUTCOMES,
        chosen=chosen,
        others=urlencode({name: value for name, value in filters.items() if name != "outcome"}),
        address=urlencode(filters),
        number=number,
        pages=count_pages(listed["total"], PAGE_SIZE),
    )
