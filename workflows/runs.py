"""Starts, cancels and lists workflow runs, and reserves their credits."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from engines.registry import Registry
from measurement.errors import Missing
from measurement.planning.costs import Costs
from storage.ids import new_id
from storage.plans import PLANS, covers
from storage.repositories.brands import Brand
from storage.repositories.runs.runs import RunDraft
from storage.workspace import Workspace
from workflows.configurations import (
    NO_CONFIGURATION,
    AgentConfiguration,
    stored_configuration,
    stored_step_configurations,
)
from workflows.credits import balance, period_of
from workflows.definitions import AGENT_KINDS
from workflows.engine.durable_functions import Stages
from workflows.engine.run_engine import RunEngine
from workflows.errors import NoRoom, RunRefused
from workflows.pricing import UNSET, Bundle, Pricing, missing
from workflows.run_events import log_run_ended
from workflows.system_alerts import low_credits
from workflows.workflow_definitions import WORKFLOWS, Workflow
from workflows.workflow_plans import WorkflowPlan, active_plans, find_custom, plan_workflow

MEASURED_AFTER = 5
MEASURED_RUNS = 20


@dataclass(frozen=True, slots=True)
class StartedRun:
    """A run that was admitted and waits; `equal_run` is a live one that asks for the same."""

    run_id: str
    workflow: Workflow
    brand: Brand
    priority: str
    reserved: int
    duration: tuple[int, int]
    equal_run: str | None


@dataclass(frozen=True, slots=True)
class SingleAgentRun:
    """A run of a single agent; `workflow` says what it belongs to, `instance` is (key, version) of a reusable one."""

    agent: str
    workflow: str
    brand: Brand
    configuration: AgentConfiguration
    context: str | None = None
    priority: str = "normal"
    instance: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """A workflow as this company would get it now."""

    workflow: Workflow
    cost: int
    duration: tuple[int, int]
    measured: bool
    available: bool
    missing: tuple[str, ...]


class RunService:
    """Where runs are asked for; it writes in the caller's transaction."""

    def __init__(self, engine: RunEngine, pricing: Pricing, costs: Costs | None = None) -> None:
        self.engine = engine
        self.pricing = pricing
        self._costs = costs

    @property
    def costs(self) -> Costs:
        """Who knows what asking costs."""
        if self._costs is None:
            raise RuntimeError("this service starts runs without knowing what they cost")
        return self._costs

    @property
    def engines(self) -> Registry:
        """Every engine there is."""
        return self.pricing.engines

    async def start(
        self,
        writing: Workspace,
        workflow_id: str,
        brand_name: str | None,
        *,
        context: str | None = None,
        priority: str = "normal",
        now: datetime,
    ) -> StartedRun:
        """Check, reserve and queue a run. Raises Missing or RunRefused; nothing stays then."""
        plan_name = await writing.credits.lock()
        workflow, brand, plan = await find_workflow(writing, workflow_id, brand_name)
        if not covers(plan_name, workflow.plans):
            holders = " and ".join(workflow.plans)
            has = "has" if len(workflow.plans) == 1 else "have"
            raise RunRefused(
                f"{workflow.id} is not part of the {plan_name} plan; {holders} {has} it",
                "Call list_workflows for the workflows of this plan.",
            )
        configurations = plan.configurations if plan else UNSET
        agents = tuple(await self.pricing.prices(writing, brand, workflow.agents, configurations))
        draft = RunDraft(
            id=new_id(),
            brand_key=brand.key,
            workflow=workflow.id,
            priority=priority,
            context=context,
            configuration=stored_step_configurations(configurations)
            if plan
            else stored_configuration(NO_CONFIGURATION),
            period=period_of(now),
            agents=agents,
            workflow_version=plan.version if plan else None,
        )
        equal_run = await writing.runs.equal_live(workflow.id, brand.key, context)
        await self._open(writing, plan_name, draft, workflow.needed(), now)
        duration, _ = duration_of(workflow, await writing.runs.durations(MEASURED_RUNS, workflow.id))
        return StartedRun(draft.id, workflow, brand, priority, draft.cost, duration, equal_run)

    async def start_alone(self, writing: Workspace, task: SingleAgentRun, now: datetime) -> RunDraft:
        """Check, reserve and queue a run of one agent. Raises RunRefused; nothing stays then."""
        plan_name = await writing.credits.lock()
        brand = await writing.brands.find(task.brand.id)  # its deletion may have been planned while we waited
        if brand is None:
            raise Missing("brand")
        refuse_archived(brand)
        if task.agent not in AGENT_KINDS:
            raise RunRefused(
                f"this version of the service has no agent {task.agent}",
                "Call create_reusable_agent for one of those it has.",
            )
        draft = RunDraft(
            id=new_id(),
            brand_key=task.brand.key,
            workflow=task.workflow,
            priority=task.priority,
            context=task.context,
            configuration=stored_configuration(task.configuration),
            period=period_of(now),
            agents=tuple(
                await self.pricing.prices(
                    writing, task.brand, (task.agent,), {task.agent: task.configuration}
                )
            ),
            instance=task.instance,
        )
        await self._open(writing, plan_name, draft, [{task.agent: []}], now)
        return draft

    async def _open(
        self, writing: Workspace, plan_name: str, draft: RunDraft, stages: Stages, now: datetime
    ) -> None:
        await admit(writing, plan_name, draft.cost, now)
        await writing.runs.open(draft, now)
        await self.engine.enqueue(writing, draft.id, stages, draft.priority)
        alert = low_credits(await balance(writing, now), now)
        if alert is not None:
            await writing.notifications.add(alert, now)

    async def offers(self, workspace: Workspace) -> list[Offer]:
        """Return every workflow with its price, duration, and what it lacks here.

        The price is that of the workspace's brand; of several, that of the dearest one.
        """
        plan = await workspace.credits.plan()
        brand_keys = await workspace.brands.active_keys()
        custom = {offered.workflow.id: offered for offered in await active_plans(workspace)}
        workflows = [*WORKFLOWS.values(), *(offered.workflow for offered in custom.values())]
        bundles: dict[str, Bundle] = {
            workflow.id: (
                workflow.agents,
                custom[workflow.id].configurations if workflow.id in custom else UNSET,
            )
            for workflow in workflows
        }
        ready = await self.pricing.ready(workspace.company_id)
        costs = await self.pricing.dearest(workspace, ready, brand_keys, bundles)
        taken = await workspace.runs.durations(MEASURED_RUNS)
        offers: list[Offer] = []
        for workflow in workflows:
            duration, measured = duration_of(workflow, taken)
            lacking = missing(ready, workflow.agents)
            on_plan = covers(plan, workflow.plans)
            offers.append(Offer(workflow, costs[workflow.id], duration, measured, on_plan, lacking))
        return offers


