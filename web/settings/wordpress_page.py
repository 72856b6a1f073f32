"""The page of a company's WordPress site: set by owners, its application password sealed and never shown again."""

from starlette.responses import Response

from tools.calls.rate_limits import RateLimitWindow
from web.content.wordpress import describe_outcome
from web.errors import PageNotFound
from web.request import PageRequest
from workflows.publishing.site_access import InvalidWordPressSite
from workflows.publishing.wordpress import WordPressAccess

TESTS_A_MINUTE = 5


async def show_site(request: PageRequest) -> Response:
    """Show where texts are published to."""
    return await _render_site(request)


async def store_site(request: PageRequest) -> Response:
    """Keep a site with its application password, untested, in the place of an earlier one."""
    request.require_owner()
    typed = await request.read_form()
    url, username = typed.get("url", "").strip(), typed.get("username", "").strip()
    access = WordPressAccess(url, username, typed.get("password", "").strip())
    person = request.signed_in
    try:
        await request.services.wordpress.store(request.database, person.company_id, access, person.user_id)
    except InvalidWordPressSite as invalid:
        fault = f"The site was not stored: {invalid.message}."
        return await _render_site(request, fault=fault, url=url, username=username)
    return request.redirect("/settings/wordpress")


async def test_site(request: PageRequest) -> Response:
    """Ask the site who we are there, and say how it went."""
    request.require_owner()
    await request.read_form()
    company_id = request.signed_in.company_id
    await request.count_attempt(RateLimitWindow(f"wordpress-test:{company_id}", TESTS_A_MINUTE))
    result = await request.services.wordpress.test(request.database, company_id)
    if result is None:
        raise PageNotFound
    words = describe_outcome(result.outcome)
    if result.outcome == "works":
        return await _render_site(request, success=words)
    return await _render_site(request, fault=words)


async def remove_site(request: PageRequest) -> Response:
    """Forget the site with its password; posts that were made there stay there."""
    request.require_owner()
    await request.read_form()
    async with request.transaction() as workspace:
        if not await workspace.wordpress.remove():
            raise PageNotFound
    return request.redirect("/settings/wordpress")


async def _render_site(
    request: PageRequest,
    *,
    success: str | None = None,
    fault: str | None = None,
    url: str | None = None,
    username: str | None = None,
) -> Response:
    workspace = request.workspace
    site = await workspace.wordpress.site()
    return request.render(
        "settings/wordpress.html",
        422 if fault else 200,
        site=site,
        success=success,
        fault=fault,
        url=url if url is not None else (site.url if site else ""),
        username=username if username is not None else (site.username if site else ""),
    )
