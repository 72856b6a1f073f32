"""Puts a brand away, or brings it back."""

from starlette.responses import Response

from web.errors import PageNotFound
from web.request import PageRequest, ToolFault


async def archive_brand(request: PageRequest) -> Response:
    """Put the brand of the address away or bring it back, and show it; what the plan refuses is said there."""
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
