"""The page of a running measurement, and the stream of events that keeps it up to date."""

import json
import secrets
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from typing import Any

from starlette.responses import Response, StreamingResponse

from measurement.planning.engine_names import platform_name
from oauth.principal import Caller
from storage.errors import StorageError
from tools.calls.wire import harmless
from web.errors import PageNotFound
from web.request import PageRequest
from web.run_feed import STOPPING, RunSnapshot
from web.templates import HEADERS

RECONNECT_MILLISECONDS = 2000
RECONNECT_SPREAD_MILLISECONDS = 3000
"""Pages that a server's end left together come back one after the other."""
LONGEST_QUOTE = 280


async def show_progress(request: PageRequest) -> Response:
    """Show how far a measurement is; once it has ended well, lead on to the overview."""
    snapshot = await request.services.run_feed.read(_caller(request), request.http.path_params["run_id"])
    if snapshot is None:
        raise PageNotFound
    progress = _describe_progress(snapshot, request.services.now())
    if progress["state"] == "done":
        return request.redirect(progress["next"])
    return request.render(
        "measurements/progress.html", progress=progress, run=snapshot.run, event_id=snapshot.id
    )


async def stream_progress(request: PageRequest) -> Response:
    """Send an event for each change; a browser that comes back names the last one it saw."""
    run_id = request.http.path_params["run_id"]
    if await request.services.run_feed.read(_caller(request), run_id) is None:
        raise PageNotFound
    known = request.http.headers.get("last-event-id") or request.http.query_params.get("after")

    stopping: Callable[[], bool] = request.http.scope.get("extensions", {}).get(STOPPING, bool)

    async def events() -> AsyncIterator[str]:
        yield f"retry: {RECONNECT_MILLISECONDS + secrets.randbelow(RECONNECT_SPREAD_MILLISECONDS)}\n\n"
        async for snapshot in request.services.run_feed.watch(_caller(request), run_id, known, stopping):
            if not await _still_signed_in(request):
                return
            if snapshot is None:
                yield ": still running\n\n"
                continue
            progress = _describe_progress(snapshot, request.services.now())
            kind = "progress" if snapshot.live else "ended"
            yield f"id: {snapshot.id}\nevent: {kind}\ndata: {json.dumps(progress)}\n\n"

    headers = {**HEADERS, "X-Accel-Buffering": "no"}
    return StreamingResponse(events(), headers=headers, media_type="text/event-stream")


async def cancel_measurement(request: PageRequest) -> Response:
    """Cancel a measurement that is waiting or running; one that has ended stays as it is."""
    await request.read_form()
    run_id = request.http.path_params["run_id"]
    await request.try_tool("cancel_workflow_run", {"runId": run_id})
    return request.redirect(f"/measurements/{run_id}")


def _describe_progress(snapshot: RunSnapshot, now: datetime) -> dict[str, Any]:
    """Return what the page shows: `state` is waiting, running, done or failed; counts are questions."""
    run, sessions = snapshot.run, snapshot.sessions
    agent = run["agents"][0]
    counted = agent["progress"] or {"done": 0, "total": 0}
    planned = sum(session["planned"] for session in sessions) or counted["total"]
    answered = sum(session["answered"] for session in sessions)
    failed = sum(session["failed"] for session in sessions)
    settled = answered + failed
    return {
        "state": _state(run["status"]),
        "settled": settled,
        "planned": planned,
        "percent": settled * 100 // planned if planned else 0,
        "answered": answered,
        "failed": failed,
        "left": _words_left(agent["startedAt"], settled, planned, now),
        "engines": [{"name": platform_name(session["platform"]), **session} for session in sessions],
        "failures": [
            {"name": platform_name(failure.platform), "words": failure.words, "count": failure.count}
            for failure in snapshot.failures
        ],
        "quotes": [
            {
                "name": platform_name(quote.platform),
                "prompt": quote.prompt,
                "text": harmless(quote.text, LONGEST_QUOTE),
            }
            for quote in snapshot.quotes
        ],
        "errors": [f"{error['message']} {error['hint']}" for error in run["errors"]],
        "next": f"/brands/{run['brandId']}",
    }


def _state(status: str) -> str:
    return {"pending": "waiting", "running": "running", "completed": "done", "partial_complete": "done"}.get(
        status, "failed"
    )


def _words_left(started_at: str | None, settled: int, planned: int, now: datetime) -> str:
    """Say how long the rest takes at the rate so far; empty while nothing is known of it."""
    if started_at is None or not settled or settled >= planned:
        return ""
    seconds = (now - datetime.fromisoformat(started_at)).total_seconds() / settled * (planned - settled)
    if seconds < 50:
        return f"about {max(5, round(seconds / 5) * 5)} seconds left"
    minutes = max(1, round(seconds / 60))
    return f"about {minutes} minute{'s' if minutes > 1 else ''} left"


async def _still_signed_in(request: PageRequest) -> bool:
    """Return whether the person may still read the page: a stream outlives a session and a membership."""
    try:
        person = await request.services.sessions.signed_in(request.http)
    except StorageError:
        return False  # the browser reconnects and gets the error then
    return person is not None and person.company_id == request.signed_in.company_id


def _caller(request: PageRequest) -> Caller:
    return Caller(request.signed_in.principal, request.address)
