"""The pages of a workflow: view built-in ones; create, edit, price and archive a company's own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from starlette.responses import PlainTextResponse, Response

from measurement.errors import ChangeRefused, Missing
from storage.plans import covers
from storage.repositories.custom_workflows import CustomWorkflow
from storage.workspace import Workspace
from web.automation.agent_settings import load_offers
from web.automation.automation_page import render_automation
from web.automation.workflow_form import choices, kind_title, read_values, step_fields
from web.errors import PageNotFound
from web.request import PageRequest, ToolFault
from web.templates import HEADERS
from workflows.custom_workflows import (
    WorkflowInput,
    archive_workflow,
    change_workflow,
    create_workflow,
    editable_workflow,
    make_workflow_id,
    parse_workflow,
    preview_workflow,
    price_of,
    validate_workflow,
    write_workflow,
)
from workflows.workflow_definitions import WORKFLOWS
from workflows.workflow_plans import find_custom

MOST_AGENTS = 100
EMPTY: Mapping[str, Any] = {"id": "", "name": "", "description": "", "steps": []}
NEW = "/automation/workflows"


@dataclass(frozen=True, slots=True)
class WorkflowDraft:
    """The contents of the workflow form: its values, the TOML if it was typed, and the id if it was typed."""

    values: Mapping[str, Any]
    toml: str | None = None
    typed_id: str = ""


@dataclass(frozen=True, slots=True)
class WorkflowPrice:
    """The price of a valid draft per run, and whether the company's plan includes all of its agents."""

    credits: int
    plans: tuple[str, ...]
    on_plan: bool


async def show_new_workflow(request: PageRequest) -> Response:
    """Show an empty form, or one prefilled with the agents of a built-in workflow."""
    request.require_member()
    beginning = WORKFLOWS.get(request.http.query_params.get("from", ""))
    values = EMPTY
    if beginning is not None:
        values = {
            "id": "",
            "name": f"Our {beginning.title}",
            "description": beginning.description,
            "steps": [{"agent": agent} for agent in beginning.agents],
        }
    return await _render_form(request, None, WorkflowDraft(await _with_id(request, values)))


async def create_own_workflow(request: PageRequest) -> Response:
    """Store a new workflow and redirect to it; or check it or add a step without storing anything."""
    typed = await request.read_form()
    return await _decide(request, None, typed)


async def show_workflow(request: PageRequest) -> Response:
    """Show a workflow with its steps: built-in ones read-only, the company's own editable."""
    workspace = _workspace(request)
    ours = WORKFLOWS.get(request.http.path_params["workflow_id"])
    if ours is not None:
        steps = [(kind_title(agent), agent) for agent in ours.agents]
        return request.render("automation/our_workflow.html", workflow=ours, steps=steps)
    known = await _find_own(request)
    given = await editable_workflow(workspace, known)
    return await _render_form(request, known, WorkflowDraft(_values_of(given)))


async def save_own_workflow(request: PageRequest) -> Response:
    """Store a new version of a workflow. Runs keep the version that they started with."""
    typed = await request.read_form()
    return await _decide(request, await _find_own(request), typed)


async def start_workflow(request: PageRequest) -> Response:
    """Start a workflow for a brand and redirect to its run."""
    typed = await request.read_form()
    workflow_id = request.http.path_params["workflow_id"]
    if workflow_id not in WORKFLOWS:
        await _find_own(request)
    arguments = {"workflowId": workflow_id, "configuration": {"brandId": typed.get("brand", "")}}
    started = await request.try_tool("run_workflow", arguments, typed.get("once") or None)
    if isinstance(started, ToolFault):
        return await render_automation(request, started)
    return request.redirect(f"/automation/runs/{started['runId']}")


async def archive_own_workflow(request: PageRequest) -> Response:
    """Archive or restore a workflow."""
    typed = await request.read_form()
    known = await _find_own(request)
    try:
        async with request.transaction() as writing:
            await archive_workflow(
                writing, known.workflow, typed.get("archived") == "1", request.services.now()
            )
    except ChangeRefused as refused:
        given = await editable_workflow(_workspace(request), known)
        return await _render_form(
            request, known, WorkflowDraft(_values_of(given)), ToolFault.of(refused.message)
        )
    return request.redirect("/automation#workflows")


