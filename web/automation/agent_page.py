"""The pages of one reusable agent: create, set up, schedule, run, archive."""

import secrets
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from tools.agents import view_of
from web.automation.agent_settings import kind_titles, load_offers, read_settings, settings_of
from web.automation.prompt_set_form import read_schedule
from web.errors import PageNotFound
from web.request import PageRequest, ToolFault

MOST_BRANDS = 20
"""Brands that can be ticked; an agent for others is set up by a file."""


async def show_new_agent(request: PageRequest) -> Response:
    """Show what an agent can be, or the form of one kind."""
    request.require_member()
    kind = request.http.query_params.get("kind", "")
    if kind not in kind_titles():
        return request.render("automation/agent_kinds.html", kinds=kind_titles())
    return await _render_agent(request, None, kind)


async def create_agent(request: PageRequest) -> Response:
    """Store a new agent, and lead to it."""
    typed = await request.read_form()
    kind = typed.get("kind", "")
    if kind not in kind_titles():
        raise PageNotFound
    created = await request.try_tool(
        "create_reusable_agent", {"kind": kind, **await _read_agent(request, kind, {}, typed)}
    )
    if isinstance(created, ToolFault):
        return await _render_agent(request, None, kind, typed, created)
    return request.redirect(f"/automation/agents/{created['agentInstanceId']}?saved=1")


async def show_agent(request: PageRequest) -> Response:
    """Show an agent with its settings, and how its runs went."""
    known = await _find_agent(request)
    return await _render_agent(request, known, known["kind"])


async def save_agent(request: PageRequest) -> Response:
    """Store what was changed of an agent; a run keeps the settings that it began with."""
    typed = await request.read_form()
    known = await _find_agent(request)
    changes = await _read_agent(request, known["kind"], known["configuration"], typed)
    saved = await request.try_tool(
        "update_reusable_agent", {"agentInstanceId": known["agentInstanceId"], **changes}
    )
    if isinstance(saved, ToolFault):
        return await _render_agent(request, known, known["kind"], typed, saved)
    return request.redirect(f"/automation/agents/{known['agentInstanceId']}?saved=1")


async def archive_agent(request: PageRequest) -> Response:
    """Put an agent away, or bring it back."""
    typed = await request.read_form()
    known = await _find_agent(request)
    changes = {"agentInstanceId": known["agentInstanceId"], "archived": typed.get("archived") == "1"}
    done = await request.try_tool("update_reusable_agent", changes)
    if isinstance(done, ToolFault):
        return await _render_agent(request, known, known["kind"], None, done)
    return request.redirect("/automation#agents")


async def run_agent(request: PageRequest) -> Response:
    """Start an agent now, and lead to its run."""
    typed = await request.read_form()
    known = await _find_agent(request)
    arguments: dict[str, Any] = {"agentInstanceId": known["agentInstanceId"]}
    if typed.get("brand"):
        arguments["brandId"] = typed["brand"]
    started = await request.try_tool("run_reusable_agent", arguments, typed.get("once") or None)
    if isinstance(started, ToolFault):
        return await _render_agent(request, known, known["kind"], None, started)
    return request.redirect(f"/automation/runs/{started['runId']}")


async def _find_agent(request: PageRequest) -> dict[str, Any]:
    """Return the agent of the address. Raises PageNotFound."""
    workspace = request.workspace
    wanted = request.http.path_params["agent_id"]
    if await workspace.agents.find(wanted) is None:
        raise PageNotFound
    return (await view_of(workspace, wanted)).model_dump(mode="json")


async def _load_brands(request: PageRequest) -> list[dict[str, Any]]:
    listed = await request.call_tool("list_brand_profiles")
    brands: list[dict[str, Any]] = listed["brands"] if listed else []
    return brands


async def _read_agent(
    request: PageRequest, kind: str, before: Mapping[str, Any], typed: Mapping[str, str]
) -> dict[str, Any]:
    """Return the fields of the form as the tools take them."""
    changes: dict[str, Any] = {
        "name": typed.get("name", "").strip(),
        "configuration": read_settings(kind, before, typed),
    }
    brands = await _load_brands(request)
    if len(brands) <= MOST_BRANDS:
        changes["brandIds"] = [brand["id"] for brand in brands if f"brand-{brand['id']}" in typed]
    changes["schedule"] = read_schedule(typed)
    return changes


async def _render_agent(
    request: PageRequest,
    known: dict[str, Any] | None,
    kind: str,
    typed: Mapping[str, str] | None = None,
    fault: ToolFault | None = None,
) -> Response:
    summary = (
        await request.call_tool("get_agent_run_summary", agentInstanceId=known["agentInstanceId"])
        if known
        else None
    )
    brands = await _load_brands(request)
    assigned = [assignment["brandId"] for assignment in known["assignments"]] if known else []
    ticked = assigned if typed is None else [b["id"] for b in brands if f"brand-{b['id']}" in typed]
    schedules = [assignment["schedule"] for assignment in known["assignments"]] if known else []
    return request.render(
        "automation/agent.html",
        422 if fault else 200,
        known=known,
        kind=kind,
        kind_title=kind_titles()[kind],
        settings=settings_of(
            kind,
            known["configuration"] if known else {},
            typed,
            await load_offers(request),
        ),
        typed=typed or {},
        schedule=next((schedule for schedule in schedules if schedule), ""),
        brands=brands if len(brands) <= MOST_BRANDS else [],
        ticked=ticked,
        summary=summary,
        saved=request.http.query_params.get("saved") == "1",
        once=secrets.token_urlsafe(16),
        fault=fault,
    )
