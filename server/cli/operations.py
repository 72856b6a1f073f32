"""What an operator asks of an installation: its schema, its health, its OpenAPI document."""

import json
import os
import re
import sys
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from measurement.planning.clock import utc_now
from server.cli.options import Json
from server.cli.output import Output
from server.cli.session import CommandSession, with_database, with_service

if TYPE_CHECKING:
    from server.service import Service
    from storage.repositories.schedules import ScheduleStatus

UP_TO_DATE: Final = "up to date"
DIFFERENT: Final = "not the declared one, though it bears the newest revision"
OVERDUE: Final = timedelta(minutes=2)
"""A worker starts a due tick within seconds; an older one waits for something."""


def migrate(as_json: Json = False) -> None:
    """Bring the database's schema up to date."""
    with_database(as_json, report_schema)


async def report_schema(session: CommandSession, output: Output) -> int:
    """Print that the schema is up to date, which opening the database made it, or in what it differs; return 1 then."""
    differences = await session.database.schema_differences()
    if not differences:
        output.data({"schema": UP_TO_DATE}, lambda: output.people.print(f"the schema is {UP_TO_DATE}"))
        return 0
    output.data(
        {"schema": DIFFERENT, "differences": differences}, lambda: print_differences(output, differences)
    )
    return 1


def print_differences(output: Output, differences: Sequence[str]) -> None:
    """Print in what the schema differs from the declared one, and what to do."""
    output.people.print(f"the schema is {DIFFERENT}:")
    for difference in differences:
        output.people.print(f"- {difference}", markup=False)
    output.people.print(
        "No released version left it so. Restore a backup made by a release, or export the answers into a new database."
    )


def doctor(
    deep: Annotated[
        bool, typer.Option("--deep", help="Look through the whole database and at every part; takes a while.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check what measuring and serving need."""
    with_service(as_json, check_installation, deep)


async def check_installation(service: "Service", output: Output, deep: bool = False) -> int:
    """Check what measuring and serving need; return 0 only when all of it is there."""
    platforms = {platform: service.engines.configured(platform) for platform in service.engines.platforms}
    if platforms.get("local"):
        platforms["local"] = can_load_engine(output)
    companies = await service.database.operators.companies.all()
    schedules = await service.database.operators.schedules.status(utc_now() - OVERDUE)
    runs = await service.run_engine.health()
    pause = await service.database.operators.work_pauses.current()
    differences = await service.database.schema_differences()
    findings: dict[str, Any] = {
        "database": service.settings.database_url.partition("://")[0],
        "schema": {"upToDate": not differences, "differences": differences},
        "companies": len(companies),
        "engines": platforms,
        "redis": service.settings.redis_url is not None,
        "baseUrl": service.settings.base_url,
        "schedules": {
            "active": schedules.schedules,
            "overdue": schedules.due,
            "nextAt": schedules.first,
        },
        "workPausedSince": pause.since.isoformat() if pause else None,
        "runs": {
            "executors": runs.workers,
            "waiting": runs.waiting,
            "oldestWaitSeconds": round(runs.oldest_wait.total_seconds()) if runs.oldest_wait else None,
            "executing": runs.executing,
            "withoutExecution": runs.lost,
        },
    }
    rows = [
        ("database", findings["database"]),
        ("schema", f"{DIFFERENT}: {'; '.join(differences)}" if differences else UP_TO_DATE),
        ("companies", len(companies)),
        *(
            (f"engine {name}", "can be asked" if ready else "not configured")
            for name, ready in platforms.items()
        ),
        ("rate limits", "Redis" if findings["redis"] else "memory of one process"),
        ("address", service.settings.base_url),
        ("schedules", describe_schedules(schedules)),
        ("work", f"paused, {pause.reason}: see seenby resume" if pause else "goes on"),
        ("processes that execute runs", runs.workers),
        (
            "runs that wait",
            f"{runs.waiting}, the oldest for {format_wait(runs.oldest_wait)}" if runs.waiting else 0,
        ),
        ("runs in execution", runs.executing),
        ("runs without execution", runs.lost),
    ]
    sound = any(platforms.values()) and not differences
    if deep:
        from server.cli.deep_checks import check_deeply, holds

        findings["deep"] = looked = await check_deeply(service)
        rows += [(in_words(name), in_words(value)) for name, value in looked.items()]
        sound = sound and holds(looked)
    output.data(findings, lambda: output.table(("what", "state"), rows))
    return 0 if sound else 1


def in_words(found: Any) -> Any:
    """Return the name or the value of a finding as people read it."""
    if isinstance(found, bool):
        return "yes" if found else "no"
    if found in ([], None):
        return "none"
    if not isinstance(found, str) or not found.isidentifier():
        return found
    words = re.sub(r"(?<=[a-z])[A-Z]", lambda capital: f" {capital[0].lower()}", found)
    return words.replace("word press", "WordPress")


def can_load_engine(output: Output) -> bool:
    """Tell whether the built-in engine can really be loaded; say what lacks where it cannot."""
    from engines.errors import EngineError
    from engines.smollm import load_runtime

    try:
        load_runtime()
    except EngineError as error:
        output.say(error.message)
        return False
    return True


def describe_schedules(schedules: "ScheduleStatus") -> str:
    """Describe how many schedules there are, when the next is due, and how many are overdue."""
    if schedules.first is None:
        return "none"
    summary = f"{schedules.schedules}, next at {schedules.first:%Y-%m-%d %H:%M} UTC"
    return (
        f"{summary}; {schedules.due} overdue: is `seenby worker` or `seenby serve` running?"
        if schedules.due
        else summary
    )


def format_wait(wait: timedelta | None) -> str:
    """Return a wait in whole seconds, minutes and hours, as people read it."""
    return str(timedelta(seconds=round(wait.total_seconds()))) if wait else "0:00:00"


def openapi() -> None:
    """Print the OpenAPI document."""
    from rest_bridge.openapi import openapi_document  # the tools take a second to load
    from server.settings import Settings
    from tools.catalog import tool_table

    document = openapi_document(tool_table(), Settings.from_environ(os.environ).base_url, oauth=False)
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")
