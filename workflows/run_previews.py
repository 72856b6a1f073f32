"""What a run of a workflow would ask and cost; nothing is asked, reserved or stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from engines.settings import LOCAL
from measurement.extraction.tone_judging import judging_plan
from measurement.planning.ask_plan import AskPlan
from storage.repositories.brands import Brand
from storage.repositories.prompts import Prompt
from storage.workspace import Workspace
from workflows.configurations import (
    NO_CONFIGURATION,
    ProberConfiguration,
    ReputationConfiguration,
    settings_of,
)
from workflows.credits import balance
from workflows.definitions import MOST_JUDGINGS
from workflows.errors import AgentFailed
from workflows.pricing import UNSET, Configurations, missing
from workflows.prober_questions import REPUTATION_QUESTIONS, ask_settings_of, market_plans
from workflows.runs import MEASURED_RUNS, RunService, duration_of, find_workflow
from workflows.workflow_definitions import Workflow


@dataclass(frozen=True, slots=True)
class RunPreview:
    """A run as it would be started now.

    `asks` are questions to engines, `money` their expected cost by currency, with the most that a judge of the answers
    may cost, and `unpriced` engines without a configured price. `unavailable` are engines without a key, which are
    planned where no other can be asked, and `missing` the kinds of engine that agents need and none is configured of.
    """

    workflow: Workflow
    brand: Brand
    credits: int
    credits_available: int
    duration: tuple[int, int]
    asks: int
    money: dict[str, Decimal]
    unpriced: tuple[str, ...]
    unavailable: tuple[str, ...]
    missing: tuple[str, ...]


async def preview_run(
    workspace: Workspace, desk: RunService, workflow_id: str, brand_name: str | None, now: datetime
) -> RunPreview:
    """Plan a run. Raises Missing or RunRefused for an unknown or archived workflow or brand."""
    workflow, brand, plan = await find_workflow(workspace, workflow_id, brand_name)
    configurations = plan.configurations if plan else UNSET
    ready = await desk.pricing.ready(workspace.company_id)
    lacking = missing(ready, workflow.agents)
    planned = ready
    plans = await _question_plans(workspace, desk, brand, workflow.agents, configurations, ready)
    if plans is None:
        planned = desk.engines.platforms
        plans = await _question_plans(workspace, desk, brand, workflow.agents, configurations, planned) or ()
    prices = await desk.pricing.prices(workspace, brand, workflow.agents, configurations, planned)
    money: dict[str, Decimal] = {}
    unpriced: dict[str, None] = {}
    for asked in plans:
        estimated = await desk.costs.preview(workspace.company_id, asked)
        for currency, amount in estimated.totals.items():
            money[currency] = money.get(currency, Decimal(0)) + amount
        unpriced |= dict.fromkeys(estimated.unknown)
    judging = next((platform for platform in ready if platform != LOCAL), None)
    if "tone_judge" in workflow.agents and judging is not None:
        estimated = await desk.costs.preview_writing(
            workspace.company_id, judging_plan(judging, MOST_JUDGINGS)
        )
        for currency, amount in estimated.totals.items():
            money[currency] = money.get(currency, Decimal(0)) + amount
        unpriced |= dict.fromkeys(estimated.unknown)
    platforms = dict.fromkeys(platform for asked in plans for platform in asked.platforms)
    duration, _ = duration_of(workflow, await workspace.runs.durations(MEASURED_RUNS, workflow.id))
    return RunPreview(
        workflow=workflow,
        brand=brand,
        credits=sum(credits for _, credits in prices),
        credits_available=(await balance(workspace, now)).available,
        duration=duration,
        asks=sum(asked.asks for asked in plans),
        money=money,
        unpriced=tuple(unpriced),
        unavailable=tuple(platform for platform in platforms if platform not in ready),
        missing=lacking,
    )


async def _question_plans(
    workspace: Workspace,
    desk: RunService,
    brand: Brand,
    agents: Sequence[str],
    configurations: Configurations,
    ready: Sequence[str],
) -> Sequence[AskPlan] | None:
    """Return what agents would ask of these engines; None where questions find no engine."""
    plans: list[AskPlan] = []
    if "answer_prober" in agents:
        settings = settings_of(ProberConfiguration, configurations.get("answer_prober", NO_CONFIGURATION))
        try:
            plans += await market_plans(workspace, brand, ready, desk.engines, settings)
        except AgentFailed as failed:
            if failed.code != "no_input":
                return None
    if "reputation_prober" in agents:
        asking = settings_of(
            ReputationConfiguration, configurations.get("reputation_prober", NO_CONFIGURATION)
        )
        chosen = ask_settings_of(ready, desk.engines, asking)
        if not chosen.platforms:
            return None
        prompts = tuple(
            Prompt(0, "", text.format(brand=brand.name), None, (), None, None, None, None)
            for text in REPUTATION_QUESTIONS
        )
        plans.append(AskPlan(brand, None, prompts, None, chosen.platforms, chosen.mode, chosen.repeats))
    return plans
