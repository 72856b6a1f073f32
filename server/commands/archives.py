"""Whole companies and brands from the command line: out as lines of JSON, and in again."""

import time
from pathlib import Path

from server.commands.output import Output, rate
from server.commands.subjects import find_company
from server.service import Service, utc_now
from workflows.archives import archived, take_in
from workflows.planning import find_brand


async def export_everything(
    service: Service, output: Output, company_name: str | None, brand_name: str | None
) -> None:
    """Print every record of a company, or of one brand."""
    company = await find_company(service, company_name)
    workspace = service.database.workspace(company.id)
    brand = await find_brand(workspace, brand_name) if brand_name else None
    async for line in archived(workspace, company.name, brand, utc_now):
        output.line(line)


async def import_everything(
    service: Service, output: Output, path: Path, company_name: str | None, *, keep_schedules: bool
) -> None:
    """Take an archive in, print how much of what was stored, and say what does not ask by the clock any more."""
    company = await find_company(service, company_name)
    with output.progress() as bar:
        task = bar.add_task("taking in", total=None, rate="")
        started = time.monotonic()

        def advanced(done: int) -> None:
            bar.update(task, completed=done, rate=rate(done, time.monotonic() - started, "records"))

        taken = await take_in(
            service.database, service.publisher, company.id, path, advanced, keep_schedules=keep_schedules
        )
    value = {
        "records": taken.counts,
        "brands": [{"id": one.id, "name": one.name} for one in taken.brands],
        "schedulesSwitchedOff": [
            {"kind": one.kind, "name": one.name, "schedule": one.schedule} for one in taken.switched_off
        ],
    }
    for one in taken.switched_off:
        output.say(f"switched off the schedule {one.schedule!r} of the {one.kind} {one.name}")
    if taken.switched_off:
        output.say(
            "Nothing is asked by the clock until schedules are set again; --keep-schedules keeps them."
        )
    output.data(value, lambda: output.table(("table", "records"), list(taken.counts.items())))
