"""Setup, step 3: the engines to measure, and a form to add and test a key for one."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from engines.settings import LOCAL
from measurement.errors import ChangeRefused
from measurement.planning.engine_keys import InvalidEngineKey, check_engine_key, store_engine_key
from measurement.planning.locales import COUNTRIES
from tools.calls.rate_limits import RateLimitWindow
from web.automation.prompt_set_form import read_place, store_place
from web.built_in_model import describe_model, start_download
from web.errors import PageNotFound
from web.request import PageRequest, ToolFault
from web.start.setup_brand import find_prompt_set, load_brand, setup_address

TESTS_A_MINUTE = 5
DEMO_REPEATS = 2
"""The demo model takes this server's own processor, and ten prompts asked twice are enough for a score."""


async def show_engines(request: PageRequest) -> Response:
    """Show the engines, those that are ready first."""
    return await _render_engines(request, await load_brand(request))


async def add_engine_key(request: PageRequest) -> Response:
    """Store a key, test it with one request, and show the result on the same page."""
    request.require_owner()
    typed = await request.read_form()
    profile = await load_brand(request)
    services, person = request.services, request.signed_in
    platform = typed.get("platform", "")
    if platform == LOCAL or platform not in services.engines.platforms:
        raise PageNotFound
    await request.count_attempt(RateLimitWindow(f"engine-test:{person.company_id}", TESTS_A_MINUTE))
    database, seal, now = request.database, services.seal, services.now()
    try:
        await store_engine_key(
            database, seal, person.company_id, person.user_id, platform, typed.get("secret", ""), now
        )
    except InvalidEngineKey as invalid:
        return await _render_engines(request, profile, fault=ToolFault("secret", invalid.message))
    check = await check_engine_key(database, seal, services.engines, person.company_id, platform, now)
    if check is None or not check.works:
        words = check.words if check else "The key was removed. Enter it again."
        return await _render_engines(request, profile, fault=ToolFault("secret", words))
    return await _render_engines(request, profile, added=platform, success=check.words)


async def add_model(request: PageRequest) -> Response:
    """Start to download the built-in model, and show the progress."""
    profile = await load_brand(request)
    await start_download(request)
    return request.redirect(setup_address(profile["id"], "engines"))


async def save_engines(request: PageRequest) -> Response:
    """Store the selected engines, and continue with schedule and cost."""
    typed = await request.read_form()
    profile = await load_brand(request)
    prompt_set = await find_prompt_set(request, profile["id"])
    if prompt_set is None:
        return request.redirect(setup_address(profile["id"], "questions"))
    ready = await request.ready_platforms()
    chosen = [platform for platform in ready if f"engine-{platform}" in typed]
    if not chosen:
        fault = ToolFault("", "Choose at least one engine.")
        return await _render_engines(request, profile, fault=fault)
    countries = [code for code in COUNTRIES if f"country-{code}" in typed]
    try:
        place = read_place(typed, countries)
    except ChangeRefused as refused:
        fault = ToolFault("", ToolFault.of(str(refused)).words)
        return await _render_engines(request, profile, fault=fault, typed=typed)
    changes: dict[str, Any] = {"promptSetId": prompt_set["promptSetId"], "platforms": chosen}
    if chosen == [LOCAL] and prompt_set["lastRun"] is None:
        changes["repeats"] = DEMO_REPEATS
    saved = await request.try_tool("update_prompt_set", changes)
    if isinstance(saved, ToolFault):
        return await _render_engines(request, profile, fault=saved)
    company_id, engines = request.signed_in.company_id, request.services.engines
    await store_place(request.database, engines, company_id, prompt_set["promptSetId"], place)
    return request.redirect(setup_address(profile["id"], "measure"))


async def _render_engines(
    request: PageRequest,
    profile: dict[str, Any],
    *,
    added: str | None = None,
    success: str | None = None,
    fault: ToolFault | None = None,
    typed: Mapping[str, str] | None = None,
) -> Response:
    prompt_set = await find_prompt_set(request, profile["id"])
    ready = await request.ready_platforms()
    hosted = [name for name in ready if name != LOCAL]
    wanted: list[str] = [*(prompt_set["platforms"] if prompt_set else ()), *([added] if added else ())]
    ticked = [name for name in ready if name in wanted] or hosted or ready
    return request.render(
        "start/engines.html",
        422 if fault else 200,
        step=3,
        brand_id=profile["id"],
        brand=profile["name"],
        ready=ready,
        ticked=ticked,
        countries=dict(sorted(COUNTRIES.items(), key=lambda country: country[1])),
        asked_from=prompt_set["countries"] if prompt_set else [],
        typed=typed or {},
        known=prompt_set,
        local=LOCAL,
        missing=[name for name in request.services.engines.platforms if name not in ready and name != LOCAL],
        model=describe_model(request),
        success=success,
        fault=fault,
    )
