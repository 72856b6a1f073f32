"""The actions page: one ranked list with evidence, and forms to plan, complete or dismiss actions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from starlette.responses import Response

from measurement.planning.published_items import drafts_for_prompts
from measurement.statistics.interventions import InterventionReport, report_intervention
from storage.repositories.accounts import User
from web.errors import PageNotFound
from web.request import PageRequest, ToolFault
from web.table_export import list_response
from web.view_filters import count_pages, parse_page_number
from workflows.intervention_checks import effect_words, explanation

PAGE_SIZE = 50
STATES = {"open": "Open", "planned": "Planned", "done": "Done", "dismissed": "Dismissed", "": "All"}
KINDS = {
    "bot_access": "Let engines read the site",
    "crawler_error": "Fix pages",
    "content_gap": "Answer questions that nothing on the site answers",
    "readiness": "Make the site ready for agents",
    "accuracy": "Correct wrong statements",
    "reputation": "Improve the reputation",
}
EFFORTS = {"hours": "usually takes hours", "days": "usually takes days", "weeks": "usually takes weeks"}
OWNERS = {
    "website": "the website team",
    "content": "the content team",
    "communications": "the communications team",
}

FILE_COLUMNS = (
    "action",
    "kind",
    "severity",
    "state",
    "expected_gain",
    "gain_low",
    "gain_high",
    "effort",
    "owner",
    "assignee",
    "done_on",
    "reason",
    "times_seen",
    "first_seen",
    "last_seen",
    "page",
)


@dataclass(frozen=True, slots=True)
class FoldedAction:
    """The first of several equal actions, and the others. They are decided together."""

    first: dict[str, Any]
    others: tuple[dict[str, Any], ...]

    @property
    def evidence(self) -> list[dict[str, Any]]:
        """The evidence of all of them."""
        return [item for action in (self.first, *self.others) for item in action["evidence"]]

    @property
    def is_sure(self) -> bool:
        """Whether the whole interval of the expected gain is above zero."""
        interval = self.first["expectedGainInterval"]
        return interval is not None and interval["low"] > 0


@dataclass(frozen=True, slots=True)
class ActionEffect:
    """The measured effect of a completed action: its stage, the verdict and the numbers behind it."""

    stage: str
    verdict: str
    numbers: str

    @classmethod
    def of(cls, report: InterventionReport) -> "ActionEffect":
        """Summarize a report."""
        if report.stage == "waiting":
            return cls("Too early to tell", "", explanation(report))
        return cls(
            "Early result" if report.stage == "early" else "Verdict",
            effect_words(report),
            explanation(report),
        )


@dataclass(frozen=True, slots=True)
class ActionFilters:
    """Filters of a brand's action list. Empty values do not filter, and `who` is the id of a colleague."""

    brand_id: str
    state: str
    kind: str
    who: str

    @classmethod
    def of(cls, brand_id: str, typed: Mapping[str, str], state: str) -> "ActionFilters":
        """Read the filters from a URL or a form. `state` is the default when no known state was chosen."""
        wanted = typed.get("state", state)
        return cls(
            brand_id,
            wanted if wanted in STATES else state,
            typed.get("kind", "") if typed.get("kind") in KINDS else "",
            typed.get("who", ""),
        )

    def address(self, ending: str = "", **changed: str | int) -> str:
        """Return the URL of the list with these filters, some changed. The endings `.csv` and `.json` export it."""
        fields = {"state": self.state, "who": self.who, "kind": self.kind, **changed}
        chosen = {name: value for name, value in fields.items() if value != "" or name == "state"}
        return f"/brands/{self.brand_id}/actions{ending}?{urlencode(chosen)}"

    def arguments(self, people: Mapping[str, User]) -> dict[str, str]:
        """Return the filters as tool arguments, with the email address of the chosen assignee."""
        chosen = {
            "state": self.state,
            "kind": self.kind,
            "assignee": people[self.who].email if self.who in people else "",
        }
        return {name: value for name, value in chosen.items() if value}


async def show_actions(request: PageRequest) -> Response:
    """List the actions of a brand."""
    return await _render_actions(request, request.http.path_params["brand_id"])


async def export_actions(request: PageRequest) -> Response:
    """Export the actions of the view as CSV or JSON, in page order, one row per action."""
    profile = await request.load_brand()
    filters = ActionFilters.of(profile["id"], request.http.query_params, "open")
    chosen = filters.arguments(await request.load_colleagues())

    async def load(limit: int, offset: int) -> dict[str, Any] | None:
        return await request.call_for_file(
            "list_actions", brandId=profile["id"], limit=limit, offset=offset, **chosen
        )

    return await list_response(request.http.url.path, "actions", FILE_COLUMNS, load, "actions", _file_row)


