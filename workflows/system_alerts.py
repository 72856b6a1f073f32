"""System alerts: low credits, overdue monitors, and runs that failed, with the display name of a run."""

from dataclasses import dataclass
from datetime import datetime

from storage.repositories.notifications import NotificationDraft
from storage.repositories.runs.runs import Run
from storage.workspace import Workspace
from workflows.configurations import ConfigurationDocument
from workflows.credits import Balance, period_of
from workflows.workflow_definitions import PROMPT_SET, WORKFLOWS

LOW = 0.1
"""Share of a month's credits under which people are warned."""


def low_credits(balance: Balance, now: datetime) -> NotificationDraft | None:
    """Return an alert, once a month, when less than a tenth of the credits is left, or None."""
    whole = balance.plan.credits + balance.granted
    if balance.available >= LOW * whole:
        return None
    return NotificationDraft(
        kind="system_alert",
        severity="warning",
        title=f"{balance.available} of {whole} credits are left this month",
        message=f"Workflows that cost more cannot be started. Credits reset on {balance.reset.date()}.",
        dedup_key=f"system_alert:credits:{period_of(now)}",
    )


def monitors_overdue(now: datetime) -> NotificationDraft:
    """Return an alert, once a day and company, that monitors have not run for more than two periods.

    Without a worker, the monitors of all brands are overdue at once.
    """
    return NotificationDraft(
        kind="system_alert",
        severity="warning",
        title="Monitors are overdue",
        message="At least one monitor has not run for more than two days. Check that a worker is running. "
        "Each brand's monitors page shows the last check.",
        dedup_key=f"system_alert:overdue:{now.date().isoformat()}",
        path="/automation",
    )


@dataclass(frozen=True, slots=True)
class RunName:
    """A name, and what it is the name of; `kind` is empty for a built-in workflow."""

    name: str
    kind: str = ""

    @property
    def words(self) -> str:
        """The subject of a sentence about the run."""
        return f"{self.kind} “{self.name}”" if self.kind else self.name


async def name_run(workspace: Workspace, run: Run) -> RunName:
    """Return what a run is called; words of what it did where its agent, workflow or set is gone."""
    ours = WORKFLOWS.get(run.workflow)
    if ours is not None:
        return RunName(ours.title)
    if run.instance_id is not None:
        agent = await workspace.agents.find(run.instance_id)
        return RunName(agent.name, "The agent") if agent else RunName("A run of an agent")
    if run.workflow == PROMPT_SET:
        set_id = ConfigurationDocument.load(run.configuration).settings.get("promptSetId")
        asked = await workspace.prompt_sets.find(str(set_id)) if set_id else None
        return RunName(asked.name, "The measurement of") if asked else RunName("A measurement")
    custom = await workspace.custom_workflows.find(run.workflow)
    if custom is not None:
        return RunName(str(custom.definition["name"]), "The workflow")
    words = run.workflow.replace("_", " ").replace("-", " ")
    return RunName(f"{words[:1].upper()}{words[1:]}")


async def notify_run_ended(writing: Workspace, run: Run, status: str, now: datetime) -> None:
    """Notify users of a run that failed or completed in part, in the transaction that closed it."""
    if status not in ("failed", "partial_complete"):
        return
    brand = await writing.brands.find(run.brand_id)
    assert brand is not None
    failed = status == "failed"
    notification = NotificationDraft(
        kind="system_alert",
        severity="warning" if failed else "info",
        title=f"{(await name_run(writing, run)).words} {'failed' if failed else 'completed in part'}",
        message=f"{run.brand_name}: the page of the run says what happened and what to do.",
        dedup_key=f"system_alert:run:{run.id}",
        brand_key=brand.key,
        run_id=run.id,
        path=f"/automation/runs/{run.id}",
    )
    await writing.notifications.add(notification, now)
