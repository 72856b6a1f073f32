"""Setup, steps 1 and 2: the brand with proposals from its site, and its competitors."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.responses import Response

from measurement.planning.question_templates import industries, match_industry
from web.request import PageRequest, ToolFault
from web.start.setup_brand import (
    ProposedEntry,
    accepted_offers,
    load_brand,
    read_offers,
    setup_address,
    write_offers,
)

FIELD_TITLES = {
    "aliases": "Also known as",
    "website": "Website",
    "sites": "Own site",
    "industry": "Industry",
    "facts.telephone": "Telephone",
    "facts.address": "Address",
    "facts.openingHours": "Opening hours",
    "facts.foundingYear": "Founding year",
}


@dataclass(frozen=True, slots=True)
class SetupState:
    """How far a workspace is: its brands, and those of them that have no questions yet."""

    brands: list[dict[str, Any]]
    unmeasured: list[dict[str, Any]]


async def show_start(request: PageRequest) -> Response:
    """Show the first question, and the brands whose set-up can be gone on with."""
    request.require_member()
    return await _render_brand(request)


async def look_at_site(request: PageRequest) -> Response:
    """Read the site and show what it proposes; without one, ask for the industry only."""
    typed = await request.read_form()
    name, website = typed.get("name", "").strip(), typed.get("website", "").strip()
    if not name:
        fault = ToolFault("name", "Fill in this field.")
        return await _render_brand(request, name=name, website=website, fault=fault)
    if not website:
        return _render_profile(request, name, website, [])
    proposed = await request.try_tool("create_brand_profile", {"proposeFrom": website})
    if isinstance(proposed, ToolFault):
        return _render_profile(request, name, website, [], unread=proposed.words)
    offers = [
        ProposedEntry(proposal["field"], proposal["value"], proposal["source"], proposal["basis"])
        for proposal in proposed["proposals"]
        if proposal["field"] in FIELD_TITLES and proposal["value"].casefold() != name.casefold()
    ]
    return _render_profile(request, name, website, offers)


async def create_brand(request: PageRequest) -> Response:
    """Store the brand with what was accepted, and continue with its competitors."""
    typed = await request.read_form()
    name, website = typed.get("name", "").strip(), typed.get("website", "").strip()
    offers = read_offers(typed)
    accepted = accepted_offers(typed, offers)
    industry = industries().get(typed.get("industry", ""))
    profile = _profile_arguments(name, website, accepted, industry.title if industry else None)
    created = await request.try_tool("create_brand_profile", profile)
    if isinstance(created, ToolFault):
        if created.field in ("", "name", "website"):
            return await _render_brand(request, name=name, website=website, fault=created)
        return _render_profile(request, name, website, offers, fault=created.words)
    words = urlencode({"industry": typed.get("industry", ""), "place": typed.get("place", "").strip()})
    return request.redirect(f"/start/{created['profile']['id']}/rivals?{words}")


def _profile_arguments(
    name: str, website: str, accepted: list[ProposedEntry], industry: str | None
) -> dict[str, Any]:
    """Return the arguments of create_brand_profile for what a person typed and accepted."""
    arguments: dict[str, Any] = {"name": name}
    facts: dict[str, Any] = {}
    for offer in accepted:
        if offer.field in ("aliases", "sites"):
            arguments.setdefault(offer.field, []).append(offer.value)
        elif offer.field == "facts.foundingYear":
            facts["foundingYear"] = int(offer.value)
        elif offer.field.startswith("facts."):
            facts.setdefault(offer.field.removeprefix("facts."), offer.value)
        elif offer.field == "website":
            website = offer.value
    if industry is not None:
        arguments["industry"] = industry
    if website:
        arguments["website"] = website
        arguments.setdefault("sites", [website])
    if facts:
        arguments["facts"] = facts
    return arguments


async def _render_brand(
    request: PageRequest, *, name: str = "", website: str = "", fault: ToolFault | None = None
) -> Response:
    state = await _load_state(request)
    return request.render(
        "start/brand.html",
        422 if fault else 200,
        step=1,
        brands=state.brands,
        unmeasured=state.unmeasured,
        name=name,
        website=website,
        fault=fault,
    )


async def _load_state(request: PageRequest) -> SetupState:
    listed = await request.call_tool("list_brand_profiles")
    brands: list[dict[str, Any]] = listed["brands"] if listed else []
    unmeasured: list[dict[str, Any]] = []
    for brand in brands[:12]:
        score = await request.call_tool("get_ai_visibility_score", brandId=brand["id"])
        if score is not None and score["reason"] == "never_measured":
            unmeasured.append(brand)
    return SetupState(brands, unmeasured)


def _render_profile(
    request: PageRequest,
    name: str,
    website: str,
    offers: list[ProposedEntry],
    *,
    unread: str | None = None,
    fault: str | None = None,
) -> Response:
    industry_words = next((offer.value for offer in offers if offer.field == "industry"), "")
    return request.render(
        "start/profile.html",
        422 if fault else 200,
        step=1,
        name=name,
        website=website,
        offers=[offer for offer in offers if offer.field != "industry"],
        offered=write_offers(offers),
        titles=FIELD_TITLES,
        industries=list(industries().values()),
        industry=match_industry(industry_words),
        industry_words=industry_words,
        unread=unread,
        fault=fault,
    )


MOST_RIVALS = 20


async def show_rivals(request: PageRequest) -> Response:
    """Ask whom the brand is compared with."""
    profile = await load_brand(request)
    names = "\n".join(rival["name"] for rival in profile["competitors"])
    return _render_rivals(request, profile["id"], profile["name"], names)


async def save_rivals(request: PageRequest) -> Response:
    """Store the competitors, and continue with the questions; known ones keep their other names."""
    typed = await request.read_form()
    profile = await load_brand(request)
    names = list(dict.fromkeys(line.strip() for line in typed.get("rivals", "").splitlines() if line.strip()))
    words = {"industry": typed.get("industry", ""), "place": typed.get("place", "")}
    known = {rival["name"].casefold(): rival for rival in profile["competitors"]}
    if len(names) > MOST_RIVALS:
        fault = ToolFault("rivals", f"Enter at most {MOST_RIVALS} competitors, one per line.")
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
