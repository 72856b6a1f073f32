"""The report of a brand: a page made for paper and PDF, and the form that makes a link to it."""

import secrets
from dataclasses import dataclass
from datetime import timedelta

from starlette.responses import Response

from web.errors import InvalidForm, PageNotFound
from web.overview.brand_report import LoadedReport, draw_report_trend, load_report
from web.request import PageRequest

LIFETIMES = {"7": "a week", "30": "30 days", "90": "90 days"}
MOST_SHARED = 100
"""Open links of a company; an old one is revoked before a new one is made."""


@dataclass(frozen=True, slots=True)
class ReportLink:
    """A link that was just made: it is shown this once."""

    address: str
    lifetime: str


async def show_report(request: PageRequest) -> Response:
    """Show the report of a brand under the filters of the address."""
    return _render_report(request, await load_report(request))


async def share_report(request: PageRequest) -> Response:
    """Keep the report as it is now under a new link, and show the link."""
    typed = await request.read_form()
    days = typed.get("days", "")
    if days not in LIFETIMES:
        raise InvalidForm
    services, person = request.services, request.signed_in
    loaded = await load_report(request)
    raw, now = secrets.token_urlsafe(32), services.now()
    async with request.database.transaction(person.company_id) as workspace:
        brand = await workspace.brands.find(loaded.profile["id"])
        if brand is None:
            raise PageNotFound
        full = await workspace.shared_reports.count(now) >= MOST_SHARED
        if not full:
            await workspace.shared_reports.add(
                brand.key,
                services.shared_report_tokens.digest(raw),
                loaded.report,
                shared_by=person.user_id,
                expires_at=now + timedelta(days=int(days)),
                now=now,
            )
    if full:
        return _render_report(
            request, loaded, fault=f"A workspace has at most {MOST_SHARED} links: revoke one first."
        )
    return _render_report(request, loaded, ReportLink(f"{services.base_url}/shared/{raw}", LIFETIMES[days]))


def _render_report(
    request: PageRequest, loaded: LoadedReport, link: ReportLink | None = None, fault: str | None = None
) -> Response:
    return request.render(
        "overview/report.html",
        422 if fault else 200,
        asked=loaded.asked,
        view=loaded.view,
        brand=loaded.profile,
        report=loaded.report,
        addresses=loaded.addresses,
        chart=draw_report_trend(loaded.report),
        link=link,
        lifetimes=LIFETIMES,
        fault=fault,
    )
