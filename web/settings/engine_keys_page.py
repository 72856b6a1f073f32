"""The page of a workspace's own keys for AI engines: stored sealed, tested by really asking, never shown."""

from collections.abc import Mapping

from starlette.responses import Response

from engines.engine import SUPPLIED
from engines.recordings import proof_of
from engines.settings import LOCAL, SURFACES_OF
from engines.suppliers.sighting import SURFACES
from measurement.planning.engine_keys import InvalidEngineKey, check_engine_key, store_engine_key
from measurement.planning.engine_names import SUPPLIER_NAMES
from tools.calls.rate_limits import RateLimitWindow
from web.built_in_model import describe_model, start_download
from web.errors import PageNotFound
from web.request import PageRequest

TESTS_A_MINUTE = 5


async def show_engine_keys(request: PageRequest) -> Response:
    """List the platforms and what is known of each key."""
    return await _render_engine_keys(request)


async def store_key(request: PageRequest) -> Response:
    """Keep a key, untested, in the place of an earlier one."""
    request.require_owner()
    typed = await request.read_form()
    platform = _require_platform(request, typed.get("platform", ""))
    services, person = request.services, request.signed_in
    try:
        await store_engine_key(
            request.database,
            services.seal,
            person.company_id,
            person.user_id,
            platform,
            typed.get("secret", ""),
            services.now(),
        )
    except InvalidEngineKey as invalid:
        return await _render_engine_keys(request, fault=invalid.message)
    return request.redirect("/settings/engines")


async def store_provider(request: PageRequest) -> Response:
    """Store a data provider's key for the selected AI surfaces, and remove it from the others."""
    request.require_owner()
    typed = await request.read_form()
    supplier = request.http.path_params["supplier"]
    if supplier not in SURFACES_OF:
        raise PageNotFound
    chosen = [surface for surface in SURFACES_OF[supplier] if f"surface-{surface}" in typed]
    if not chosen:
        return await _render_engine_keys(request, fault="Select at least one AI surface.")
    services, person = request.services, request.signed_in
    secret, now = typed.get(f"secret-{supplier}", ""), services.now()
    try:
        for surface in chosen:
            platform = f"{surface}{SUPPLIED}{supplier}"
            await store_engine_key(
                request.database, services.seal, person.company_id, person.user_id, platform, secret, now
            )
    except InvalidEngineKey as invalid:
        return await _render_engine_keys(request, fault=invalid.message)
    async with request.transaction() as workspace:
        for surface in SURFACES_OF[supplier] - set(chosen):
            await workspace.provider_credentials.remove(f"{surface}{SUPPLIED}{supplier}")
    return request.redirect("/settings/engines")


async def test_key(request: PageRequest) -> Response:
    """Ask the engine one short question with the key, and say how it went."""
    request.require_owner()
    await request.read_form()
    platform = _require_platform(request, request.http.path_params["platform"])
    services, company_id = request.services, request.signed_in.company_id
    await request.count_attempt(RateLimitWindow(f"engine-test:{company_id}", TESTS_A_MINUTE))
    check = await check_engine_key(
        request.database, services.seal, services.engines, company_id, platform, services.now()
    )
    if check is None:
        raise PageNotFound
    if check.works:
        return await _render_engine_keys(request, success=check.words)
    return await _render_engine_keys(request, fault=check.words)


async def add_model(request: PageRequest) -> Response:
    """Start to download the built-in model, and show the progress."""
    await start_download(request)
    return request.redirect("/settings/engines")


async def remove_key(request: PageRequest) -> Response:
    """Delete a key."""
    request.require_owner()
    await request.read_form()
    async with request.transaction() as workspace:
        if not await workspace.provider_credentials.remove(request.http.path_params["platform"]):
            raise PageNotFound
    return request.redirect("/settings/engines")


async def _render_engine_keys(
    request: PageRequest, *, success: str | None = None, fault: str | None = None
) -> Response:
    workspace = request.workspace
    hosted = [name for name in request.services.engines.platforms if name != LOCAL]
    own = {credential.platform: credential for credential in await workspace.provider_credentials.all()}
    rows = [
        {
            "platform": name,
            "own": own.get(name),
            "shared": request.services.engines.configured(name),
        }
        for name in sorted({*hosted, *own})
    ]
    local = request.services.engines.configured(LOCAL)
    return request.render(
        "settings/engine_keys.html",
        422 if fault else 200,
        rows=rows,
        hosted=hosted,
        providers=[_describe_provider(supplier, own) for supplier in SURFACES_OF],
        unproven=[
            name for name in await request.ready_platforms() if name != LOCAL and proof_of(name) != "recorded"
        ],
        local=local,
        model=describe_model(request),
        success=success,
        fault=fault,
    )


def _describe_provider(supplier: str, own: Mapping[str, object]) -> dict[str, object]:
    """Return a data provider with its AI surfaces, and those that a key is stored for."""
    surfaces = {surface: SURFACES[surface] for surface in SURFACES if surface in SURFACES_OF[supplier]}
    return {
        "id": supplier,
        "name": SUPPLIER_NAMES[supplier],
        "surfaces": surfaces,
        "known": [surface for surface in surfaces if f"{surface}{SUPPLIED}{supplier}" in own],
    }


def _require_platform(request: PageRequest, name: str) -> str:
    """Return the platform. Raises PageNotFound for one that cannot be given a key."""
    if name == LOCAL or name not in request.services.engines:
        raise PageNotFound
    return name
