"""The public page of a company's sites: each one's newest public report, for anyone with the address."""

import secrets
from dataclasses import dataclass

from markupsafe import Markup
from starlette.responses import Response

from oauth.throttle import network_of
from readiness.fetching import urls
from readiness.fetching.urls import UrlRefused
from readiness.report.document import Report
from storage.repositories.brands import Brand
from tools.calls.rate_limits import RateLimitWindow, public_window
from tools.readiness import newest_report
from web.errors import PageNotFound
from web.readiness.latest_report_page import add_scheme
from web.readiness.pictures import badge_of
from web.request import PageRequest

MOST_SITES = 20
LONGEST_HEADING = 80
LONGEST_SLUG = 100
SLUG_BYTES = 16
WRONG_ADDRESSES_A_MINUTE = 30
HEADING = "Our sites"


@dataclass(frozen=True, slots=True)
class ShownSite:
    """One site of the page; `report` is its newest public report, None before the first."""

    host: str
    report: Report | None
    badge: Markup


async def show_public_sites(request: PageRequest) -> Response:
    """Show the sites of a page; an address that never was and one that was taken back look alike."""
    services, slug = request.services, request.http.path_params["slug"]
    # A signed-in visitor sees what any visitor with the address sees.
    request.person, request.navigation = None, None
    site_page = None
    if len(slug) <= LONGEST_SLUG and slug.isascii():
        site_page = await services.database.operators.site_pages.by_slug(slug)
    if site_page is None:
        window = RateLimitWindow(f"public-sites:{network_of(request.address)}", WRONG_ADDRESSES_A_MINUTE)
        await request.count_attempt(window)
        raise PageNotFound
    await request.count_attempt(public_window(request.address))
    sites = [site for website in site_page.websites if (site := await _site(request, website))]
    response = request.render("readiness/public_sites.html", heading=site_page.heading, sites=sites)
    response.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    return response


async def _site(request: PageRequest, website: str) -> ShownSite | None:
    """Read the newest public report of a website; None for an address that cannot be visited."""
    try:
        url = urls.parse(add_scheme(website), allow_hosts=urls.EVERY_HOST)
    except UrlRefused:
        return None
    report = await newest_report(request.services.database.operators.readiness, url.key)
    if report is None:
        return ShownSite(url.authority, None, Markup(""))
    # A badge is drawn from a score and a date; no text of a stranger is in it.
    return ShownSite(url.authority, report, Markup(badge_of(report)))


async def show_choice(request: PageRequest) -> Response:
    """Show which sites the company's page shows, and where it is."""
    return await _render_choice(request)


async def _render_choice(
    request: PageRequest, *, fault: str | None = None, heading: str | None = None
) -> Response:
    workspace = request.workspace
    own = await workspace.site_pages.own()
    return request.render(
        "readiness/public_sites_choice.html",
        422 if fault else 200,
        published=own,
        address=f"{request.services.base_url}/readiness/sites/{own.slug}" if own else "",
        brands=[brand for brand in await workspace.brands.active() if brand.website],
        chosen=await workspace.site_pages.chosen(),
        heading=heading if heading is not None else own.heading if own else HEADING,
        longest=LONGEST_HEADING,
        most=MOST_SITES,
        fault=fault,
    )


async def publish_sites(request: PageRequest) -> Response:
    """Put the page up, or change what it shows."""
    typed = await request.read_form()
    heading = " ".join(typed.get("heading", "").split()) or HEADING
    wanted = [name.removeprefix("site-") for name in typed if name.startswith("site-")]
    if not wanted or len(wanted) > MOST_SITES or len(heading) > LONGEST_HEADING:
        fault = f"Choose between one and {MOST_SITES} sites, and a heading of at most {LONGEST_HEADING} characters."
        return await _render_choice(request, fault=fault, heading=heading[:LONGEST_HEADING])
    async with request.transaction() as workspace:
        await (
            workspace.credits.lock()
        )  # a company publishes one page, also when two of its people do so at once
        brands = [brand for brand in await workspace.brands.find_each(wanted) if _has_site(brand)]
        if len(brands) != len(wanted):
            raise PageNotFound
        keys = sorted({brand.key for brand in brands if brand})
        slug = secrets.token_urlsafe(SLUG_BYTES)
        await workspace.site_pages.publish(slug, heading, keys, request.services.now())
    return request.redirect("/readiness/sites")


def _has_site(brand: Brand | None) -> bool:
    return brand is not None and bool(brand.website)


async def take_down(request: PageRequest) -> Response:
    """Take the page down at once; its address never works again."""
    await request.read_form()
    async with request.transaction() as workspace:
        if not await workspace.site_pages.take_down():
            raise PageNotFound
    return request.redirect("/readiness/sites")
