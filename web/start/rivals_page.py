"""Set-up, step 2: the rivals that the brand is compared with."""

from typing import Any

from starlette.responses import Response

from web.request import PageRequest, ToolFault
from web.start.setup_brand import load_brand, setup_address

MOST_RIVALS = 20


async def show_rivals(request: PageRequest) -> Response:
    """Ask whom the brand is compared with."""
    profile = await load_brand(request)
    names = "\n".join(rival["name"] for rival in profile["competitors"])
    return _render_rivals(request, profile["id"], profile["name"], names)


async def save_rivals(request: PageRequest) -> Response:
    """Store the rivals, and go on to the questions; those that are there keep their other names."""
    typed = await request.read_form()
    profile = await load_brand(request)
    names = list(dict.fromkeys(line.strip() for line in typed.get("rivals", "").splitlines() if line.strip()))
    words = {"industry": typed.get("industry", ""), "place": typed.get("place", "")}
    known = {rival["name"].casefold(): rival for rival in profile["competitors"]}
    if len(names) > MOST_RIVALS:
        fault = ToolFault("rivals", f"At most {MOST_RIVALS} rivals, please: one in each line.")
        return _render_rivals(request, profile["id"], profile["name"], typed["rivals"], fault)
    if {name.casefold() for name in names} != set(known):
        competitors: list[dict[str, Any]] = [
            {
                "name": name,
                "aliases": known[name.casefold()]["aliases"] if name.casefold() in known else [],
                "sites": known[name.casefold()]["sites"] if name.casefold() in known else [],
            }
            for name in names
        ]
        saved = await request.try_tool(
            "update_brand_profile", {"brandId": profile["id"], "competitors": competitors}
        )
        if isinstance(saved, ToolFault):
            return _render_rivals(request, profile["id"], profile["name"], typed.get("rivals", ""), saved)
    return request.redirect(setup_address(profile["id"], "questions", **words))


def _render_rivals(
    request: PageRequest, brand_id: str, brand: str, names: str, fault: ToolFault | None = None
) -> Response:
    query = request.http.query_params
    return request.render(
        "start/rivals.html",
        422 if fault else 200,
        step=2,
        brand_id=brand_id,
        brand=brand,
        names=names,
        industry=query.get("industry", ""),
        place=query.get("place", ""),
        fault=fault,
    )
