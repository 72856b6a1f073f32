"""Sending a text to the company's WordPress site, from the text's page."""

from starlette.responses import Response

from measurement.publication.published_items import DRAFT
from tools.calls.rate_limits import RateLimitWindow
from web.content.content_page import load_brand
from web.errors import PageNotFound
from web.request import PageRequest

SENDINGS_A_MINUTE = 20


async def publish_item(request: PageRequest) -> Response:
    """Send a text to WordPress, and say on its page how it went."""
    request.require_member()
    profile = await load_brand(request)
    typed = await request.read_form()
    company_id = request.signed_in.company_id
    await request.count_attempt(RateLimitWindow(f"wordpress:{company_id}", SENDINGS_A_MINUTE))
    workspace = request.services.database.workspace(company_id)
    brand = await workspace.brands.find(profile["id"])
    item = (
        await workspace.repository_items.find(brand.key, request.http.path_params["item_id"])
        if brand
        else None
    )
    if item is None:
        raise PageNotFound
    status = "publish" if typed.get("status") == "publish" else "draft"
    result = await request.services.wordpress.publish(request.database, company_id, item, status)
    page = f"/brands/{profile['id']}/content/{item.id}{'/draft' if item.category == DRAFT else ''}"
    return request.redirect(f"{page}?sent={result.outcome}")
