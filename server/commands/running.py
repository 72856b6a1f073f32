"""Serving, stdio, and what an operator looks at."""

import signal
from datetime import timedelta
from typing import Final

import anyio
import uvicorn

from server.commands.output import Output
from server.logs import configure_logging
from server.service import Service, utc_now
from server.serving import OPTIONS, Application
from server.settings import Settings
from storage.repositories.schedules import Standing
from workflows.errors import WorkError

OVERDUE: Final = timedelta(minutes=2)
"""A worker sees a tick within seconds; one that is older waits for something."""


def serve(settings: Settings, output: Output, host: str, port: int, workers: int) -> None:
    """Serve until a signal ends it; calls in flight are finished."""
    if workers > 1 and settings.redis_url is None:
        raise WorkError(
            f"{workers} workers cannot share rate limits in memory",
            "Set SEENBY_REDIS_URL, or serve with one worker.",
        )
    if workers > 1 and settings.database_url.startswith("sqlite"):
        output.say(
            "Several workers share one SQLite file: writes wait for each other. PostgreSQL suits better."
        )
    configure_logging(settings.log_format)
    if workers > 1:
        uvicorn.run(
            "server.serving:application", factory=True, host=host, port=port, workers=workers, **OPTIONS
        )
    else:
        uvicorn.run(Application(settings), host=host, port=port, **OPTIONS)


async def work(service: Service, output: Output) -> None:
    """Execute runs until a signal ends it; what was not finished resumes elsewhere or at the next start."""
    configure_logging(service.settings.log_format)
    output.say("executing workflow runs; Ctrl-C ends it")
    async with anyio.create_task_group() as group:
        group.start_soon(service.execute)
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for _ in signals:
                group.cancel_scope.cancel()
                break


async def doctor(service: Service, output: Output) -> int:
    """Check what measuring and serving need; return 0 only when all of it is there."""
    platforms = {one: service.engines.configured(one) for one in service.engines.platforms}
    companies = await service.database.operators.companies.all()
    schedules = await service.database.operators.schedules.standing(utc_now() - OVERDUE)
    findings = {
        "database": service.settings.database_url.partition("://")[0],
        "companies": len(companies),
        "engines": platforms,
        "redis": service.settings.redis_url is not None,
        "baseUrl": service.settings.base_url,
        "schedules": {
            "active": schedules.schedules,
            "overdue": schedules.due,
            "nextAt": schedules.first.isoformat() if schedules.first else None,
        },
    }
    rows = [
        ("database", f"{findings['database']}, schema up to date"),
        ("companies", len(companies)),
        *(
            (f"engine {name}", "can be asked" if ready else "not configured")
            for name, ready in platforms.items()
        ),
        ("rate limits", "Redis" if findings["redis"] else "memory of one process"),
        ("address", service.settings.base_url),
        ("schedules", told_schedules(schedules)),
    ]
    output.data(findings, lambda: output.table(("what", "found"), rows))
    return 0 if any(platforms.values()) else 1


def told_schedules(standing: Standing) -> str:
    """Say how the schedules stand; one that is overdue waits for a worker, or for room on its plan."""
    if standing.first is None:
        return "none"
    said = f"{standing.schedules}, next at {standing.first:%Y-%m-%d %H:%M} UTC"
    return (
        f"{said}; {standing.due} overdue: is `seenby worker` or `seenby serve` running?"
        if standing.due
        else said
    )
