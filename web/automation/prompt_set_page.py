"""The pages of one prompt set: create, edit, import, preview, run, archive."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from starlette.responses import Response

from measurement.errors import ChangeRefused
from measurement.planning.locales import COUNTRIES
from measurement.planning.prompt_sets import SetPlace
from measurement.planning.schedules import count_ticks
from web.automation.prompt_set_form import (
    BLANK_ROWS,
    read_file,
    read_place,
    read_rows,
    read_schedule,
    store_place,
    write_rows,
)
from web.errors import PageNotFound
from web.request import PageRequest, ToolFault

MOST_SETS = 100
MOST_BRANDS = 100
MODES = ("visibility", "readiness")
REPEATS = range(1, 21)
MONTH = timedelta(days=30)
MOST_RUNS = 1000
"""Runs of a month that are counted; no set can be asked as often."""


@dataclass(frozen=True, slots=True)
class ImportedPrompts:
    """Prompts of a file: how many are new, and how many the set has already."""

    new: int
    known: int


async def show_new_set(request: PageRequest) -> Response:
    """Show the empty form."""
    request.require_member()
    return await _render_set(request, None)


async def create_set(request: PageRequest) -> Response:
    """Store a new set and redirect to it; or show the form with the prompts of a file."""
    typed = await request.read_form(holds_texts=True)
    if "import" in typed:
        return await _import_prompts(request, None, typed)
    prompts = read_rows(typed)
    if not prompts:
        fault = ToolFault("prompts", "Add at least one prompt.")
        return await _render_set(request, None, typed, fault)
    try:
        place = read_place(typed, _countries(typed))
    except ChangeRefused as refused:
        return await _render_set(request, None, typed, ToolFault.of(str(refused)))
    arguments = {**await _read_arguments(request, typed), "prompts": prompts}
    if typed.get("brand"):
        arguments["brandId"] = typed["brand"]
    created = await request.try_tool("create_prompt_set", arguments)
    if isinstance(created, ToolFault):
        return await _render_set(request, None, typed, created)
    await _store_place(request, created["promptSetId"], place)
    return request.redirect(f"/automation/sets/{created['promptSetId']}")


async def show_set(request: PageRequest) -> Response:
    """Show a set with its prompts and the cost of a run."""
    return await _render_set(request, await find_set(request))


async def save_set(request: PageRequest) -> Response:
    """Store the changes of a set; or show the form with the prompts of a file added."""
    typed = await request.read_form(holds_texts=True)
    known = await find_set(request)
    if "import" in typed:
        return await _import_prompts(request, known, typed)
    prompts = read_rows(typed, known["prompts"])
    if not prompts:
        fault = ToolFault("prompts", "Keep at least one prompt, or archive the set.")
        return await _render_set(request, known, typed, fault)
    try:
        place = read_place(typed, _countries(typed))
    except ChangeRefused as refused:
        return await _render_set(request, known, typed, ToolFault.of(str(refused)))
    arguments = {**await _read_arguments(request, typed), "promptSetId": known["promptSetId"]}
    if write_rows(prompts) != write_rows(known["prompts"]):
        arguments["prompts"] = prompts
    saved = await request.try_tool("update_prompt_set", arguments)
    if isinstance(saved, ToolFault):
        return await _render_set(request, known, typed, saved)
    await _store_place(request, known["promptSetId"], place)
    return request.redirect(f"/automation/sets/{known['promptSetId']}?saved=1")


async def archive_set(request: PageRequest) -> Response:
    """Archive or restore a set."""
    typed = await request.read_form()
    changes = {
        "promptSetId": request.http.path_params["set_id"],
        "archived": typed.get("archived") == "1",
    }
    await request.try_tool("update_prompt_set", changes)
    return request.redirect("/automation")


async def run_set(request: PageRequest) -> Response:
    """Run the set now and redirect to the progress."""
    typed = await request.read_form()
    known = await find_set(request)
    arguments = {"promptSetId": known["promptSetId"], **_brand_of_run(known, typed)}
    started = await request.try_tool("run_prompt_set", arguments, typed.get("once") or None)
    if isinstance(started, ToolFault):
        return await _render_set(request, known, None, started)
    return request.redirect(f"/measurements/{started['runId']}")


async def _import_prompts(
    request: PageRequest, known: dict[str, Any] | None, typed: Mapping[str, str]
) -> Response:
    """Show the form with the prompts of the chosen file added. Nothing is stored until the user saves."""
    before = read_rows(typed, known["prompts"] if known else ())
    try:
        read = read_file(typed.get("file", ""))
    except ValueError as error:
        return await _render_set(request, known, typed, ToolFault.of(str(error)))
    have = {prompt["text"] for prompt in before}
    new = [prompt for prompt in read if prompt["text"] not in have]
    if not read:
        fault = ToolFault("prompts", "The file has no prompts. Choose one with a prompt per line.")
        return await _render_set(request, known, typed, fault)
    imported = ImportedPrompts(len(new), len(read) - len(new))
    return await _render_set(request, known, typed, imported=imported, prompts=[*before, *new])


def _brand_of_run(known: Mapping[str, Any], typed: Mapping[str, str]) -> dict[str, str]:
    """Return the brand of a run, which only a set for every brand needs."""
    return {"brandId": typed["brand"]} if known["brandId"] is None and typed.get("brand") else {}


async def find_set(request: PageRequest) -> dict[str, Any]:
    """Return the set of the URL with its prompts. Raises PageNotFound."""
    wanted = request.http.path_params["set_id"]
    offset: int | None = 0
    while offset is not None:
        listed = await request.call_tool(
            "list_prompt_sets", includeArchived=True, limit=MOST_SETS, offset=offset
        )
        sets = [prompt_set["promptSetId"] for prompt_set in listed["promptSets"]] if listed else []
        if wanted in sets:
            return await _load_set(request, wanted, offset + sets.index(wanted))
        offset = listed["nextOffset"] if listed else None
    raise PageNotFound


async def _load_set(request: PageRequest, wanted: str, place: int) -> dict[str, Any]:
    """Return the set at a place of the list with its prompts. Raises PageNotFound when the list has changed."""
    listed = await request.call_tool(
        "list_prompt_sets", includeArchived=True, includePrompts=True, limit=1, offset=place
    )
    if listed is None or [prompt_set["promptSetId"] for prompt_set in listed["promptSets"]] != [wanted]:
        raise PageNotFound
    return listed["promptSets"][0]


async def _store_place(request: PageRequest, set_id: str, place: SetPlace) -> None:
    company_id, engines = request.signed_in.company_id, request.services.engines
    await store_place(request.database, engines, company_id, set_id, place)


def _countries(typed: Mapping[str, str]) -> list[str]:
    return [code.upper() for code in typed.get("countries", "").replace(",", " ").split()]


async def _read_arguments(request: PageRequest, typed: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of the form as the tools take them; the place is stored as a whole, apart from them."""
    platforms = await request.ready_platforms()
    repeats = typed.get("repeats", "")
    return {
        "name": typed.get("name", "").strip(),
        "platforms": [name for name in platforms if f"engine-{name}" in typed],
        "mode": typed.get("mode") if typed.get("mode") in MODES else MODES[0],
        "repeats": int(repeats) if repeats.isdecimal() and int(repeats) in REPEATS else 3,
        "schedule": read_schedule(typed),
    }


