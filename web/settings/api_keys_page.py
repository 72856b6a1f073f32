"""Access settings: API keys and connected OAuth apps."""

from datetime import UTC, datetime, time

from starlette.responses import Response

from oauth.api_keys import NewApiKey, make_api_key
from web.errors import PageNotFound
from web.request import PageRequest

LONGEST_DESCRIPTION = 100


async def show_keys(request: PageRequest) -> Response:
    """List the keys."""
    return await _render_keys(request)


async def create_key(request: PageRequest) -> Response:
    """Create a key and show it once. It is in no URL or cookie and cannot be shown again."""
    request.require_owner()
    typed = await request.read_form()
    try:
        made = make_api_key(
            request.services.api_key_signing,
            request.signed_in.company_id,
            request.services.now(),
            description=_parse_description(typed.get("description", "")),
            expires_at=_parse_expiry(typed.get("expires", "")),
            read_only=typed.get("access") == "read",
        )
    except ValueError as error:
        return await _render_keys(request, fault=str(error), typed_description=typed.get("description", ""))
    async with request.transaction() as workspace:
        await workspace.api_keys.add(made.stored)
    return await _render_keys(request, made=made)


async def revoke_key(request: PageRequest) -> Response:
    """Revoke a key permanently. The next request with it is rejected."""
    request.require_owner()
    await request.read_form()
    key_id = request.http.path_params["key_id"]
    async with request.transaction() as workspace:
        if not await workspace.api_keys.revoke(key_id):
            raise PageNotFound
    return request.redirect("/settings/keys")


async def _render_keys(
    request: PageRequest,
    *,
    made: NewApiKey | None = None,
    fault: str | None = None,
    typed_description: str = "",
) -> Response:
    workspace = request.workspace
    return request.render(
        "settings/api_keys.html",
        422 if fault else 200,
        keys=await workspace.api_keys.all(),
        made=made,
        fault=fault,
        typed_description=typed_description,
    )


def _parse_description(text: str) -> str | None:
    """Return a description, or None for an empty one. Raises ValueError."""
    text = text.strip()
    if len(text) > LONGEST_DESCRIPTION or not text.isprintable():
        raise ValueError(f"the description may have {LONGEST_DESCRIPTION} printable characters")
    return text or None


def _parse_expiry(text: str) -> datetime | None:
    """Return the end of a day in UTC, or None when no day is given. Raises ValueError."""
    if not text:
        return None
    try:
        day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise ValueError("the expiry is no date") from None
    return datetime.combine(day.date(), time(23, 59, 59), UTC)


async def show_apps(request: PageRequest) -> Response:
    """List the connected apps."""
    apps = await request.services.connected_apps.of_company(request.signed_in.company_id)
    return request.render("settings/connected_apps.html", apps=apps, oauth=request.services.oauth)


async def revoke_app(request: PageRequest) -> Response:
    """Revoke a connected app."""
    await request.read_form()
    if not await request.services.connected_apps.revoke(
        request.signed_in.company_id, request.http.path_params["app_id"], request.signed_in.role
    ):
        raise PageNotFound
    return request.redirect("/settings/apps")
