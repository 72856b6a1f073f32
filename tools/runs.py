"""Runs asked about: how far one is, what it found, and the list of all."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from measurement.errors import Missing
from storage.repositories.findings import FindingRow
from storage.repositories.runs.run_agents import RunAgent
from storage.repositories.runs.runs import AgentCounts, Run
from storage.workspace import Workspace
from tools.calls.call import ThisCall
from tools.calls.filters import refuse_unknown
from tools.calls.parameters import (
    WHOLE,
    Limit,
    Omissible,
    Priority,
    RunId,
    RunsOffset,
    RunStatus,
    WorkflowOfRuns,
)
from tools.calls.table import ToolFamily
from tools.calls.wire import ListWindow, Page, Wire, place_of, untrusted_fields
from workflows.definitions import AGENT_KINDS, MEANINGS
from workflows.run_reports import read_report, render_report
from workflows.workflow_definitions import ALONE, WORKFLOWS

family = ToolFamily()


class RunProgress(Wire):
    """How many agents have ended; those that were cancelled did not get there."""

    completed: int
    total: int
    percent: int


class Spending(Wire):
    """The credits of one run."""

    reserved: int = Field(description="What the run reserved when it was started.")
    charged: int
    refunded: int


class AgentProgress(Wire):
    """How far one agent is."""

    done: int
    total: int


class RunError(Wire):
    """Why an agent or the run failed."""

    agent: str | None = Field(description="Null when the run as a whole failed.")
    code: str
    message: str
    retryable: bool
    hint: str


class AgentView(Wire):
    """One agent of a run."""

    agent: str
    title: str
    needsEngine: bool
    status: Literal["pending", "running", "completed", "failed", "skipped", "cancelled"]
    credits: int
    startedAt: datetime | None
    finishedAt: datetime | None
    durationMs: int | None
    attempts: int
    summary: str | None
    progress: AgentProgress | None
    error: RunError | None


class FindingEvidence(Wire):
    """What a finding rests on."""

    type: str
    id: str | None = None
    url: str | None = None
    excerpt: str | None = None


class FindingView(Wire):
    """One finding."""

    id: str
    severity: Literal["critical", "warning", "info"]
    kind: str
    title: str
    detail: str
    evidence: list[FindingEvidence]
    fix: str | None
    effort: Literal["small", "medium", "large"] | None
    sourceAgent: str
    checkId: str | None
    issueId: str | None


class RunSummary(Wire):
    """One run in a list."""

    runId: str
    workflowId: str
    agentInstanceId: str | None
    status: RunStatus
    brandId: str
    brandName: str
    priority: Priority
    createdAt: datetime
    startedAt: datetime | None
    finishedAt: datetime | None
    durationMs: int | None
    progress: RunProgress
    credits: Spending


class RunView(RunSummary):
    """Everything about one run."""

    window = ListWindow("findings", "findingsOffset", "findingsNextOffset")

    report: str
    agents: list[AgentView]
    findings: list[FindingView]
    findingsTotal: int
    findingsOffset: int
    findingsNextOffset: int | None = Field(description="findingsOffset of the next ones; null at the end.")
    errors: list[RunError]
    untrusted: list[str] = untrusted_fields(
        "brandName",
        "report",
        "agents[].summary",
        "findings[].title",
        "findings[].detail",
        "findings[].fix",
        "findings[].evidence[].excerpt",
        "findings[].evidence[].url",
    )


class WorkflowRuns(Page):
    """A page of runs, newest first."""

    window = ListWindow("runs")

    runs: list[RunSummary]
    untrusted: list[str] = untrusted_fields("runs[].brandName")


FindingsOffset = Annotated[int, Field(ge=0, description="See findingsNextOffset."), WHOLE]


@family.read("Get run status")
async def get_run_status(runId: RunId, call: ThisCall, findingsOffset: FindingsOffset = 0) -> RunView:
    """Return a run's status, the progress of its agents, findings and errors. Poll it after run_workflow,
    run_prompt_set or run_reusable_agent."""
    workspace = await call.workspace()
    run = await require_run(workspace, runId)
    report = await read_report(workspace, run, call.now())
    agents, findings = report.agents, report.found
    whole = [trouble(None, run.error_code)] if run.error_code else []
    return RunView.model_validate(
        {
            **summary_fields(run, counts_of(agents)),
            "report": "" if run.live else render_report(report),
            "agents": [agent_view(agent) for agent in agents],
            "findings": [_finding_view(finding) for finding in findings[findingsOffset:]],
            "findingsTotal": len(findings),
            "findingsOffset": findingsOffset,
            "findingsNextOffset": None,
            "errors": whole
            + [
                trouble(agent.agent, agent.error_code)
                for agent in agents
                if agent.error_code and agent.error_code != run.error_code
            ],
        }
    )


@family.read("List workflow runs")
async def list_workflow_runs(
    call: ThisCall,
    status: Omissible[Annotated[RunStatus, Field(description="Only runs of this status.")]] = None,
    workflowId: Omissible[WorkflowOfRuns] = None,
    limit: Limit = 20,
    offset: RunsOffset = 0,
) -> WorkflowRuns:
    """Return runs, newest first. For the findings of one use get_run_status."""
    workspace = await call.workspace()
    if workflowId is not None:
        own = {known.workflow for known in await workspace.custom_workflows.all()}
        refuse_unknown("workflow", workflowId, {*WORKFLOWS, *ALONE, *own})
    listed_runs, total = await workspace.runs.page(status, workflowId, limit, offset)
    runs = [RunSummary.model_validate(summary_fields(run, counts)) for run, counts in listed_runs]
    return WorkflowRuns(runs=runs, **place_of(total, limit, offset))


async def require_run(workspace: Workspace, run_id: str) -> Run:
    """Return the run. Raises Missing; another company's run is missing too."""
    run = await workspace.runs.find(run_id)
    if run is None:
        raise Missing("run")
    return run