def _file_row(action: Mapping[str, Any]) -> tuple[object, ...]:
    interval = action["expectedGainInterval"] or {"low": None, "high": None}
    return (
        action["title"],
        action["kind"],
        action["severity"],
        action["state"],
        action["expectedGain"],
        interval["low"],
        interval["high"],
        action["effort"],
        action["owner"],
        action["assignee"],
        action["doneOn"],
        action["reason"],
        action["occurrences"],
        action["firstSeen"],
        action["lastSeen"],
        action["url"],
    )


async def decide_action(request: PageRequest) -> Response:
    """Store a user's decision about an action and redirect to the list."""
    typed = await request.read_form()
    state = typed.get("state", "")
    arguments: dict[str, Any] = {"state": state}
    if state == "done" and typed.get("doneOn"):
        arguments["doneOn"] = typed["doneOn"]
    if state == "dismissed":
        arguments["reason"] = typed.get("reason", "").strip()
    wanted = [request.http.path_params["action_id"], *typed.get("others", "").split()[:PAGE_SIZE]]
    brand_id, given_to = typed.get("brand", ""), typed.get("assignee")
    if given_to is not None:
        people = await request.load_colleagues()
        if given_to and given_to not in people:
            words = "The person you assigned is no longer in your company. Choose someone else."
            return await _render_actions(request, brand_id, words, wanted[0])
        arguments["assignee"] = people[given_to].email if given_to else None
    for action_id in wanted:
        decided = await request.try_tool("update_action", {"actionId": action_id, **arguments})
        if isinstance(decided, ToolFault):
            words = "Say why it is dismissed." if state == "dismissed" else decided.words
            return await _render_actions(request, brand_id, words, wanted[0])
        brand_id = decided["brandId"]
    return request.redirect(
        ActionFilters.of(brand_id, {**typed, "state": "open"}, "open").address(told=state)
    )


async def _render_actions(
    request: PageRequest, brand_id: str, fault: str | None = None, at: str | None = None
) -> Response:
    profile = await request.call_tool("get_brand_profile", brandId=brand_id)
    if profile is None:
        raise PageNotFound
    query = request.http.query_params
    filters, people = ActionFilters.of(profile["id"], query, "open"), await request.load_colleagues()
    if filters.who not in people:
        filters = replace(filters, who="")
    number = parse_page_number(query.get("page"))
    listed = await request.call_tool(
        "list_actions",
        brandId=profile["id"],
        limit=PAGE_SIZE,
        offset=(number - 1) * PAGE_SIZE,
        **filters.arguments(people),
    )
    if listed is None:
        raise PageNotFound
    return request.render(
        "actions/actions.html",
        422 if fault else 200,
        brand=profile,
        drafts=await drafts_for_prompts(
            request.workspace,
            profile["id"],
            [action["promptId"] for action in listed["actions"] if action["promptId"]],
        ),
        folded=fold(listed["actions"]),
        place=(number - 1) * PAGE_SIZE,
        filters=filters,
        people=people,
        names={colleague.email: colleague.name for colleague in people.values()},
        kinds=KINDS,
        efforts=EFFORTS,
        owners=OWNERS,
        total=listed["total"],
        states=STATES,
        told=query.get("told") if query.get("told") in STATES else None,
        effects=await _load_effect(request, profile["id"], query.get("effect", "")),
        fault=fault,
        at=at,
        today=request.services.now().date().isoformat(),
        number=number,
        pages=count_pages(listed["total"], PAGE_SIZE),
    )


async def _load_effect(request: PageRequest, brand_id: str, action_id: str) -> dict[str, ActionEffect]:
    """Return the effect of one completed action by its id, or nothing; each takes two periods to compute."""
    workspace = request.workspace
    brand = await workspace.brands.find(brand_id)
    action = await workspace.actions.find(action_id) if action_id else None
    if brand is None or action is None or action.brand_id != brand.id:
        return {}
    report = await report_intervention(workspace, brand, action, request.services.now())
    return {action.id: ActionEffect.of(report)} if report else {}


def fold(actions: Sequence[dict[str, Any]]) -> list[FoldedAction]:
    """Group equal actions of the same kind and state, at the position of the first."""
    alike: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for action in actions:
        alike.setdefault((action["kind"], action["state"], action["title"]), []).append(action)
    return [FoldedAction(group[0], tuple(group[1:])) for group in alike.values()]
