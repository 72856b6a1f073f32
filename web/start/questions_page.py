"""Setup, step 2: the prompts that buyers ask, proposed for what the brand sells and where."""

from typing import Any

from starlette.responses import Response

from analytics.power import smallest_detectable_change
from measurement.planning.question_templates import propose_questions
from web.request import PageRequest, ToolFault
from web.start.setup_brand import (
    PROMPT_SET_NAME,
    ProposedEntry,
    accepted_offers,
    find_prompt_set,
    load_brand,
    read_offers,
    setup_address,
    write_offers,
)

NEUTRAL, BRANDED = "neutral", "branded"
USUAL_REPEATS = 3
LONGEST_WORDS = 100


async def show_questions(request: PageRequest) -> Response:
    """Show the proposed prompts, and those that are stored."""
    profile = await load_brand(request)
    return await _render_questions(request, profile)


async def save_questions(request: PageRequest) -> Response:
    """Store the accepted and the typed prompts, and continue with the engines."""
    typed = await request.read_form(holds_texts=True)
    profile = await load_brand(request)
    accepted = [offer.value for offer in accepted_offers(typed, read_offers(typed))]
    own = [line.strip() for line in typed.get("own", "").splitlines() if line.strip()]
    known = await find_prompt_set(request, profile["id"])
    kept = [prompt["text"] for prompt in known["prompts"]] if known else []
    texts = list(dict.fromkeys([*kept, *accepted, *own]))
    if not texts:
        fault = ToolFault("", "Choose or write at least one prompt.")
        return await _render_questions(request, profile, typed.get("own", ""), fault)
    prompts = [{"text": text} for text in texts]
    if known is None:
        name = PROMPT_SET_NAME.format(brand=profile["name"])[:200]
        saved = await request.try_tool(
            "create_prompt_set", {"name": name, "brandId": profile["id"], "prompts": prompts}
        )
    elif texts != kept:
        names = ("text", "intent", "tags", "branded")
        present = [
            {name: prompt[name] for name in names if prompt[name] is not None} for prompt in known["prompts"]
        ]
        added = [{"text": text} for text in texts if text not in kept]
        saved = await request.try_tool(
            "update_prompt_set", {"promptSetId": known["promptSetId"], "prompts": [*present, *added]}
        )
    else:
        saved = known
    if isinstance(saved, ToolFault):
        return await _render_questions(request, profile, typed.get("own", ""), saved)
    return request.redirect(setup_address(profile["id"], "engines"))


async def _render_questions(
    request: PageRequest, profile: dict[str, Any], own: str = "", fault: ToolFault | None = None
) -> Response:
    query = request.http.query_params
    category = query.get("category", profile["industry"] or "").strip()[:LONGEST_WORDS]
    place = query.get("place", "").strip()[:LONGEST_WORDS]
    known = await find_prompt_set(request, profile["id"])
    stored = [prompt["text"] for prompt in known["prompts"]] if known else []
    offers = [
        ProposedEntry(BRANDED if question.branded else NEUTRAL, question.text)
        for question in propose_questions(profile["name"], category, place)
        if question.text not in stored
    ]
    neutral = sum(offer.field == NEUTRAL for offer in offers)
    change = smallest_detectable_change(neutral, USUAL_REPEATS)
    return request.render(
        "start/questions.html",
        422 if fault else 200,
        step=2,
        brand_id=profile["id"],
        brand=profile["name"],
        stored=stored,
        offers=offers,
        offered=write_offers(offers),
        category=category,
        place=place,
        own=own,
        neutral=neutral,
        repeats=USUAL_REPEATS,
        points=None if change is None else round(100 * change),
        fault=fault,
    )
