"""The actions page: a board by state and kind with evidence, drafts, and forms to decide about actions."""

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.responses import Response

from measurement.planning.published_items import drafts_for_prompts
from measurement.statistics.interventions import InterventionReport, report_intervention
from storage.repositories.accounts import User
from web.charts.small_charts import change_bar
from web.errors import PageNotFound
from web.request import PageRequest, ToolFault
from web.table_export import list_response
from web.view_filters import count_pages, parse_page_number
from workflows.intervention_checks import effect_words, explanation

PAGE_SIZE = 50
COLUMNS = {"open": "To do", "planned": "Doing", "done": "Done", "dismissed": "Dismissed"}
STATES = {**COLUMNS, "": "All"}
KINDS = {
    "bot_access": "Unblock AI crawlers",
    "crawler_error": "Fix broken pages",
    "content_gap": "Fill content gaps",
    "readiness": "Improve site readiness",
    "accuracy": "Correct wrong facts",
    "reputation": "Improve reputation",
}
EFFORTS = {"hours": "Hours", "days": "Days", "weeks": "Weeks"}
OWNERS = {"website": "Website team", "content": "Content team", "communications": "Communications team"}
DRAFTING = {
    "bot_access": "fix_visibility",
    "crawler_error": "fix_visibility",
    "content_gap": "fix_visibility",
    "readiness": "fix_visibility",
    "accuracy": "reputation_shield",
    "reputation": "reputation_shield",
}
"""The workflow that drafts what an action of each kind needs."""
MOST_EFFECTS = 5
"""Completed actions on the board whose effect is computed; each takes two periods."""

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
class ActionGroup:
    """Actions of one kind, the first of which may gain most."""

    kind: str
    rows: tuple[FoldedAction, ...]

    @property
    def count(self) -> int:
        """Number of actions, with equal ones."""
        return sum(1 + len(row.others) for row in self.rows)


@dataclass(frozen=True, slots=True)
class ActionColumn:
    """The actions of one state, by kind."""

    state: str
    title: str
    groups: Sequence[ActionGroup]
    total: int
    shown: int


@dataclass(frozen=True, slots=True)
class PromptGroupChange:
    """The mean score of the action's prompts, or of the control prompts, before and after it, with its drawing."""

    title: str
    prompts: int
    before: float
    after: float
    bar: Markup


def _groups_of(report: InterventionReport) -> Sequence[PromptGroupChange]:
    """Return what the effect compares: the action's prompts and those that no action was about."""
    effect = report.effect
    if effect is None or effect.treated is None or effect.untreated is None:
        return ()
    sides = (("Prompts of this action", effect.treated), ("Control prompts", effect.untreated))
    return [
        PromptGroupChange(
            title,
            group.prompts,
            100 * group.before,
            100 * group.after,
            change_bar(100 * group.before, 100 * group.after),
        )
        for title, group in sides
    ]


@dataclass(frozen=True, slots=True)
class ActionEffect:
    """The measured effect of a completed action: its stage, the verdict and the numbers behind it."""

    stage: str
    verdict: str
    numbers: str
    groups: Sequence[PromptGroupChange] = ()

    @classmethod
    def of(cls, report: InterventionReport) -> "ActionEffect":
        """Summarize a report."""
        if report.stage == "waiting":
            return cls("Too early", "", explanation(report))
        return cls(
            "Early result" if report.stage == "early" else "Verdict",
            effect_words(report),
            explanation(report),
            _groups_of(report),
        )


@dataclass(frozen=True, slots=True)
class ActionFilters:
    """Filters of a brand's actions. Empty values do not filter; `who` is the id of a colleague.

    Without a `state` the page is the board of all states.
    """

    brand_id: str
    state: str | None
    kind: str
    who: str

    @classmethod
    def of(cls, brand_id: str, typed: Mapping[str, str]) -> "ActionFilters":
        """Read the filters from a URL or a form."""
        return cls(
            brand_id,
            typed.get("state") if typed.get("state") in STATES else None,
            typed.get("kind", "") if typed.get("kind") in KINDS else "",
            typed.get("who", ""),
        )

    def address(self, ending: str = "", **changed: str | int | None) -> str:
        """Return the URL of the page with these filters, some changed. The endings `.csv` and `.json` export it."""
        fields = {"state": self.state, "who": self.who, "kind": self.kind, **changed}
        chosen = {
            name: value
            for name, value in fields.items()
            if value is not None and (value != "" or name == "state")
        }
        query = f"?{urlencode(chosen)}" if chosen else ""
        return f"/brands/{self.brand_id}/actions{ending}{query}"

    def arguments(self, people: Mapping[str, User]) -> dict[str, str]:
        """Return the filters as tool arguments, with the email address of the chosen assignee."""
        chosen = {
            "state": self.state or "",
            "kind": self.kind,
            "assignee": people[self.who].email if self.who in people else "",
        }
        return {name: value for name, value in chosen.items() if value}


