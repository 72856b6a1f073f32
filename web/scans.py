"""The pages on which people start readiness scans, watch them, and read their company's reports."""

from datetime import timedelta
from typing import Any

from starlette.responses import Response

from readiness.report import Report, markdown
from readiness.site_type import DECLARABLE
from tools.rate_limits import public_window
from web import report_forms
from web.errors import NotHere
from web.readiness import with_scheme
from web.visit import Visit
from workflows.catalog import PLANS
from workflows.errors import ScanRefused
from workflows.scanning import SENTENCES, ScanRequest

LISTED = 50
RENEWED = timedelta(seconds=2)
INTERRUPTED = {
    "interrupted": "the server was stopped while the scan ran",
    "crashed": "the scan failed for a fault of ours",
}
"""What ended a scan beside the scanner's own reasons."""


async def readiness(visit: Visit) -> Response:
    """Show the look-up and, to people, the form that starts a scan and what their company scanned."""
    return await overview(visit)


async def overview(visit: Visit, *, fault: str | None = None, **typed: str) -> Response:
    """Show the page, with why the last scan was not started."""
    if visit.person is None:
        return visit.page("readiness/look_up.html", typed="")
    own = visit.site.database.workspace(visit.person.company_id).readiness
    midnight = visit.site.now().replace(hour=0, minute=0, second=0, microsecond=0)
    allowed = PLANS[visit.person.plan].scans
    return visit.page(
        "readiness/scans.html",
        422 if fault else 200,
        scans=await own.scans(LISTED),
        allowed=allowed,
        left=max(0, allowed - await own.counted_since(midnight)),
        kinds=[kind.value for kind in DECLARABLE],
        fault=fault,
        typed=typed,
        why=why,
    )


async def start(visit: Visit) -> Response:
    """Start a scan and lead to its progress."""
    typed = await visit.fields()
    kinds = {kind.value: kind for kind in DECLARABLE}
    request = ScanRequest(
        with_scheme(typed.get("url", "").strip()),
        kinds.get(typed.get("type", "")),
        public="private" not in typed,
        probe_bots="own" in typed,
        counted=True,
    )
    try:
        scan_id = await visit.site.scans.start(visit.signed.company_id, request)
    except ScanRefused as refused:
        words = f"No scan was started: {refused.message}. {refused.hint}"
        return await overview(visit, fault=words, **typed)
    return visit.go(f"/readiness/scans/{scan_id}")


async def progress(visit: Visit) -> Response:
    """Show how far a scan is; it leads to the report as soon as there is one."""
    scan = await visit.site.scans.find(visit.signed.company_id, visit.request.path_params["scan_id"])
    if scan is None:
        raise NotHere
    if scan.report_id is not None:
        return visit.go(f"/readiness/reports/{scan.report_id}")
    limit = visit.site.scans.requests
    response = visit.page("readiness/scan.html", scan=scan, limit=limit, reason=why(scan.reason))
    if scan.state == "running":
        # The header does what an element of the page would do, without taking the page away from who reads it aloud.
        response.headers["refresh"] = str(RENEWED.seconds)
    return response


def why(reason: str | None) -> str:
    """Return in words why a scan ended without a report."""
    words: dict[str, str] = {key.value: sentence for key, sentence in SENTENCES.items()} | INTERRUPTED
    return words.get(reason or "", "the scan could not be finished")


async def report(visit: Visit) -> Response:
    """Serve one report by its id as a page."""
    stored, public = await found(visit)
    return report_forms.page(visit, Report.model_validate_json(stored), public=public)


async def report_json(visit: Visit) -> Response:
    """Serve one report by its id as JSON."""
    stored, _ = await found(visit)
    return report_forms.sent(stored.encode(), report_forms.JSON)


async def report_markdown(visit: Visit) -> Response:
    """Serve one report by its id as Markdown."""
    stored, _ = await found(visit)
    return report_forms.sent(markdown(Report.model_validate_json(stored)).encode(), report_forms.MARKDOWN)


async def report_picture(visit: Visit) -> Response:
    """Serve the picture that a shared link of a public report shows."""
    stored, public = await found(visit)
    if not public:
        raise NotHere
    return await report_forms.picture(stored)


async def found(visit: Visit) -> tuple[str, bool]:
    """Return a report and whether it is public; a private one is found by its company alone.

    Raises NotHere, and Throttled for an address that reads too much.
    """
    report_id: Any = visit.request.path_params["report_id"]
    await visit.count(public_window(visit.address))
    public = await visit.site.database.operators.readiness.find(report_id)
    if public is not None:
        return public, True
    own = None
    if visit.person is not None:
        own = await visit.site.database.workspace(visit.person.company_id).readiness.report(report_id)
    if own is None:
        raise NotHere
    return own, False
