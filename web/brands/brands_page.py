"""The page of all brands at a glance; strangers read what this is."""

from typing import Any

from starlette.responses import Response

from web.brands.score_history import TREND_DAYS, load_rankings, load_score_history
from web.layout.pagination import count_pages, parse_page_number
from web.request import PageRequest

BRANDS_A_PAGE = 12


async def show_brands(request: PageRequest) -> Response:
    """Show the company's brands, or, to strangers, what this is."""
    if request.person is None:
        return request.render("accounts/welcome.html", signup_open=await request.services.sign_up_is_open())
    listed = await request.call_tool("list_brand_profiles", includeArchived=True)
    known: list[dict[str, Any]] = listed["brands"] if listed else []
    brands = [brand for brand in known if not brand["archived"]]
    if not known and not request.signed_in.viewer:
        return request.redirect("/start")
    pages = count_pages(len(brands), BRANDS_A_PAGE)
    number = min(parse_page_number(request.http.query_params.get("page")), pages)
    shown = brands[(number - 1) * BRANDS_A_PAGE : number * BRANDS_A_PAGE]
    cards = [await load_card(request, brand) for brand in shown]
    return request.render(
        "brands/brands.html",
        cards=cards,
        total=len(brands),
        number=number,
        pages=pages,
        days=TREND_DAYS,
        archived=[brand for brand in known if brand["archived"]],
    )


async def load_card(request: PageRequest, brand: dict[str, Any]) -> dict[str, Any]:
    """Return what the card of one brand shows."""
    return {
        "brand": brand,
        "score": await request.call_tool("get_ai_visibility_score", brandId=brand["id"]),
        "trend": await load_score_history(request, brand["id"]),
        "rankings": await load_rankings(request, brand["id"]),
    }
