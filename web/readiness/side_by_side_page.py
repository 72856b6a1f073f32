"""A brand's site beside those of its competitors: the same scores of each one's latest report."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from readiness.fetching import urls
from readiness.fetching.urls import UrlRefused
from readiness.report.document import Report
from web.readiness.latest_report_page import add_scheme
from web.request import PageRequest

MOST_RIVALS = 12


@dataclass(frozen=True, slots=True)
class SiteRow:
    """One site of the table; `report` is the latest that the reader may read, None without one."""

    name: str
    own: bool
    site: str
    report: Report | None


async def show_readiness_side_by_side(request: PageRequest) -> Response:
    """Show the scores of the brand's site and of its competitors' sites, each from its latest report."""
    brand = await request.load_brand()
    request.brand_id = brand["id"]
    named = [(brand["name"], True, brand["website"] or "")]
    named += [
        (rival["name"], False, rival["sites"][0] if rival["sites"] else "")
        for rival in brand["competitors"][:MOST_RIVALS]
    ]
    rows = [SiteRow(name, own, site, await _latest(request, site)) for name, own, site in named]
    models = {_model(row.report) for row in rows if row.report}
    return request.render(
        "readiness/side_by_side.html",
        brand=brand,
        rows=rows,
        columns=_scored_groups(rows),
        comparable=len(models) <= 1,
        left_out=max(0, len(brand["competitors"]) - MOST_RIVALS),
    )


def _scored_groups(rows: Sequence[SiteRow]) -> list[str]:
    """Return the titles of the score groups that any report has a score in: other trades have fewer of them."""
    groups = [group for row in rows if row.report for group in row.report.groups()]
    return list(dict.fromkeys(title for title, group in groups if group.score is not None))


async def _latest(request: PageRequest, site: str) -> Report | None:
    """The company's own latest report of a site, or the public one where that is newer or the only one."""
    if not site:
        return None
    try:
        key = urls.parse(add_scheme(site), allow_hosts=urls.EVERY_HOST).key
    except UrlRefused:
        return None
    database = request.services.database
    own = await database.workspace(request.signed_in.company_id).readiness.latest(key)
    public = await database.operators.readiness.latest(key)
    reports = [Report.load(stored) for stored in (own, public) if stored]
    return max(reports, key=lambda report: (not report.site_unseen, report.scannedAt), default=None)


def _model(report: Report | None) -> Any:
    return report.modelVersion.rsplit(".", 1)[0] if report else None
