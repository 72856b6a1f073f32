"""Monitors of brands' sites, bots and content: run now, or queued when they are due."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from measurement.alerts.issues import KINDS
from measurement.errors import UnknownName
from measurement.planning.clock import utc_now
from server.cli.lookup import find_brands, find_company
from server.cli.options import AllowedHosts, AnyBrand, Company, Json
from server.cli.output import Output
from server.cli.session import with_service
from server.service import Service
from storage.repositories.brands import Brand
from storage.repositories.monitors import MonitorResult
from workflows.monitors.figures import shown_figures, trouble

app = typer.Typer(no_args_is_help=True, help="Monitors of brands' sites, bots and content.")


@app.command("run")
def run(
    company: Company = None,
    brand: AnyBrand = None,
    script: Annotated[list[str] | None, typer.Option(help="One monitor; may be given several times.")] = None,
    allow_host: AllowedHosts = None,
    as_json: Json = False,
) -> None:
    """Run monitors now; exits with 1 when one of them could not see anything."""
    with_service(as_json, run_monitors, company, brand, script or (), allow_host or ())


async def run_monitors(
    service: Service,
    output: Output,
    company: str | None,
    brand: str | None,
    scripts: Sequence[str],
    allow_hosts: Sequence[str],
) -> int:
    """Run monitors now and print their results; return 1 when one of them failed."""
    owner = await find_company(service.database, company)
    for script in scripts:
        if script not in KINDS:
            raise UnknownName("monitor", script, KINDS)
    monitors = service.visiting(allow_hosts).monitors
    values: list[dict[str, Any]] = []
    for monitored in await find_brands(service.database, owner.id, brand):
        for script in scripts or KINDS:
            output.say(f"{script}: {monitored.name}")
            result = await monitors.look(owner.id, monitored.id, script, utc_now())
            if result is not None:
                values.append(result_fields(monitored, result))
    columns = ("brand", "script", "status", "error")
    rows = [[value[name] for name in columns] for value in values]
    output.data(values, lambda: output.table(columns, rows))
    return int(any(value["status"] == "error" for value in values))


@app.command("due")
def due(as_json: Json = False) -> None:
    """Queue every monitor that is due, once; `seenby serve` or `seenby worker` runs it."""
    with_service(as_json, queue_due)


async def queue_due(service: Service, output: Output) -> None:
    """Queue what is due; a worker executes it."""
    started = await service.monitors.start_due(utc_now())
    output.data({"started": started}, lambda: output.people.print(f"{started} monitors were queued"))


def result_fields(brand: Brand, result: MonitorResult) -> dict[str, Any]:
    """Return a result as it is printed."""
    return {
        "brand": brand.name,
        "script": result.script,
        "status": result.status,
        "error": trouble(result.error_code) if result.error_code else None,
        "metrics": shown_figures(result),
        "startedAt": result.started_at,
        "finishedAt": result.finished_at,
    }
