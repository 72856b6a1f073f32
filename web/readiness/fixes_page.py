"""What a report leads to: its fixes as files and as one page for who builds the site, and what changed since."""

from starlette.responses import Response

from readiness.report.difference import compare_reports
from readiness.report.document import Report
from readiness.report.fix_list import COLUMNS, done_when, fix_rows, fixes_as_markdown, list_fixes, seen_text
from web.errors import PageNotFound
from web.readiness import report_formats
from web.readiness.scans_page import earlier_reports, load_report
from web.request import PageRequest
from web.table_export import table_response


async def serve_fixes_markdown(request: PageRequest) -> Response:
    """Serve all fixes of a report as Markdown, one issue for each."""
    report, _ = await _report(request)
    return report_formats.send(fixes_as_markdown(report).encode(), report_formats.MARKDOWN)


async def serve_fixes_csv(request: PageRequest) -> Response:
    """Serve all fixes of a report as CSV."""
    report, _ = await _report(request)
    return table_response(request.http.url.path, f"readiness-fixes-{report.host}", COLUMNS, fix_rows(report))


async def show_fixes(request: PageRequest) -> Response:
    """Show all fixes on one page that can be printed and sent to who builds the site or its platform."""
    report, public = await _report(request)
    return request.render(
        "readiness/fixes.html", report=report, fixes=list_fixes(report), public=public, done_when=done_when
    )


async def show_difference(request: PageRequest) -> Response:
    """Show what changed between a report and an earlier one, the one before it unless another is asked for."""
    after, public = await _report(request)
    earlier = await earlier_reports(request, after)
    wanted = request.http.query_params.get("since") or (earlier[0].id if earlier else "")
    if not wanted:
        raise PageNotFound
    stored, before_public = await load_report(request, wanted)
    before = Report.load(stored)
    return request.render(
        "readiness/difference.html",
        before=before,
        after=after,
        difference=compare_reports(before, after),
        earlier=earlier,
        public=public and before_public,
        kinds=KINDS,
        seen=seen_text,
    )


KINDS = {
    "worse": "Worse",
    "improved": "Better",
    "now_seen": "Seen now",
    "no_longer_seen": "Not seen any more",
}


async def _report(request: PageRequest) -> tuple[Report, bool]:
    stored, public = await load_report(request)
    return Report.load(stored), public