async def show_actions(request: PageRequest) -> Response:
    """Show the actions of a brand as a board, or those of one state as a list."""
    return await _render_actions(request, request.http.path_params["brand_id"])


async def export_actions(request: PageRequest) -> Response:
    """Export the actions of the view as CSV or JSON, in page order, one row per action."""
    profile = await request.load_brand()
    filters = ActionFilters.of(profile["id"], request.http.query_params)
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
    view = {**typed, "state": typed.get("view", "board")}
    return request.redirect(ActionFilters.of(brand_id, view).address(moved=state))


async def _render_actions(
    request: PageRequest, brand_id: str, fault: str | None = None, at: str | None = None
) -> Response:
    profile = await request.call_tool("get_brand_profile", brandId=brand_id)
    if profile is None:
        raise PageNotFound
    query = request.http.query_params
    filters, people = ActionFilters.of(profile["id"], query), await request.load_colleagues()
    if filters.who not in people:
        filters = replace(filters, who="")
    number = 1 if filters.state is None else parse_page_number(query.get("page"))
    chosen = filters.arguments(people)
    states = list(COLUMNS) if filters.state is None else [filters.state]
    loaded = await asyncio.gather(
        *(
            request.call_tool(
                "list_actions",
                brandId=profile["id"],
                limit=PAGE_SIZE,
                offset=(number - 1) * PAGE_SIZE,
                **{**chosen, **({"state": state} if state else {})},
            )
            for state in states
        )
    )
    listed = [result for result in loaded if result is not None]
    if len(listed) < len(loaded):
        raise PageNotFound
    columns = [
        ActionColumn(
            state,
            STATES[state],
            group_actions(result["actions"]),
            result["total"],
            len(result["actions"]),
        )
        for state, result in zip(states, listed, strict=True)
    ]
    actions = [action for result in listed for action in result["actions"]]
    return request.render(
        "actions/actions.html",
        422 if fault else 200,
        brand=profile,
        drafts=await drafts_for_prompts(
            request.workspace,
            profile["id"],
            [action["promptId"] for action in actions if action["promptId"]],
        ),
        columns=columns,
        filters=filters,
        people=people,
        names={colleague.email: colleague.name for colleague in people.values()},
        kinds=KINDS,
        efforts=EFFORTS,
        owners=OWNERS,
        total=sum(column.total for column in columns),
        states=STATES,
        moved_to=STATES.get(query.get("moved", "")) if query.get("moved") else None,
        effects=await _load_effects(request, profile["id"], actions, query.get("effect", "")),
        drafting=await _load_drafting(request),
        once=secrets.token_urlsafe(16),
        fault=fault,
        at=at,
        today=request.services.now().date().isoformat(),
        number=number,
        pages=count_pages(columns[0].total, PAGE_SIZE) if filters.state is not None else 1,
    )


async def _load_drafting(request: PageRequest) -> dict[str, dict[str, Any]]:
    """Return the workflow that drafts for each kind of action, where the company can start it now."""
    if request.signed_in.viewer:
        return {}
    listed = await request.call_tool("list_workflows")
    offers = {offer["id"]: offer for offer in listed["workflows"]} if listed else {}
    return {
        kind: offers[workflow]
        for kind, workflow in DRAFTING.items()
        if workflow in offers and offers[workflow]["availableOnPlan"]
    }


async def _load_effects(
    request: PageRequest, brand_id: str, actions: Sequence[Mapping[str, Any]], wanted: str
) -> dict[str, ActionEffect]:
    """Return the effects of the newest completed actions, and of the one that the URL names, by action."""
    workspace = request.workspace
    brand = await workspace.brands.find(brand_id)
    if brand is None:
        return {}
    done = sorted(
        (action for action in actions if action["state"] == "done"), key=lambda action: action["doneOn"]
    )
    ids = dict.fromkeys(
        [action["actionId"] for action in done[-MOST_EFFECTS:]] + ([wanted] if wanted else [])
    )
    effects: dict[str, ActionEffect] = {}
    for action_id in ids:
        action = await workspace.actions.find(action_id)
        if action is None or action.brand_id != brand.id:
            continue
        report = await report_intervention(workspace, brand, action, request.services.now())
        if report is not None:
            effects[action.id] = ActionEffect.of(report)
    return effects


def group_actions(actions: Sequence[dict[str, Any]]) -> list[ActionGroup]:
    """Group actions by kind, each group at the position of its first action."""
    kinds: dict[str, list[FoldedAction]] = {}
    for row in fold(actions):
        kinds.setdefault(row.first["kind"], []).append(row)
    return [ActionGroup(kind, tuple(rows)) for kind, rows in kinds.items()]


def fold(actions: Sequence[dict[str, Any]]) -> list[FoldedAction]:
    """Group equal actions of the same kind and state, at the position of the first."""
    alike: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for action in actions:
        alike.setdefault((action["kind"], action["state"], action["title"]), []).append(action)
    return [FoldedAction(group[0], tuple(group[1:])) for group in alike.values()]