async def export_own_workflow(request: PageRequest) -> Response:
    """Export a workflow as a TOML file."""
    known = await _find_own(request)
    text = write_workflow(await editable_workflow(_workspace(request), known))
    disposition = {"Content-Disposition": f'attachment; filename="{known.workflow}.toml"'}
    return PlainTextResponse(text, media_type="application/toml", headers={**HEADERS, **disposition})


def _values_of(given: WorkflowInput) -> dict[str, Any]:
    """Return a workflow as the values of its file format."""
    return given.model_dump(exclude_none=True)


async def _find_own(request: PageRequest) -> CustomWorkflow:
    """Return the company's workflow from the URL. Raises PageNotFound."""
    try:
        return await find_custom(_workspace(request), request.http.path_params["workflow_id"])
    except Missing as missing:
        raise PageNotFound from missing


def _workspace(request: PageRequest) -> Workspace:
    return request.workspace


async def _decide(request: PageRequest, known: CustomWorkflow | None, typed: Mapping[str, str]) -> Response:
    """Handle the pressed button: add a step, check the workflow, or store it."""
    toml = typed.get("toml")
    values = EMPTY if toml is not None else read_values(typed)
    draft = WorkflowDraft(values, toml, values["id"])
    try:
        if toml is None:
            draft = replace(draft, values=await _with_id(request, values))
        given = validate_workflow(draft.values) if toml is None else parse_workflow(toml)
        draft = replace(draft, values=_values_of(given))
        if typed.get("do") == "add":
            return await _render_form(request, known, draft)
        if typed.get("do") == "check":
            await preview_workflow(_workspace(request), request.services.engines, given)
            return await _render_form(request, known, draft, checked=True)
        async with request.transaction() as writing:
            now, engines = request.services.now(), request.services.engines
            if known is None:
                await create_workflow(writing, engines, given, now)
            else:
                await change_workflow(writing, engines, known, given, now)
    except ChangeRefused as refused:
        fault = None if typed.get("do") == "add" else ToolFault.of(refused.message)
        return await _render_form(request, known, draft, fault)
    return request.redirect(f"{NEW}/{given.id}?saved=1")


async def _with_id(request: PageRequest, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the values of a form with an id, generated from the name when none was typed."""
    if values["id"]:
        return values
    taken = {known.workflow for known in await _workspace(request).custom_workflows.all()}
    return {**values, "id": make_workflow_id(values["name"], taken)}


async def _price(request: PageRequest, draft: WorkflowDraft) -> WorkflowPrice | None:
    """Return the price of a draft, or None when the draft is invalid."""
    workspace, services = _workspace(request), request.services
    try:
        plan = await preview_workflow(workspace, services.engines, validate_workflow(draft.values))
    except ChangeRefused:
        return None
    credits = await price_of(services.pricing, workspace, plan)
    plans = plan.workflow.plans
    return WorkflowPrice(credits, plans, covers(await workspace.credits.plan(), plans))


async def _render_form(
    request: PageRequest,
    known: CustomWorkflow | None,
    draft: WorkflowDraft,
    fault: ToolFault | None = None,
    *,
    checked: bool = False,
) -> Response:
    workspace = _workspace(request)
    page, _ = await workspace.agents.page(None, include_archived=True, limit=MOST_AGENTS, offset=0)
    agents = [instance for instance, _ in page]
    price = await _price(request, draft)
    toml = draft.toml
    if toml is None and price is not None:
        toml = write_workflow(validate_workflow(draft.values))
    return request.render(
        "automation/workflow.html",
        422 if fault else 200,
        known=known,
        values=draft.values,
        typed_id=draft.typed_id,
        steps=step_fields(draft.values, agents, await load_offers(request)),
        choices=choices(draft.values, agents),
        toml=toml or "",
        price=price,
        checked=checked,
        saved=request.http.query_params.get("saved") == "1",
        fault=fault,
    )
