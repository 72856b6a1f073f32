"""The pages on which people start readiness scans, watch them, and read their company's reports."""

from datetime import timedelta

from starlette.responses import Response

from readiness.fetching import urls
from readiness.fetching.errors import ScanRefused
from readiness.report.document import Report, markdown
from readiness.scans.scanner import SENTENCES, ScanRequest
from readiness.survey.site_kind import DECLARABLE
from storage.plans import PLANS
from storage.repositories.readiness import ReportName
from tools.calls.rate_limits import RateLimitWindow, public_window
from web.errors import PageNotFound
from web.readiness import report_formats
from web.readiness.latest_report_page import add_scheme
from web.readiness.pictures import send_picture
from web.request import PageRequest

LISTED, EARLIER_LISTED = 50, 10
LONGEST_ADDRESS = 2048
PROOFS_A_MINUTE = 5
RENEWED = timedelta(seconds=2)
INTERRUPTED = {
    "interrupted": "the server was stopped while the scan ran",
    "crashed": "the scan failed because of an error on our side",
    "busy": "other scans had all turns for five minutes",
}
"""What ended a scan beside the scanner's own reasons."""


async def show_scans(request: PageRequest) -> Response:
    """Show the look-up and, to people, the form that starts a scan and what their company scanned."""
    return await _render_scans(request, url=request.http.query_params.get("url", "")[:LONGEST_ADDRESS])


async def _render_scans(request: PageRequest, *, fault: str | None = None, **typed: str) -> Response:
    if request.person is None:
        return request.render("readiness/look_up.html", typed="")
    own = request.services.database.workspace(request.person.company_id).readiness
    midnight = request.services.now().replace(hour=0, minute=0, second=0, microsecond=0)
    allowed = PLANS[request.person.plan].scans
    return request.render(
        "readiness/scans.html",
        422 if fault else 200,
        scans=await own.scans(LISTED),
        allowed=allowed,
        left=max(0, allowed - await own.counted_since(midnight)),
        kinds=[kind.value for kind in DECLARABLE],
        limit=request.services.scans.requests,
        fault=fault,
        typed=typed,
        why=_explain_failure,
    )


async def start_scan(request: PageRequest) -> Response:
    """Start a scan and lead to its progress."""
    typed = await request.read_form()
    kinds = {kind.value: kind for kind in DECLARABLE}
    url = add_scheme(typed.get("url", "").strip())
    company_id = request.signed_in.company_id
    try:
        owner = None
        if "owner" in typed:
            await request.count_attempt(RateLimitWindow(f"site-owner:{company_id}", PROOFS_A_MINUTE))
            owner = await request.services.scans.prove_owner(company_id, url, typed.get("statement", ""))
        scan_request = ScanRequest(
            url,
            kinds.get(typed.get("type", "")),
            public="private" not in typed,
            probe_bots="own" in typed,
            counted=True,
            owner=owner,
        )
        scan_id = await request.services.scans.start(company_id, request.signed_in.role, scan_request)
    except ScanRefused as refused:
        words = f"No scan was started: {refused.message}. {refused.hint}"
        return await _render_scans(request, fault=words, **typed)
    return request.redirect(f"/readiness/scans/{scan_id}")


async def show_scan_progress(request: PageRequest) -> Response:
    """Show how far a scan is; it leads to the report as soon as there is one."""
    scan = await request.services.scans.find(
        request.signed_in.company_id, request.http.path_params["scan_id"]
    )
    if scan is None:
        raise PageNotFound
    if scan.report_id is not None:
        return request.redirect(f"/readiness/reports/{scan.report_id}")
    limit = request.services.scans.requests
    response = request.render(
        "readiness/scan.html", scan=scan, limit=limit, reason=_explain_failure(scan.reason)
    )
    if scan.state == "running":
        # The header does what an element of the page would do, without taking the page away from who reads it aloud.
        response.headers["refresh"] = str(RENEWED.seconds)
    return response


def _explain_failure(reason: str | None) -> str:
    """Return in words why a scan ended without a report."""
    words: dict[str, str] = {key.value: sentence for key, sentence in SENTENCES.items()} | INTERRUPTED
    return words.get(reason or "", "the scan could not be finished")


async def show_report(request: PageRequest) -> Response:
    """Serve one report by its id as a page."""
    stored, public = await load_report(request)
    report = Report.load(stored)
    return report_formats.render_report(
        request, report, public=public, earlier=await earlier_reports(request, report)
    )


async def serve_report_json(request: PageRequest) -> Response:
    """Serve one report by its id as JSON."""
    stored, _ = await load_report(request)
    return report_formats.send(Report.load(stored).to_json().encode(), report_formats.JSON)


async def serve_report_markdown(request: PageRequest) -> Response:
    """Serve one report by its id as Markdown."""
    stored, _ = await load_report(request)
    return report_formats.send(markdown(Report.load(stored)).encode(), report_formats.MARKDOWN)


async def serve_report_picture(request: PageRequest) -> Response:
    """Serve the picture that a shared link of a public report shows."""
    stored, public = await load_report(request)
    if not public:
        raise PageNotFound
    return await send_picture(stored)


async def earlier_reports(request: PageRequest, report: Report) -> list[ReportName]:
    """Name the reports of the same address that were made before this one and that the reader may read."""
    key = urls.parse(report.url, allow_hosts=urls.EVERY_HOST).key
    database = request.services.database
    named = await database.operators.readiness.earlier(key, report.scannedAt, EARLIER_LISTED)
    if request.person is not None:
        own = database.workspace(request.person.company_id).readiness
        named += await own.earlier(key, report.scannedAt, EARLIER_LISTED)
    once = {name.id: name for name in named}
    return sorted(once.values(), key=lambda name: name.scanned_at, reverse=True)[:EARLIER_LISTED]


async def load_report(request: PageRequest, report_id: str | None = None) -> tuple[str, bool]:
    """Return a report, that of the address unless another is given, and whether it is public.

    A private one is found by its company alone. Raises PageNotFound, and Throttled for an address that reads too much.
    """
    if report_id is None:
        report_id = str(request.http.path_params["report_id"])
        await request.count_attempt(public_window(request.address))
    public = await request.services.database.operators.readiness.find(report_id)
    if public is not None:
        return public, True
    own = None
    if request.person is not None:
        own = await request.services.database.workspace(request.person.company_id).readiness.report(report_id)
    if own is None:
        raise PageNotFound
    return own, False
