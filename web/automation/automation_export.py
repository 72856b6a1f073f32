"""Exports of the automation pages: prompt sets with their prompts, workflows, agents and runs."""

from typing import Any

from starlette.responses import Response

from web.automation.prompt_set_page import find_set
from web.errors import PageNotFound
from web.request import PageRequest
from web.table_export import list_response, table_response

RUN_COLUMNS = (
    "created_at",
    "workflow",
    "brand",
    "status",
    "agents_done",
    "agents",
    "credits",
    "started_at",
    "finished_at",
    "page",
)
SET_COLUMNS = (
    "set",
    "brand",
    "status",
    "questions",
    "engines",
    "mode",
    "repeats",
    "countries",
    "schedule",
    "next_run_at",
    "last_run_at",
    "last_run_status",
    "page",
)
QUESTION_COLUMNS = ("question", "intent", "tags", "branded", "country", "language", "city")
"""Column names that the form also accepts in a file."""
WORKFLOW_COLUMNS = (
    "workflow",
    "description",
    "agents",
    "credits",
    "seconds_low",
    "seconds_high",
    "plan",
    "missing",
    "page",
)
AGENT_COLUMNS = (
    "agent",
    "kind",
    "status",
    "brands",
    "schedule",
    "next_run_at",
    "last_run_at",
    "last_run_status",
    "page",
)


async def export_sets(request: PageRequest) -> Response:
    """Export all prompt sets as CSV or JSON, including archived ones. The prompts of each set have their own file."""

    async def load(limit: int, offset: int) -> dict[str, Any] | None:
        return await request.call_for_file(
            "list_prompt_sets", includeArchived=True, limit=limit, offset=offset
        )

    def row_of(listed: dict[str, Any]) -> tuple[object, ...]:
        last = listed["lastRun"] or {"startedAt": None, "status": None}
        return (
            listed["name"],
            listed["brandName"],
            listed["status"],
            listed["promptCount"],
            ", ".join(listed["platforms"]),
            listed["mode"],
            listed["repeats"],
            ", ".join(listed["countries"]),
            listed["schedule"],
            listed["nextRunAt"],
            last["startedAt"],
            last["status"],
            f"{request.services.base_url}/automation/sets/{listed['promptSetId']}",
        )

    return await list_response(
        request.http.url.path, "question-sets", SET_COLUMNS, load, "promptSets", row_of
    )


async def export_questions(request: PageRequest) -> Response:
    """Export the prompts of one set as CSV or JSON, in the format that the form imports."""
    rows = [
        (
            prompt["text"],
            prompt["intent"],
            ", ".join(prompt["tags"]),
            prompt["branded"],
            prompt["country"],
            prompt["language"],
            prompt["city"],
        )
        for prompt in (await find_set(request))["prompts"]
    ]
    return table_response(request.http.url.path, "questions", QUESTION_COLUMNS, rows)


async def export_workflows(request: PageRequest) -> Response:
    """Export the available workflows as CSV or JSON."""
    listed = await request.call_tool("list_workflows")
    if listed is None:
        raise PageNotFound
    rows = [
        (
            workflow["title"],
            workflow["description"],
            ", ".join(workflow["agents"]),
            workflow["creditCost"],
            workflow["estimatedDurationSeconds"]["low"],
            workflow["estimatedDurationSeconds"]["high"],
            workflow["requiredPlan"],
            ", ".join(workflow["missing"]),
            f"{request.services.base_url}/automation/workflows/{workflow['id']}",
        )
        for workflow in listed["workflows"]
    ]
    return table_response(request.http.url.path, "workflows", WORKFLOW_COLUMNS, rows)


async def export_agents(request: PageRequest) -> Response:
    """Export all reusable agents as CSV or JSON, including archived ones."""

    async def load(limit: int, offset: int) -> dict[str, Any] | None:
        return await request.call_for_file(
            "list_reusable_agents", includeArchived=True, limit=limit, offset=offset
        )

    def row_of(agent: dict[str, Any]) -> tuple[object, ...]:
        assigned: list[dict[str, Any]] = agent["assignments"]
        last = agent["lastRun"] or {"createdAt": None, "status": None}
        return (
            agent["name"],
            agent["kind"],
            agent["status"],
            ", ".join(assignment["brandName"] for assignment in assigned),
            next((assignment["schedule"] for assignment in assigned), None),
            min(
                (assignment["nextRunAt"] for assignment in assigned if assignment["nextRunAt"]), default=None
            ),
            last["createdAt"],
            last["status"],
            f"{request.services.base_url}/automation/agents/{agent['agentInstanceId']}",
        )

    return await list_response(request.http.url.path, "agents", AGENT_COLUMNS, load, "agents", row_of)


async def export_runs(request: PageRequest) -> Response:
    """Export all runs as CSV or JSON, newest first."""

    async def load(limit: int, offset: int) -> dict[str, Any] | None:
        return await request.call_for_file("list_workflow_runs", limit=limit, offset=offset)

    def row_of(run: dict[str, Any]) -> tuple[object, ...]:
        return (
            run["createdAt"],
            run["workflowId"],
            run["brandName"],
            run["status"],
            run["progress"]["completed"],
            run["progress"]["total"],
            run["credits"]["charged"],
            run["startedAt"],
            run["finishedAt"],
            f"{request.services.base_url}/automation/runs/{run['runId']}",
        )

    return await list_response(request.http.url.path, "runs", RUN_COLUMNS, load, "runs", row_of)
