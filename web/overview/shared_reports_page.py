"""Shared reports: the public page behind a share link, the list of open links, and revoking them."""

from starlette.responses import Response

from oauth.throttle import network_of
from tools.calls.rate_limits import RateLimitWindow
from web.errors import PageNotFound
from web.overview.brand_report import draw_report_trend
from web.request import PageRequest


async def show_shared_reports(request: PageRequest) -> Response:
    """List the shared reports of the company; their links are shown only once, when they are made."""
    workspace = request.workspace
    return request.render("overview/shared_reports.html", shared=await workspace.shared_reports.all())


async def revoke_shared_report(request: PageRequest) -> Response:
    """End a link at once."""
    await request.read_form()
    async with request.transaction() as workspace:
        if not await workspace.shared_reports.revoke(request.http.path_params["report_id"]):
            raise PageNotFound
    return request.redirect("/settings/shared")


WRONG_LINKS_A_MINUTE = 30
LONGEST_TOKEN = 100


async def show_shared_report(request: PageRequest) -> Response:
    """Show the report of a link; an unknown, an expired and a revoked one look alike."""
    services, token = request.services, request.http.path_params["token"]
    # A signed-in visitor sees what any visitor with the link sees.
    request.person, request.navigation = None, None
    shared = None
    if len(token) <= LONGEST_TOKEN and token.isascii():
        digests = services.shared_report_tokens.candidates(token)
        shared = await services.database.operators.shared_reports.by_digests(digests)
    if shared is None or shared.expires_at <= services.now():
        window = RateLimitWindow(f"shared-report:{network_of(request.address)}", WRONG_LINKS_A_MINUTE)
        await request.count_attempt(window)
        raise PageNotFound
    response = request.render(
        "overview/shared_report.html",
        report=shared.report,
        chart=draw_report_trend(shared.report),
        expires_at=shared.expires_at,
    )
    response.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    return response
