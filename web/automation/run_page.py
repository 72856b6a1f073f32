"""The page of one run: what to do first, what was done, and all that was found, live by loading anew."""

from starlette.responses import Response

from web.errors import PageNotFound
from web.request import PageRequest
from workflows.run_reports import NOT_DONE, read_report, shown_evidence


async def show_run(request: PageRequest) -> Response:
    """Show how far a run is and what it found, as get_run_status tells it in its report."""
    run_id = request.http.path_params["run_id"]
    status = await request.call_tool("get_run_status", runId=run_id)
    workspace = request.services.database.workspace(request.signed_in.company_id)
    run = await workspace.runs.find(run_id)
    if status is None or run is None:
        raise PageNotFound
    report = await read_report(workspace, run, request.services.now())
    new = {finding.id for finding in report.merged.new} if report.merged.has_earlier else set[str]()
    return request.render(
        "automation/run.html",
        run=status,
        live=run.live,
        report=report,
        title=report.title,
        new=new,
        titles={agent["agent"]: agent["title"] for agent in status["agents"]},
        not_done=NOT_DONE,
        shown_evidence=shown_evidence,
    )


async def cancel_run(request: PageRequest) -> Response:
    """Cancel a run that is waiting or running; one that has ended stays as it is."""
    await request.read_form()
    run_id = request.http.path_params["run_id"]
    await request.try_tool("cancel_workflow_run", {"runId": run_id})
    return request.redirect(f"/automation/runs/{run_id}")
