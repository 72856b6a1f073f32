"""Monitors, as an operator starts them."""

from collections.abc import Sequence
from typing import Any

from server.commands.output import Output
from server.commands.subjects import brands_of, find_company
from server.service import Service, utc_now
from storage.repositories.brands import Brand
from storage.repositories.monitors import MonitorResult
from workflows.errors import UnknownName
from workflows.monitors.scripts import KINDS
from workflows.monitors.trouble import trouble


async def look(
    service: Service,
    output: Output,
    company: str | None,
    brand: str | None,
    scripts: Sequence[str],
    allow_hosts: Sequence[str],
) -> int:
    """Let monitors look now and print what they saw; return 1 when one of them saw nothing."""
    owner = await find_company(service, company)
    for script in scripts:
        if script not in KINDS:
            raise UnknownName("monitor", script, KINDS)
    monitors = service.visiting(allow_hosts).monitors
    found: list[dict[str, Any]] = []
    for one in await brands_of(service, owner.id, brand):
        for script in scripts or KINDS:
            output.say(f"{script}: {one.name}")
            result = await monitors.look(owner.id, one.id, script, utc_now())
            if result is not None:
                found.append(shown(one, result))
    columns = ("brand", "script", "status", "error")
    rows = [[one[name] for name in columns] for one in found]
    output.data(found, lambda: output.table(columns, rows))
    return int(any(one["status"] == "error" for one in found))


async def start_due(service: Service, output: Output) -> None:
    """Queue what is due; a worker looks."""
    started = await service.monitors.start_due(utc_now())
    output.data({"started": started}, lambda: output.people.print(f"{started} monitors were queued"))


def shown(brand: Brand, result: MonitorResult) -> dict[str, Any]:
    """Return a result as it is printed."""
    return {
        "brand": brand.name,
        "script": result.script,
        "status": result.status,
        "error": trouble(result.error_code) if result.error_code else None,
        "metrics": dict(result.metrics),
        "startedAt": result.started_at,
        "finishedAt": result.finished_at,
    }
