"""The page of API keys: made, shown once, listed, revoked."""

from datetime import UTC, datetime, time

from starlette.responses import Response

from oauth.api_keys import NewApiKey, make_api_key
from web.errors import NotHere
from web.visit import Visit

LONGEST_DESCRIPTION = 100


async def keys(visit: Visit) -> Response:
    """List the keys."""
    return await listing(visit)


async def create_key(visit: Visit) -> Response:
    """Make a key and show it, this once: it is in no address and no cookie, and cannot be had again."""
    typed = await visit.fields()
    try:
        made = make_api_key(
            visit.site.api_key_signing,
            visit.signed.company_id,
            visit.site.now(),
            description=described(typed.get("description", "")),
            expires_at=end_of_day(typed.get("expires", "")),
        )
    except ValueError as error:
        return await listing(visit, fault=str(error), typed_description=typed.get("description", ""))
    async with visit.site.database.transaction(visit.signed.company_id) as workspace:
        await workspace.api_keys.add(made.stored)
    return await listing(visit, made=made)


async def revoke_key(visit: Visit) -> Response:
    """Revoke a key for good; the next request with it is refused."""
    await visit.fields()
    key_id = visit.request.path_params["key_id"]
    async with visit.site.database.transaction(visit.signed.company_id) as workspace:
        if not await workspace.api_keys.revoke(key_id):
            raise NotHere
    return visit.go("/settings/keys")


async def listing(
    visit: Visit, *, made: NewApiKey | None = None, fault: str | None = None, typed_description: str = ""
) -> Response:
    """Show the page, with the key that was just made or what was wrong with the wish for one."""
    workspace = visit.site.database.workspace(visit.signed.company_id)
    return visit.page(
        "keys.html",
        422 if fault else 200,
        keys=await workspace.api_keys.all(),
        made=made,
        fault=fault,
        typed_description=typed_description,
    )


def described(text: str) -> str | None:
    """Return a description, or None for an empty one. Raises ValueError."""
    text = text.strip()
    if len(text) > LONGEST_DESCRIPTION or not text.isprintable():
        raise ValueError(f"the description may have {LONGEST_DESCRIPTION} printable characters")
    return text or None


def end_of_day(text: str) -> datetime | None:
    """Return the end of a day in UTC, or None for no day. Raises ValueError."""
    if not text:
        return None
    try:
        day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise ValueError("the expiry is no date") from None
    return datetime.combine(day.date(), time(23, 59, 59), UTC)
