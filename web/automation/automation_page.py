"""The automation page with prompt sets, workflows, agents and runs, and the page of one run."""

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.responses import Response

from web.automation.agent_settings import kind_titles
from web.errors import PageNotFound
from web.glossary import plain
from web.request import PageRequest, ToolFault
from web.view_filters import count_pages, parse_page_number
from workflows.run_reports import NOT_DONE, read_report, shown_evidence

MOST_SETS = 100
RUNS_PAGE = 15
MOST_AGENTS = 50


async def show_automation(request: PageRequest) -> Response:
    """Show prompt sets, workflows, agents and the newest runs."""
    return await render_automation(request)


async def render_automation(request: PageRequest, fault: ToolFault | None = None) -> Response:
    """Render the page, with an error when a change was rejected."""
    number = parse_page_number(request.http.query_params.get("page"))
    sets, workflows, agents, runs, credits = await asyncio.gather(
        request.call_tool("list_prompt_sets", limit=MOST_SETS),
        request.call_tool("list_workflows"),
        request.call_tool("list_reusable_agents", limit=MOST_AGENTS),
        request.call_tool("list_workflow_runs", limit=RUNS_PAGE, offset=(number - 1) * RUNS_PAGE),
        request.call_tool("get_credits"),
    )
    if sets is None or workflows is None or runs is None or credits is None:
        raise PageNotFound
    workspace = request.workspace
    own = await workspace.custom_workflows.all()
    return request.render(
        "automation/automation.html",
        422 if fault else 200,
        prompt_sets=sets["promptSets"],
        workflows=workflows["workflows"],
        archived=[known for known in own if known.archived_at is not None],
        agents=agents["agents"] if agents else [],
        kind_titles=kind_titles(),
        runs=runs["runs"],
        run_titles=_name_runs(runs["runs"], workflows["workflows"], agents["agents"] if agents else []),
        runs_total=runs["total"],
        credits=credits,
        number=number,
        pages=count_pages(runs["total"], RUNS_PAGE),
        once=secrets.token_urlsafe(16),
        fault=fault,
    )


def _name_runs(
    runs: Sequence[Mapping[str, Any]],
    workflows: Sequence[Mapping[str, Any]],
    agents: Sequence[Mapping[str, Any]],
) -> dict[str, str]:
    """Return the title of each run by its id: its agent's name, or else its workflow's title."""
    titles = {workflow["id"]: workflow["title"] for workflow in workflows}
    names = {agent["agentInstanceId"]: agent["name"] for agent in agents}
    return {
        run["runId"]: names.get(run["agentInstanceId"])
        or titles.get(run["workflowId"])
        or plain(run["workflowId"]).capitalize()
        for run in runs
    }


async def show_run(request: PageRequest) -> Response:
    """Show a run's progress and findings, as get_run_status reports them."""
    run_id = request.http.path_params["run_id"]
    status = await request.call_tool("get_run_status", runId=run_id)
    workspace = request.workspace
    run = await workspace.runs.find(run_id)
    if status is None or run is None:
        raise PageNotFound
    report = await read_report(workspace, run, request.services.now())
    new = {finding.id for finding in report.merged.new} if report.merged.has_earlier else set[str]()
    return request.render(
        "automation/run.html",
        run=status,
        live=run.live,
        report=report,
        title=report.title,
        new=new,
        titles={agent["agent"]: agent["title"] for agent in status["agents"]},
        not_done=NOT_DONE,
        shown_evidence=shown_evidence,
    )


async def cancel_run(request: PageRequest) -> Response:
    """Cancel a waiting or running run. A run that has ended is not changed."""
    await request.read_form()
    run_id = request.http.path_params["run_id"]
    await request.try_tool("cancel_workflow_run", {"runId": run_id})
    return request.redirect(f"/automation/runs/{run_id}")