def counts_of(agents: Sequence[RunAgent]) -> AgentCounts:
    """Count the agents of a run as a list of runs does."""
    return AgentCounts(
        total=len(agents),
        ended=sum(agent.status not in ("pending", "running", "cancelled") for agent in agents),
        completed_price=sum(agent.price for agent in agents if agent.status == "completed"),
    )


def summary_fields(run: Run, counts: AgentCounts) -> dict[str, Any]:
    """Return the fields that list and status share."""
    charged = counts.completed_price if run.status in ("completed", "partial_complete") else 0
    return {
        "runId": run.id,
        "workflowId": run.workflow,
        "agentInstanceId": run.instance_id,
        "status": run.status,
        "brandId": run.brand_id,
        "brandName": run.brand_name,
        "priority": run.priority,
        "createdAt": run.created_at,
        "startedAt": run.started_at,
        "finishedAt": run.finished_at,
        "durationMs": milliseconds(run.started_at, run.finished_at),
        "progress": {
            "completed": counts.ended,
            "total": counts.total,
            "percent": counts.ended * 100 // max(counts.total, 1),
        },
        "credits": {
            "reserved": run.cost,
            "charged": charged,
            "refunded": 0 if run.live else run.cost - charged,
        },
    }


def agent_view(agent: RunAgent) -> dict[str, Any]:
    """Return an agent as it is shown."""
    kind = AGENT_KINDS[agent.agent]
    return {
        "agent": agent.agent,
        "title": kind.title,
        "needsEngine": kind.needs is not None,
        "status": agent.status,
        "credits": agent.price,
        "startedAt": agent.started_at,
        "finishedAt": agent.finished_at,
        "durationMs": milliseconds(agent.started_at, agent.finished_at),
        "attempts": agent.attempts,
        "summary": agent.summary,
        "progress": None if agent.total is None else {"done": agent.done or 0, "total": agent.total},
        "error": trouble(agent.agent, agent.error_code) if agent.error_code else None,
    }


def _finding_view(finding: FindingRow) -> dict[str, Any]:
    return {
        "id": finding.id,
        "severity": finding.severity,
        "kind": finding.kind,
        "title": finding.title,
        "detail": finding.detail,
        "evidence": [evidence.to_json() for evidence in finding.evidence],
        "fix": finding.fix,
        "effort": finding.effort,
        "sourceAgent": finding.agent,
        "checkId": finding.check_id,
        "issueId": finding.issue_id,
    }


def trouble(agent: str | None, code: str) -> dict[str, Any]:
    """Return an error in our words."""
    meaning = MEANINGS[code]
    return {
        "agent": agent,
        "code": code,
        "message": meaning.message,
        "retryable": meaning.retryable,
        "hint": meaning.hint,
    }


def milliseconds(start: datetime | None, end: datetime | None) -> int | None:
    """Return how long something took, or None while it has not begun or not ended."""
    return None if start is None or end is None else round((end - start).total_seconds() * 1000)
