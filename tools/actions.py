"""The action tools: one ranked list of recommended actions, and the decisions that users made about them."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Literal, cast

from pydantic import Field

from measurement.statistics.expected_gains import WORK, IssueKind
from storage.documents import StoredEvidence
from storage.repositories.accounts import User, folded
from storage.repositories.actions import Action, ActionChoice, ActionDecision
from storage.workspace import Workspace
from tools.calls.call import NamedBrandIfAny, ThisCall
from tools.calls.errors import NotFound, ToolRefusal
from tools.calls.parameters import (
    NEXT_CALL,
    STORABLE,
    UNSAID,
    Clearable,
    CompanyWideBrandId,
    Examples,
    Limit,
    Offset,
    Omissible,
    Unsaid,
)
from tools.calls.schemas import when
from tools.calls.table import ToolFamily
from tools.calls.wire import (
    POINT_DECIMALS,
    Interval,
    ListWindow,
    Page,
    Wire,
    harmless,
    place_of,
    rounded_interval,
    untrusted_fields,
)

if TYPE_CHECKING:
    from analytics.intervention import ExpectedGain
    from measurement.statistics.interventions import InterventionReport

family = ToolFamily()

LONGEST_QUOTE = 500
MOST_EVIDENCE = 5
MOST_EFFECTS = 20
"""Done actions of a page whose effect is measured; each may take the answers of two periods."""
GAIN_DECIMALS = 1

ActionState = Literal["open", "planned", "done", "dismissed"]
StateFilter = Annotated[ActionState, Field(description="Only actions in this state.")]
NewState = Annotated[
    ActionState,
    Field(
        description="open takes a decision back; done: with doneOn; dismissed: with reason.",
        examples=["done"],
    ),
]
ActionKind = Annotated[IssueKind, Field(description="Only actions about this kind of issue.")]
ActionId = Annotated[
    str,
    Field(min_length=1, max_length=64, description="Id from list_actions.", examples=[Examples.ACTION_ID]),
]
DoneOn = Annotated[date, Field(description="Day (UTC) it was done; else today.", examples=["2026-01-15"])]
Reason = Annotated[str, Field(min_length=1, max_length=500, description="Why it is dismissed."), STORABLE]


AssignedTo = Annotated[
    str,
    Field(min_length=3, max_length=254, description="Assigned to this e-mail."),
]
Assignee = Annotated[
    Clearable[Annotated[str, Field(min_length=3, max_length=254)]],
    Field(description="E-mail of the assignee; null: unassigned."),
]


class ActionEvidence(Wire):
    """What an action rests on."""

    source: str = Field(
        description="Where it stands: answer, prompt, page, profile, repository_item and such."
    )
    quote: str | None
    url: str | None
    answerId: str | None = Field(description="get_answer opens it.")


class MeasuredEffect(Wire):
    """What a done action changed: its prompts against the others, from 28 days before it."""

    stage: Literal["waiting", "early", "verdict"] = Field(
        description="early after 7 days, verdict after 28, waiting before."
    )
    verdict: str | None = Field(
        description="rose, fell, no_effect_found or not_comparable; null while waiting."
    )
    reason: str | None = Field(description="Why it is not comparable; else null.")
    difference: float | None = Field(
        description="Change of its prompts less that of the others, in points of the score."
    )
    interval: Interval | None = Field(description="95 % interval of that difference.")
    prompts: int | None = Field(description="Its prompts that were asked before and after.")
    otherPrompts: int | None
    nextCheck: date | None
    statement: str = Field(description="The result in words; only these words are permitted by the data.")


class ActionView(Wire):
    """One thing to do."""

    actionId: str
    brandId: str
    brandName: str
    kind: str
    title: str
    severity: str
    state: str
    doneOn: date | None
    reason: str | None
    resolved: bool = Field(description="Whether what it is about is not seen any more.")
    expectedGain: float | None = Field(
        description="Points that the score would rise by if its prompt did as well as the best ones with the same tag "
        "on the same engine; null without brandId, and while nothing measured says how much."
    )
    expectedGainInterval: Interval | None = Field(description="95 % interval of expectedGain.")
    effect: MeasuredEffect | None = Field(
        description="What a done action changed; null without brandId, and for actions that are not done."
    )
    effort: str = Field(
        description="What this kind usually takes: hours, days or weeks; a rule, not measured."
    )
    owner: str = Field(description="Whose work this kind usually is: website, content or communications.")
    assignee: str | None
    url: str | None
    promptId: str | None = Field(description="The prompt it is about, for get_prompt_results, or null.")
    evidence: list[ActionEvidence]
    occurrences: int
    firstSeen: datetime
    lastSeen: datetime


class ChangedAction(ActionView):
    """One action."""

    untrusted: list[str] = untrusted_fields(
        "title", "url", "reason", "brandName", "evidence[].quote", "evidence[].url"
    )


class Actions(Page):
    """A page of actions: of a brand by what they may gain after what is critical, of all brands worst first."""

    window = ListWindow("actions")

    actions: list[ActionView]
    notice: str | None
    untrusted: list[str] = untrusted_fields(
        "actions[].title",
        "actions[].url",
        "actions[].reason",
        "actions[].brandName",
        "actions[].evidence[].quote",
        "actions[].evidence[].url",
    )


@family.read("List actions")
async def list_actions(
    call: ThisCall,
    brand: NamedBrandIfAny,
    brandId: Omissible[CompanyWideBrandId] = None,
    state: Omissible[StateFilter] = None,
    kind: Omissible[ActionKind] = None,
    assignee: Omissible[AssignedTo] = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> Actions:
    """Return what to do next, most important first: issues, content gaps, wrong claims; of done actions what they
    changed. update_action records what was done."""
    workspace = await call.workspace()
    choice = ActionChoice(state, kind, (await _colleague(workspace, assignee)).email if assignee else None)
    gains: Mapping[str, ExpectedGain] = {}
    effects: Mapping[str, InterventionReport] = {}
    done: Sequence[Action] = ()
    if brand is None:
        listed, total = await workspace.actions.page(None, choice, limit, offset)
    else:
        from measurement.statistics.expected_gains import (  # statistics, for one brand's list
            brand_gains,
            rank_actions,
        )

        known = await brand_gains(workspace, brand, call.today + timedelta(days=1))
        ranked = await rank_actions(workspace, brand, choice, (limit, offset), known)
        listed, gains, total = ranked.actions, ranked.gains, ranked.total
        if done := [action for action in listed if action.state == "done"]:
            from measurement.statistics.interventions import report_interventions

            effects = await report_interventions(workspace, brand, done[:MOST_EFFECTS], call.now())
    return Actions(
        actions=[
            _action_view(action, gains.get(action.subject), effects.get(action.id)) for action in listed
        ],
        **place_of(total, limit, offset),
        notice=f"Effects are shown of the first {MOST_EFFECTS} done actions of a page; use limit and offset."
        if len(done) > MOST_EFFECTS
        else None,
    )


@family.write(
    "Update action",
    destructive=False,
    idempotent=True,
    rules=lambda: [
        when("state", {"const": "dismissed"}, {"required": ["reason"]}, {"properties": {"reason": False}}),
        when("state", {"const": "done"}, {}, {"properties": {"doneOn": False}}),
    ],
)
async def update_action(
    actionId: ActionId,
    state: NewState,
    call: ThisCall,
    doneOn: Omissible[DoneOn] = None,
    reason: Omissible[Reason] = None,
    assignee: Assignee = UNSAID,
) -> ChangedAction:
    """Record that an action is planned, done, dismissed or open again, and who does it. list_actions gives ids."""
    workspace = await call.workspace()
    action = await workspace.actions.find(actionId)
    if action is None:
        raise NotFound("action", NEXT_CALL["actionId"])
    today = call.now().date()
    if doneOn is not None and (state != "done" or doneOn > today):
        raise ToolRefusal(
            "doneOn does not fit", "Send doneOn with the state done only, and no day of the future."
        )
    if (reason is not None) != (state == "dismissed"):
        raise ToolRefusal("reason does not fit", "Send a reason with the state dismissed, and only then.")
    if isinstance(assignee, Unsaid):
        assignee_id = action.assignee_id
    else:
        assignee_id = (await _colleague(workspace, assignee)).id if assignee else None
    decision = ActionDecision(state, (doneOn or today) if state == "done" else None, reason, assignee_id)
    await workspace.actions.decide(action, decision, call.now())
    decided = await workspace.actions.find(actionId)
    assert decided is not None
    return ChangedAction(**dict(_action_view(decided)))


async def _colleague(workspace: Workspace, address: str) -> User:
    """Return the person of the workspace who has an e-mail address. Raises ToolRefusal."""
    for colleague in await workspace.colleagues.all():
        if colleague.email == folded(address):
            return colleague
    raise ToolRefusal(
        "assignee is not in the workspace",
        "Send the e-mail address of a colleague listed on the People page.",
    )


def _action_view(
    action: Action, gain: "ExpectedGain | None" = None, effect: "InterventionReport | None" = None
) -> ActionView:
    """Return one action as it is shown, with what it may gain or has changed where that is known."""
    work = WORK[cast("IssueKind", action.kind)]
    return ActionView(
        actionId=action.id,
        brandId=action.brand_id,
        brandName=action.brand_name,
        kind=action.kind,
        title=harmless(action.title),
        severity=action.severity,
        state=action.state,
        doneOn=action.done_on,
        reason=action.reason,
        resolved=action.resolved,
        expectedGain=None if gain is None else round(gain.points, GAIN_DECIMALS),
        expectedGainInterval=None if gain is None else _gain_interval(gain),
        effect=None if effect is None else _effect_view(effect),
        effort=work.effort,
        owner=work.owner,
        assignee=action.assignee,
        url=harmless(action.url) if action.url else None,
        promptId=action.subject if action.kind == "content_gap" else None,
        evidence=[_evidence_view(item) for item in action.evidence[:MOST_EVIDENCE]],
        occurrences=action.occurrences,
        firstSeen=action.first_seen,
        lastSeen=action.last_seen,
    )


def _effect_view(report: "InterventionReport") -> MeasuredEffect:
    from workflows.intervention_checks import statement_of_effect

    effect = report.effect
    interval = effect.interval if effect else None
    return MeasuredEffect(
        stage=report.stage,
        verdict=effect.verdict if effect else None,
        reason=effect.reason if effect else None,
        difference=None if effect is None or effect.effect is None else round(effect.effect, POINT_DECIMALS),
        interval=rounded_interval(interval),
        prompts=effect.treated.prompts if effect and effect.treated else None,
        otherPrompts=effect.untreated.prompts if effect and effect.untreated else None,
        nextCheck=report.next_look,
        statement=statement_of_effect(report),
    )


def _gain_interval(gain: "ExpectedGain") -> Interval:
    low, high = gain.interval
    return Interval(low=round(low, GAIN_DECIMALS), high=round(high, GAIN_DECIMALS))


def _evidence_view(item: StoredEvidence) -> ActionEvidence:
    return ActionEvidence(
        source=item.type,
        quote=harmless(item.excerpt, LONGEST_QUOTE) if item.excerpt else None,
        url=harmless(item.url, LONGEST_QUOTE) if item.url else None,
        answerId=(item.id or None) if item.type == "answer" else None,
    )