async def find_workflow(
    workspace: Workspace, workflow_id: str, brand_name: str | None
) -> tuple[Workflow, Brand, WorkflowPlan | None]:
    """Return a workflow, the brand to run it for, and the plan of one that the company made.

    Raises Missing or RunRefused.
    """
    own = WORKFLOWS.get(workflow_id)
    custom = None if own else await find_custom(workspace, workflow_id)
    brand = await brand_of(workspace, brand_name)
    plan = await plan_workflow(workspace, custom) if custom else None
    return plan.workflow if plan else WORKFLOWS[workflow_id], brand, plan


async def brand_of(workspace: Workspace, name_or_id: str | None) -> Brand:
    """Return the brand that is named, or the only one. Raises Missing or RunRefused."""
    if name_or_id is not None:
        brand = await workspace.brands.find(name_or_id)
        if brand is None:
            raise Missing("brand")
        refuse_archived(brand)
        return brand
    brands = await workspace.brands.active()
    if len(brands) == 1:
        return brands[0]
    reason = "the company has several brands: brandId must name one" if brands else "the company has no brand"
    raise RunRefused(reason, "Call list_brand_profiles first to obtain brand ids.")


def refuse_archived(brand: Brand) -> None:
    """Raise RunRefused for an archived brand."""
    if brand.archived_at is not None:
        raise RunRefused(
            f"{brand.name} is archived: it keeps its history and is not measured",
            "Bring it back with update_brand_profile and archived false.",
        )


async def admit(writing: Workspace, plan_name: str, cost: int, now: datetime) -> None:
    """Check the concurrent-run limit, then the credits, under the company's lock. Raises RunRefused."""
    limit = PLANS[plan_name].running
    live = await writing.runs.live()
    if live >= limit:
        raise NoRoom(
            f"{live} of {limit} concurrent runs of the {plan_name} plan are pending or running",
            "Wait, or call list_workflow_runs and end one with cancel_workflow_run.",
        )
    have = (await balance(writing, now)).available
    if have < cost:
        raise RunRefused(
            f"it costs {cost} credits and {have} are available",
            "Call get_credits for the balance and the reset date.",
        )


async def cancel(writing: Workspace, run_id: str, now: datetime) -> None:
    """Cancel a live run and refund it whole. Raises Missing or RunRefused, which names the state.

    The caller notifies the engine when the transaction has committed.
    """
    run = await writing.runs.hold(run_id)
    if run is None:
        raise Missing("run")
    if not await writing.runs.close(run.id, "cancelled", now, charged=False):
        raise RunRefused(
            "only pending or running runs can be cancelled",
            f"The run is {run.status}. Call get_run_status for its results.",
        )
    log_run_ended(run, writing.company_id, run.workflow, "cancelled", now)


async def cancel_runs_of(writing: Workspace, brand: Brand, now: datetime) -> None:
    """Cancel every live run of a brand and refund it; the engine hears of it when runs are reconciled.

    Holds the lock that starting a run takes before it reads the brand.
    """
    await writing.credits.lock()
    for run_id in await writing.runs.live_of_brand(brand.key):
        with suppress(RunRefused):  # it has ended meanwhile
            await cancel(writing, run_id, now)


def duration_of(workflow: Workflow, durations: Mapping[str, Sequence[float]]) -> tuple[tuple[int, int], bool]:
    """Return the expected (low, high) seconds, and whether they are the median of this company's runs.

    `durations` are those of the newest runs by workflow.
    """
    taken = durations.get(workflow.id, ())
    if len(taken) < MEASURED_AFTER:
        return workflow.duration, False
    middle = max(round(median(taken)), 1)
    return (middle, middle), True
