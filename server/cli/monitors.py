"""Monitors of brands' sites, bots and content: run now, or queued when they are due."""

from typing import Annotated, Any

import typer

from measurement.alerts.issues import KINDS
from measurement.errors import UnknownName
from measurement.planning.clock import utc_now
from server.cli.session import AllowedHosts, AnyBrand, Session, command
from workflows.monitors.figures import shown_figures, trouble

app = typer.Typer(no_args_is_help=True, help="Monitors of brands' sites, bots and content.")


@command(app, "run", service=True)
async def run(
    session: Session,
    brand: AnyBrand = None,
    script: Annotated[list[str] | None, typer.Option(help=f"{', '.join(KINDS)}. All by default.")] = None,
    allow_host: AllowedHosts = None,
) -> int:
    """Run monitors now; exits with 1 when one of them failed."""
    for name in script or ():
        if name not in KINDS:
            raise UnknownName("monitor", name, KINDS)
    monitors = session.service.visiting(allow_host or ()).monitors
    values: list[dict[str, Any]] = []
    for monitored in await session.brands(brand):
        for name in script or KINDS:
            session.output.say(f"{name}: {monitored.name}")
            result = await monitors.look(session.company.id, monitored.id, name, utc_now())
            if result is None:
                continue
            values.append(
                {
                    "brand": monitored.name,
                    "script": result.script,
                    "status": result.status,
                    "error": trouble(result.error_code) if result.error_code else None,
                    "metrics": shown_figures(result),
                    "startedAt": result.started_at,
                    "finishedAt": result.finished_at,
                }
            )
    session.output.show(values, columns="brand script status error")
    return int(any(value["status"] == "error" for value in values))


@command(app, "due", service=True, company=False)
async def due(session: Session) -> None:
    """Queue every monitor that is due, once; `seenby serve` or `seenby worker` runs it."""
    started = await session.service.monitors.start_due(utc_now())
    session.output.show({"started": started}, f"{started} monitors were queued")