def _count_runs(known: Mapping[str, Any] | None, now: datetime) -> int:
    """Return how often a set is asked by its schedule in the next 30 days."""
    if known is None or known["schedule"] is None:
        return 0
    return count_ticks(known["schedule"], now, now + MONTH, MOST_RUNS, known["timezone"])


async def _render_set(
    request: PageRequest,
    known: dict[str, Any] | None,
    typed: Mapping[str, str] | None = None,
    fault: ToolFault | None = None,
    imported: ImportedPrompts | None = None,
    prompts: Sequence[Mapping[str, Any]] | None = None,
) -> Response:
    stored: Sequence[Mapping[str, Any]] = known["prompts"] if known else ()
    if prompts is None:
        prompts = read_rows(typed, stored) if typed else stored
    brands = await request.call_tool("list_brand_profiles")
    preview: dict[str, Any] | None = None
    no_preview: ToolFault | None = None
    if known is not None and not request.signed_in.viewer and known["status"] == "active":
        asked = await request.try_tool(
            "run_prompt_set", {"promptSetId": known["promptSetId"], "preview": True}
        )
        no_preview = ToolFault.of_preview(asked)
        preview = None if no_preview or isinstance(asked, ToolFault) else asked
    return request.render(
        "automation/prompt_set.html",
        422 if fault else 200,
        known=known,
        rows=write_rows(prompts),
        blank_rows=BLANK_ROWS,
        typed=typed or {},
        brands=brands["brands"][:MOST_BRANDS] if brands else [],
        chosen_brand=request.http.query_params.get("brand", ""),
        engines=await request.ready_platforms(),
        countries=COUNTRIES,
        preview=preview,
        runs_a_month=_count_runs(known, request.services.now()),
        no_preview=no_preview,
        saved=request.http.query_params.get("saved") == "1",
        once=secrets.token_urlsafe(16),
        fault=fault,
        imported=imported,
    )
