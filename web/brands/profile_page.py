"""The page of a brand's profile: names, sites, facts and rivals, to be changed after the set-up."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from web.brands.profile_form import FACTS, LISTS, TEXTS, find_emptied, read_changes, write_profile
from web.errors import PageNotFound
from web.request import PageRequest, ToolFault

FIELDS = {"competitors": "rivals"}
"""Fields of the tool that the form calls otherwise."""


async def show_profile(request: PageRequest) -> Response:
    """Show what is known of the brand."""
    profile = await _load_profile(request)
    return await _render_profile(request, profile, write_profile(profile))


async def save_profile(request: PageRequest) -> Response:
    """Store what was changed; answers are read anew where names or sites are others."""
    profile = await _load_profile(request)
    typed = await request.read_form()
    faults = find_emptied(profile, typed)
    if faults:
        return await _render_profile(request, profile, typed, faults)
    address = f"/brands/{profile['id']}/profile"
    changes, told = read_changes(profile, typed), "saved=1"
    if changes:
        saved = await request.try_tool("update_brand_profile", {"brandId": profile["id"], **changes})
        if isinstance(saved, ToolFault):
            at = saved.field.partition(".")[0]
            return await _render_profile(request, profile, typed, {FIELDS.get(at, at): saved.words})
        told += "&rereading=1" if saved["rereading"] else ""
    return request.redirect(f"{address}?{told}")


async def _load_profile(request: PageRequest) -> dict[str, Any]:
    profile = await request.call_tool("get_brand_profile", brandId=request.http.path_params["brand_id"])
    if profile is None:
        raise PageNotFound
    return profile


async def _render_profile(
    request: PageRequest,
    profile: Mapping[str, Any],
    typed: Mapping[str, str],
    faults: Mapping[str, str] | None = None,
) -> Response:
    """Show the form with what was typed; a fault of no field of it stands above."""
    faults = faults or {}
    query = request.http.query_params
    return request.render(
        "brands/profile.html",
        422 if faults else 200,
        brand=profile,
        typed={**write_profile(profile), **typed},
        ambiguous="ambiguous" in typed if faults else profile["ambiguous"],
        texts=TEXTS,
        lists=LISTS,
        facts=FACTS,
        faults=faults,
        elsewhere=[words for name, words in faults.items() if name not in write_profile(profile)],
        rereading=query.get("rereading") == "1" or await request.is_read_anew(profile["id"]),
        saved=query.get("saved") == "1",
    )
