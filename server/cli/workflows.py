"""Workflows that a company made itself: taken in from TOML, written as TOML, listed, put away."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from measurement.errors import InvalidFile, WorkError
from measurement.planning.clock import utc_now
from server.cli.lookup import find_company
from server.cli.options import Company, Json
from server.cli.output import Output
from server.cli.session import CommandSession, with_database, with_tools
from server.cli.tool_words import does, in_commands

if TYPE_CHECKING:
    from server.cli.tool_caller import ToolCaller

app = typer.Typer(no_args_is_help=True, help="Workflows of your own, made of the agents that ours have.")

WorkflowName = Annotated[str, typer.Argument(help="Id, as workflow list prints it.")]


@contextmanager
def hints_in_commands() -> Generator[None]:
    """Name commands in the place of tools in the hint of what is refused. Raises WorkError."""
    try:
        yield
    except WorkError as refused:
        raise WorkError(*in_commands("list_workflows", refused.message, refused.hint, ())) from refused


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="TOML with id, name, description and steps.")],
    check: Annotated[
        bool, typer.Option("--check", help="Say whether it is right and what it costs; store nothing.")
    ] = False,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Make the workflow of a file, or another version of the one that has its id."""
    from workflows.custom_workflows import LARGEST_FILE

    try:
        with file.open(encoding="utf-8") as opened:
            text = opened.read(LARGEST_FILE + 1)
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidFile(file.name, None, f"it cannot be read as text: {error}") from error
    with_tools(as_json, company, import_workflow, text, check)


async def import_workflow(tools: "ToolCaller", output: Output, text: str, check: bool) -> None:
    """Store a workflow and print it with its price; with `check` the price alone. Raises WorkError."""
    from workflows.custom_workflows import parse_workflow, preview_workflow, price_of, save_workflow
    from workflows.pricing import Pricing

    service, workspace, version = tools.service, tools.workspace, None
    with hints_in_commands():
        given = parse_workflow(text)
        if not check:
            async with service.database.transaction(tools.company.id) as writing:
                version = (await save_workflow(writing, service.engines, given, utc_now())).version
        plan = await preview_workflow(workspace, service.engines, given)
    credits = await price_of(Pricing(service.engine_keys), workspace, plan)
    result = {
        "id": given.id,
        "version": version,
        "agents": list(plan.workflow.agents),
        "creditCost": credits,
        "plans": list(plan.workflow.plans),
    }
    stored = f"version {version}" if version else "nothing is stored"
    line = f"{given.id}: {len(plan.workflow.agents)} agents, {credits} credits, {stored}"
    output.result(result, lambda: output.people.print(line, markup=False))


@app.command("export")
def export(
    workflow: WorkflowName,
    out: Annotated[
        Path | None, typer.Option(help="File to write; standard output without it.", dir_okay=False)
    ] = None,
    company: Company = None,
) -> None:
    """Write a workflow of your own as TOML, which import reads again."""
    with_database(False, export_workflow, workflow, out, company)


async def export_workflow(
    session: CommandSession, output: Output, workflow_id: str, out: Path | None, company_name: str | None
) -> None:
    """Write one workflow. Raises Missing, which names the nearest."""
    from workflows.custom_workflows import editable_workflow, write_workflow
    from workflows.workflow_plans import find_custom

    company = await find_company(session.database, company_name)
    workspace = session.database.workspace(company.id)
    with hints_in_commands():
        known = await find_custom(workspace, workflow_id)
    text = write_workflow(await editable_workflow(workspace, known))
    if out is None:
        sys.stdout.write(text)
        return
    out.write_text(text, encoding="utf-8")
    output.say(f"written: {out}")


@app.command("list")
@does("list_workflows")
def list_(company: Company = None, as_json: Json = False) -> None:
    """List every workflow that can be started, and those of your own that are put away."""
    with_tools(as_json, company, list_workflows)


async def list_workflows(tools: "ToolCaller", output: Output) -> None:
    """Print the workflows with their prices."""
    result = await tools.call("list_workflows")
    own = {known.workflow: known for known in await tools.workspace.custom_workflows.all()}
    rows: list[tuple[object, ...]] = [
        (
            known["id"],
            known["title"],
            known["agentCount"],
            known["creditCost"],
            own[known["id"]].version if known["id"] in own else "",
            "" if known["availableOnPlan"] else f"needs the plan {known['requiredPlan']}",
        )
        for known in result["workflows"]
    ]
    away = [known for known in own.values() if known.archived_at is not None]
    rows += [(known.workflow, "", "", "", known.version, "archived") for known in away]
    columns = ("id", "title", "agents", "credits", "version", "state")
    data = {**result, "archived": [known.workflow for known in away]}
    output.result(data, lambda: output.table(columns, rows))


@app.command("archive")
def archive(
    workflow: WorkflowName,
    undo: Annotated[bool, typer.Option("--undo", help="Bring it back.")] = False,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Put a workflow of your own away: it cannot be started any more; runs that began go on."""
    with_database(as_json, set_archived, workflow, not undo, company)


async def set_archived(
    session: CommandSession, output: Output, workflow_id: str, archived: bool, company_name: str | None
) -> None:
    """Put a workflow away or bring it back. Raises Missing, which names the nearest."""
    from workflows.custom_workflows import archive_workflow

    company = await find_company(session.database, company_name)
    with hints_in_commands():
        async with session.database.transaction(company.id) as writing:
            await archive_workflow(writing, workflow_id, archived, utc_now())
    state = "archived" if archived else "active"
    output.data(
        {"id": workflow_id, "status": state},
        lambda: output.people.print(f"{workflow_id}: {state}", markup=False),
    )
