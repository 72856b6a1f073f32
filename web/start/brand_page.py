"""Setup, step 1: the brand, what it sells, proposals from its site, and its competitors."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from analytics.matching.alias_proposals import proposed_aliases
from measurement.planning.question_templates import industries
from web.request import PageRequest, ToolFault
from web.start.setup_brand import (
    ProposedEntry,
    accepted_offers,
    find_prompt_set,
    load_brand,
    read_offers,
    setup_address,
    write_offers,
)

FIELD_TITLES = {
    "aliases": "Also known as",
    "website": "Website",
    "sites": "Own site",
    "facts.telephone": "Phone",
    "facts.address": "Address",
    "facts.openingHours": "Opening hours",
    "facts.foundingYear": "Founded",
}
PREVIEW_FIELDS = ("name", "description")
"""What the preview of the site shows; these are not stored."""
MOST_COMPETITORS = 20
MISSING = "Fill in this field."


async def show_start(request: PageRequest) -> Response:
    """Show the first step, and the brands whose setup is not finished."""
    request.require_member()
    return await _render_brand(request, {})


async def resume(request: PageRequest) -> Response:
    """Redirect to the first step that is not done for a brand."""
    profile = await load_brand(request)
    prompt_set = await find_prompt_set(request, profile["id"])
    if prompt_set is None:
        return request.redirect(setup_address(profile["id"], "questions"))
    step = "measure" if prompt_set["platforms"] else "engines"
    return request.redirect(setup_address(profile["id"], step))


async def read_site(request: PageRequest) -> Response:
    """Read the site and show what it says about the brand."""
    typed = await request.read_form()
    for field in ("name", "category"):
        if not typed.get(field, "").strip():
            return await _render_brand(request, typed, ToolFault(field, MISSING))
    website, name = typed.get("website", "").strip(), typed["name"].strip()
    shorter = [
        ProposedEntry("aliases", alias, name, "short form") for alias in proposed_aliases(name, website)
    ]
    if not website:
        return _render_profile(request, typed, shorter)
    proposed = await request.try_tool("create_brand_profile", {"proposeFrom": website})
    if isinstance(proposed, ToolFault):
        return _render_profile(request, typed, shorter, unread=proposed.words)
    known = {name.casefold(), *(offer.value.casefold() for offer in shorter)}
    offers = shorter + [
        ProposedEntry(proposal["field"], proposal["value"], proposal["source"], proposal["basis"])
        for proposal in proposed["proposals"]
        if proposal["field"] in PREVIEW_FIELDS
        or (proposal["field"] in FIELD_TITLES and proposal["value"].casefold() not in known)
    ]
    return _render_profile(request, typed, offers)


async def create_brand(request: PageRequest) -> Response:
    """Store the brand with what was accepted, and continue with its prompts."""
    typed = await request.read_form()
    offers = read_offers(typed)
    created = await request.try_tool("create_brand_profile", _profile_arguments(typed, offers))
    if isinstance(created, ToolFault):
        if created.field in ("name", "website", "industry"):
            field = {"industry": "category"}.get(created.field, created.field)
            return await _render_brand(request, typed, ToolFault(field, created.words))
        return _render_profile(request, typed, offers, fault=created)
    place = typed.get("place", "").strip()
    return request.redirect(setup_address(created["profile"]["id"], "questions", place=place))


def _profile_arguments(typed: Mapping[str, str], offers: list[ProposedEntry]) -> dict[str, Any]:
    """Return the arguments of create_brand_profile for what a person typed and accepted."""
    website = typed.get("website", "").strip()
    arguments: dict[str, Any] = {
        "name": typed.get("name", "").strip(),
        "industry": typed.get("category", "").strip(),
        "competitors": [{"name": name} for name in _lines(typed.get("competitors", ""))],
    }
    facts: dict[str, Any] = {}
    for offer in accepted_offers(typed, offers):
        if offer.field in ("aliases", "sites"):
            arguments.setdefault(offer.field, []).append(offer.value)
        elif offer.field == "facts.foundingYear":
            facts["foundingYear"] = int(offer.value)
        elif offer.field.startswith("facts."):
            facts.setdefault(offer.field.removeprefix("facts."), offer.value)
        elif offer.field == "website":
            website = offer.value
    if website:
        arguments["website"] = website
    return arguments | ({"facts": facts} if facts else {})


def _lines(text: str) -> list[str]:
    return list(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))


async def _render_brand(
    request: PageRequest, typed: Mapping[str, str], fault: ToolFault | None = None
) -> Response:
    listed = await request.call_tool("list_brand_profiles")
    brands: list[dict[str, Any]] = listed["brands"] if listed else []
    unmeasured: list[dict[str, Any]] = []
    for brand in brands[:12]:
        score = await request.call_tool("get_ai_visibility_score", brandId=brand["id"])
        if score is not None and score["reason"] == "never_measured":
            unmeasured.append(brand)
    return request.render(
        "start/brand.html",
        422 if fault else 200,
        step=1,
        brands=brands,
        unmeasured=unmeasured,
        industries=list(industries().values()),
        typed=typed,
        fault=fault,
    )


def _render_profile(
    request: PageRequest,
    typed: Mapping[str, str],
    offers: list[ProposedEntry],
    *,
    unread: str | None = None,
    fault: ToolFault | None = None,
) -> Response:
    return request.render(
        "start/profile.html",
        422 if fault else 200,
        step=1,
        typed=typed,
        preview={offer.field: offer.value for offer in offers if offer.field in PREVIEW_FIELDS},
        offers=offers,
        offered=write_offers(offers),
        titles=FIELD_TITLES,
        most=MOST_COMPETITORS,
        unread=unread,
        fault=fault,
    )
