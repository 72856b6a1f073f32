"""Setup, step 4: what the first measurement asks and costs, how often it is repeated, and its start."""

import secrets
from collections.abc import Mapping
from math import ceil
from typing import Any

from starlette.responses import Response

from web.glossary import SCHEDULES, schedule_words
from web.request import PageRequest, ToolFault
from web.start.setup_brand import find_prompt_set, load_brand, setup_address

SECONDS_AN_ANSWER = 3
"""How long each engine takes for an answer on average, several at a time."""
REPEATS: Mapping[str, int] = {"1": 1, "2": 2, "3": 3, "5": 5}


async def show_measure(request: PageRequest) -> Response:
    """Show what a measurement takes."""
    profile = await load_brand(request)
    prompt_set = await find_prompt_set(request, profile["id"])
    if prompt_set is None:
        return request.redirect(setup_address(profile["id"], "questions"))
    chosen = REPEATS.get(request.http.query_params.get("repeats", ""), prompt_set["repeats"])
    return await _render_measure(request, profile, prompt_set, chosen)


async def start_measuring(request: PageRequest) -> Response:
    """Store repeats and schedule, start the measurement and redirect to its progress."""
    typed = await request.read_form()
    profile = await load_brand(request)
    prompt_set = await find_prompt_set(request, profile["id"])
    if prompt_set is None:
        return request.redirect(setup_address(profile["id"], "questions"))
    repeats = REPEATS.get(typed.get("repeats", ""), prompt_set["repeats"])
    schedule = typed.get("schedule") if typed.get("schedule") in _offered_schedules(prompt_set) else ""
    set_id = prompt_set["promptSetId"]
    changes = {"promptSetId": set_id, "repeats": repeats, "schedule": schedule or None}
    saved = await request.try_tool("update_prompt_set", changes)
    if isinstance(saved, ToolFault):
        return await _render_measure(request, profile, prompt_set, repeats, saved)
    started = await request.try_tool("run_prompt_set", {"promptSetId": set_id}, typed.get("once") or None)
    if isinstance(started, ToolFault):
        return await _render_measure(request, profile, prompt_set, repeats, started)
    return request.redirect(f"/measurements/{started['runId']}")


async def _render_measure(
    request: PageRequest,
    profile: dict[str, Any],
    prompt_set: dict[str, Any],
    repeats: int,
    fault: ToolFault | None = None,
) -> Response:
    asked = {"promptSetId": prompt_set["promptSetId"], "repeats": repeats, "preview": True}
    preview = await request.try_tool("run_prompt_set", asked)
    refused = ToolFault.of_preview(preview)
    return request.render(
        "start/measure.html",
        422 if fault else 200,
        step=4,
        brand_id=profile["id"],
        brand=profile["name"],
        preview=None if refused else preview,
        minutes=0 if isinstance(preview, ToolFault) else _usual_minutes(preview),
        repeats=repeats,
        choices=list(REPEATS.values()),
        schedules=_offered_schedules(prompt_set),
        schedule=prompt_set["schedule"] or "",
        once=secrets.token_urlsafe(16),
        fault=fault or refused,
    )


def _usual_minutes(preview: Mapping[str, Any]) -> int:
    """Return about how long the requests of a preview take; engines are asked at the same time."""
    return ceil(preview["asks"] / len(preview["platforms"]) * SECONDS_AN_ANSWER / 60)


def _offered_schedules(prompt_set: Mapping[str, Any]) -> dict[str, str]:
    """Return the schedules that a set can have with their display texts, including its custom one."""
    own = [prompt_set["schedule"]] if prompt_set["schedule"] else []
    schedules = dict.fromkeys([*SCHEDULES, *own])
    return {
        "": "Only now",
        **{cron: f"Now and {schedule_words(cron, prompt_set['timezone'])}" for cron in schedules},
    }
