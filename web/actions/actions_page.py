"""The page of actions: what to do as one ranked list with its evidence, and forms to plan, finish or dismiss it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from measurement.published_items import drafts_for_prompts
from web.errors import PageNotFound
from web.layout.pagination import count_pages, parse_page_number
from web.request import PageRequest, ToolFault

PAGE_SIZE = 50
STATES = {"open": "Open", "planned": "Planned", "done": "Done", "dismissed": "Dismissed", "": "All"}
KINDS = {
    "bot_access": "Let engines read the site",
    "crawler_error": "Repair pages",
    "content_gap": "Answer questions that nothing on the site answers",
    "readiness": "Make the site ready for agents",
    "accuracy": "Correct what engines say wrongly",
    "reputation": "Look after the reputation",
}
EFFORTS = {"hours": "usually hours", "days": "usually days", "weeks": "usually weeks"}
OWNERS = {
    "website": "whoever runs the site",
    "content": "whoever writes for it",
    "communications": "whoever speaks for the company",
}


@dataclass(frozen=True, slots=True)
class FoldedAction:
    """The first of some actions that say the same, and the others; decided together."""

    first: dict[str, Any]
    others: tuple[dict[str, Any], ...]

    @property
    def evidence(self) -> list[dict[str, Any]]:
        """What all of them rest on."""
        return [item for action in (self.first, *self.others) for item in action["evidence"]]

    @property
    def is_sure(self) -> bool:
        """Whether the whole interval of its gain lies above nothing."""
        interval = self.first["expectedGainInterval"]
        return interval is not None and interval["low"] > 0


async def show_actions(request: PageRequest) -> Response:
    """List the actions of a brand."""
    return await _render_actions(request, request.http.path_params["brand_id"])


async def decide_action(request: PageRequest) -> Response:
    """Store what a person decided of an action, and lead back to the list."""
    typed = await request.read_form()
    state = typed.get("state", "")
    arguments: dict[str, Any] = {"state": state}
    if state == "done" and typed.get("doneOn"):
        arguments["doneOn"] = typed["doneOn"]
    if state == "dismissed":
        arguments["reason"] = typed.get("reason", "").strip()
    wanted = [request.http.path_params["action_id"], *typed.get("others", "").split()[:PAGE_SIZE]]
    brand_id = typed.get("brand", "")
    for action_id in wanted:
        decided = await request.try_tool("update_action", {"actionId": action_id, **arguments})
        if isinstance(decided, ToolFault):
            words = "Say why it is dismissed." if state == "dismissed" else decided.words
            return await _render_actions(request, brand_id, words, wanted[0])
        brand_id = decided["brandId"]
    return request.redirect(f"/brands/{brand_id}/actions?state=open&told={state}")


async def _render_actions(
    request: PageRequest, brand_id: str, fault: str | None = None, at: str | None = None
) -> Response:
    profile = await request.call_tool("get_brand_profile", brandId=brand_id)
    if profile is None:
        raise PageNotFound
    query = request.http.query_params
    state = query.get("state", "open") if query.get("state", "open") in STATES else "open"
    kind = query.get("kind", "") if query.get("kind", "") in KINDS else ""
    number = parse_page_number(query.get("page"))
    listed = await request.call_tool(
        "list_actions",
        brandId=profile["id"],
        limit=PAGE_SIZE,
        offset=(number - 1) * PAGE_SIZE,
        **({"state": state} if state else {}),
        **({"kind": kind} if kind else {}),
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
        folded=fold(listed["actions"]),
        place=(number - 1) * PAGE_SIZE,
        kind=kind,
        kinds=KINDS,
        efforts=EFFORTS,
        owners=OWNERS,
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


def fold(actions: Sequence[dict[str, Any]]) -> list[FoldedAction]:
    """Fold the actions of one kind and state that say the same, at the place of the first."""
    alike: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for action in actions:
        alike.setdefault((action["kind"], action["state"], action["title"]), []).append(action)
    return [FoldedAction(group[0], tuple(group[1:])) for group in alike.values()]
