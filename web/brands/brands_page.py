"""The list of brands, the score breakdown of one brand, and archiving."""

from typing import Any

from starlette.responses import Response

from tools.rankings import compared_by
from web.errors import PageNotFound
from web.overview.figures import METRICS
from web.overview.overview_page import load_measured_trend
from web.request import PageRequest, ToolFault
from web.view_filters import count_pages, parse_page_number, read_view


async def _load_rankings(request: PageRequest, brand_id: str) -> list[Any]:
    """Return the ranking of the brand among its competitors; empty where nothing was ranked."""
    ranking = await request.call_tool("get_competitor_rankings", brandId=brand_id)
    return ranking["rankings"] if ranking else []


MOST_MENTIONS = 12
MOST_SESSIONS = 10


async def show_score(request: PageRequest) -> Response:
    """Show what the score of one brand rests on."""
    brand_id = request.http.path_params["brand_id"]
    profile = await request.call_tool("get_brand_profile", brandId=brand_id)
    score = await request.call_tool("get_ai_visibility_score", brandId=brand_id)
    if profile is None or score is None:
        raise PageNotFound
    ranked = await _load_rankings(request, brand_id)
    measured = [factor["part"] for factor in score["factors"] if factor["value"] is not None]
    return request.render(
        "brands/score.html",
        profile=profile,
        score=score,
        metrics=await request.call_tool("get_platform_metrics", brandId=brand_id),
        rankings=ranked,
        compared=compared_by(score["score"], measured, ranked),
        mentions=await request.call_tool("get_brand_mentions", brandId=brand_id, limit=MOST_MENTIONS),
        sessions=await request.call_tool("list_simulations", brandId=brand_id, limit=MOST_SESSIONS),
    )


async def archive_brand(request: PageRequest) -> Response:
    """Archive or restore the brand in the URL and show it; a plan limit is reported there."""
    typed = await request.read_form()
    brand_id = request.http.path_params["brand_id"]
    changes = {"brandId": brand_id, "archived": typed.get("archived") == "1"}
    changed = await request.try_tool("update_brand_profile", changes)
    if not isinstance(changed, ToolFault):
        return request.redirect(f"/brands/{changed['profile']['id']}")
    profile = await request.call_tool("get_brand_profile", brandId=brand_id)
    if profile is None:
        raise PageNotFound
    return request.render("brands/not_archived.html", 422, profile=profile, fault=changed)


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
    cards = [await _load_card(request, brand) for brand in shown]
    return request.render(
        "brands/brands.html",
        cards=cards,
        total=len(brands),
        number=number,
        pages=pages,
        archived=[brand for brand in known if brand["archived"]],
    )


async def _load_card(request: PageRequest, brand: dict[str, Any]) -> dict[str, Any]:
    """Return what the card of one brand shows: the score, change and trend of its overview."""
    asked = read_view(f"/brands/{brand['id']}", {}, {}, request.services.now().date(), fields=())
    trend = await load_measured_trend(request, brand["id"], asked, METRICS["visibilityScore"])
    return {
        "brand": brand,
        "score": await request.call_tool("get_ai_visibility_score", brandId=brand["id"]),
        "compared": await request.call_tool(
            "compare_periods", brandId=brand["id"], limit=1, **trend.view.arguments
        ),
        "trend": trend,
        "rankings": await _load_rankings(request, brand["id"]),
    }
