"""The page of a workspace's own keys for AI engines: stored sealed, tested by really asking, never shown."""

from starlette.responses import Response

from engines.recordings import proof_of
from engines.settings import LOCAL
from measurement.planning.engine_keys import InvalidEngineKey, check_engine_key, store_engine_key
from tools.calls.rate_limits import RateLimitWindow
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
    own = {credential.platform: credential for credential in await workspace.provider_credentials.all()}
    rows = [
        {
            "platform": name,
            "own": own.get(name),
            "shared": request.services.engines.configured(name),
            "recorded": proof_of(name) == "recorded",
        }
        for name in _key_platforms(request)
    ]
    local = request.services.engines.configured(LOCAL)
    return request.render(
        "settings/engine_keys.html",
        422 if fault else 200,
        rows=rows,
        local=local,
        success=success,
        fault=fault,
    )


def _key_platforms(request: PageRequest) -> list[str]:
    """Return the platforms that a key can be brought for."""
    return [name for name in request.services.engines.platforms if name != LOCAL]


def _require_platform(request: PageRequest, name: str) -> str:
    """Return the platform. Raises PageNotFound for one that cannot be given a key."""
    if name not in _key_platforms(request):
        raise PageNotFound
    return name
