"""The page of one run of a workflow: its agents, findings and errors, live by loading anew."""

from starlette.responses import Response

from web.errors import PageNotFound
from web.request import PageRequest

LIVE = ("pending", "running")


async def show_run(request: PageRequest) -> Response:
    """Show how far a run is and what it found."""
    run = await request.call_tool("get_run_status", runId=request.http.path_params["run_id"])
    if run is None:
        raise PageNotFound
    return request.render("automation/run.html", run=run, live=run["status"] in LIVE)


async def cancel_run(request: PageRequest) -> Response:
    """Cancel a run that is waiting or running; one that has ended stays as it is."""
    await request.read_form()
    run_id = request.http.path_params["run_id"]
    await request.try_tool("cancel_workflow_run", {"runId": run_id})
    return request.redirect(f"/automation/runs/{run_id}")
