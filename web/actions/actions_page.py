"""The page of actions: what to do, worst first, with its evidence, and forms to plan, finish or dismiss it."""

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from starlette.responses import Response

from measurement.published_items import drafts_for_prompts
from web.errors import PageNotFound
from web.layout.pagination import count_pages, parse_page_number
from web.request import PageRequest, ToolFault

PAGE_SIZE = 50
STATES = {"open": "Open", "planned": "Planned", "done": "Done", "dismissed": "Dismissed", "": "All"}
SEVERITIES = ("critical", "warning", "info")
LEAST_GAIN = 1000.0
"""More than any loss in points: what has an estimate, even a bad one, comes before what has none."""
KINDS = {
    "bot_access": "Let engines read the site",
    "crawler_error": "Repair pages",
    "content_gap": "Answer questions that nothing on the site answers",
    "readiness": "Make the site ready for agents",
    "accuracy": "Correct what engines say wrongly",
    "reputation": "Look after the reputation",
}


async def show_actions(request: PageRequest) -> Response:
    """List the actions of a brand."""
    return await _render_actions(request, request.http.path_params["brand_id"])


async def decide_action(request: PageRequest) -> Response:
    """Store what a person decided of an action, and lead back to the list."""
    typed = await request.read_form()
    state = typed.get("state", "")
    arguments: dict[str, Any] = {"actionId": request.http.path_params["action_id"], "state": state}
    if state == "done" and typed.get("doneOn"):
        arguments["doneOn"] = typed["doneOn"]
    if state == "dismissed":
        arguments["reason"] = typed.get("reason", "").strip()
    decided = await request.try_tool("update_action", arguments)
    brand_id = typed.get("brand", "")
    if isinstance(decided, ToolFault):
        words = "Say why it is dismissed." if state == "dismissed" else decided.words
        return await _render_actions(request, brand_id, words, arguments["actionId"])
    return request.redirect(f"/brands/{decided['brandId']}/actions?state=open&told={decided['state']}")


async def _render_actions(
    request: PageRequest, brand_id: str, fault: str | None = None, at: str | None = None
) -> Response:
    profile = await request.call_tool("get_brand_profile", brandId=brand_id)
    if profile is None:
        raise PageNotFound
    query = request.http.query_params
    state = query.get("state", "open") if query.get("state", "open") in STATES else "open"
    number = parse_page_number(query.get("page"))
    listed = await request.call_tool(
        "list_actions",
        brandId=profile["id"],
        limit=PAGE_SIZE,
        offset=(number - 1) * PAGE_SIZE,
        **({"state": state} if state else {}),
    )
    if listed is None:
        raise PageNotFound
    return request.render(
        "actions/actions.html",
        422 if fault else 200,
        brand=profile,
        drafts=await drafts_for_prompts(
            request.services.database.workspace(request.signed_in.company_id),
            profile["id"],
            [action["promptId"] for action in listed["actions"] if action["promptId"]],
        ),
        groups=group_by_kind(listed["actions"]),
        kinds=KINDS,
        total=listed["total"],
        state=state,
        states=STATES,
        told=query.get("told") if query.get("told") in STATES else None,
        fault=fault,
        at=at,
        today=request.services.now().date().isoformat(),
        number=number,
        pages=count_pages(listed["total"], PAGE_SIZE),
    )


def group_by_kind(actions: list[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the actions by kind, kinds in the order in which they first come: the worst first.

    Of those that are equally grave in a kind, what gains most comes first, and what nobody can estimate last.
    """
    order = list(dict.fromkeys(action["kind"] for action in actions))
    ordered = sorted(actions, key=lambda action: (order.index(action["kind"]), *_rank(action)))
    return [(kind, list(group)) for kind, group in groupby(ordered, key=lambda action: action["kind"])]


def _rank(action: Mapping[str, Any]) -> tuple[int, float]:
    """Return the place of an action in its kind: by severity, then by what it may gain."""
    gain = action["expectedGain"]
    return SEVERITIES.index(action["severity"]), 0.0 if gain is None else -gain - LEAST_GAIN
