"""A company's own workflows: imported from TOML, exported as TOML, listed and archived."""

from pathlib import Path
from typing import Annotated

import typer

from measurement.errors import InvalidFile
from measurement.planning.clock import utc_now
from server.cli.session import OutFile, Session, command

app = typer.Typer(no_args_is_help=True, help="Your own workflows, made of our agents.")

WorkflowName = Annotated[str, typer.Argument(help="Id of the workflow.")]


@command(app, "import", service=True)
async def import_(
    session: Session,
    file: Annotated[Path, typer.Argument(help="TOML with id, name, description and steps.")],
    check: Annotated[
        bool, typer.Option("--check", help="Validate it and print its price; store nothing.")
    ] = False,
) -> None:
    """Store the workflow of a file, or a new version of the one that has its id."""
    from workflows.custom_workflows import (
        LARGEST_FILE,
        parse_workflow,
        preview_workflow,
        price_of,
        save_workflow,
    )
    from workflows.pricing import Pricing

    try:
        with file.open(encoding="utf-8") as opened:
            given = parse_workflow(opened.read(LARGEST_FILE + 1))
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidFile(file.name, None, f"it cannot be read as text: {error}") from error
    service, version = session.service, None
    if not check:
        async with session.transaction() as writing:
            version = (await save_workflow(writing, service.engines, given, utc_now())).version
    plan = await preview_workflow(session.workspace, service.engines, given)
    credits = await price_of(Pricing(service.engine_keys), session.workspace, plan)
    result = {
        "id": given.id,
        "version": version,
        "agents": list(plan.workflow.agents),
        "creditCost": credits,
        "plans": list(plan.workflow.plans),
    }
    stored = f"version {version}" if version else "not stored"
    session.output.show(
        result, f"{given.id}: {len(plan.workflow.agents)} agents, {credits} credits, {stored}"
    )


@command(app, "export", as_json=False)
async def export(session: Session, workflow: WorkflowName, out: OutFile = None) -> None:
    """Write a workflow of your own as TOML, which `workflow import` reads."""
    from workflows.custom_workflows import editable_workflow, write_workflow
    from workflows.workflow_plans import find_custom

    known = await find_custom(session.workspace, workflow)
    session.output.write(write_workflow(await editable_workflow(session.workspace, known)), out)


@command(app, "list")
async def list_(session: Session) -> None:
    """List your own workflows, archived ones too. `seenby call list_workflows` lists all that can run."""
    rows = [
        {
            "id": known.workflow,
            "version": known.version,
            "status": "archived" if known.archived_at is not None else "active",
        }
        for known in await session.workspace.custom_workflows.all()
    ]
    session.output.show(rows, columns="id version status")


@command(app, "archive")
async def archive(
    session: Session,
    workflow: WorkflowName,
    undo: Annotated[bool, typer.Option("--undo", help="Restore it.")] = False,
) -> None:
    """Archive a workflow of your own: it can no longer be started; runs that began continue."""
    from workflows.custom_workflows import archive_workflow

    async with session.transaction() as writing:
        await archive_workflow(writing, workflow, not undo, utc_now())
    state = "active" if undo else "archived"
    session.output.show({"id": workflow, "status": state}, f"{workflow}: {state}")
