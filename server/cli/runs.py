"""Runs of prompt sets and workflows: started and followed to their end."""

import sys
from typing import Annotated, Any

import anyio
import typer

from server.cli.call import call_tool_as_operator, show_result
from server.cli.output import confirm
from server.cli.session import Session, command, find_prompt_set

LIVE = ("pending", "running")
SECONDS_BETWEEN_CHECKS = 0.5
EXIT_CODES = {"completed": 0, "partial_complete": 3}

app = typer.Typer(
    no_args_is_help=True, help="Runs of prompt sets and workflows. List and cancel them with seenby call."
)


@command(app, "start", service=True)
async def start(
    session: Session,
    prompt_set: Annotated[str | None, typer.Option(help="Name or id of the prompt set to run.")] = None,
    workflow: Annotated[str | None, typer.Option(help="Id of the workflow to run instead.")] = None,
    brand: Annotated[
        str | None, typer.Option(help="Name or id, for workflows and for prompt sets of all brands.")
    ] = None,
    platform: Annotated[
        list[str] | None, typer.Option(help="Only this engine of the prompt set. Repeatable.")
    ] = None,
    repeats: Annotated[int | None, typer.Option(min=1, max=20)] = None,
    preview: Annotated[
        bool, typer.Option("--preview", help="Show requests, cost and detectable change; start nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
    detach: Annotated[
        bool, typer.Option("--detach", help="Do not wait: seenby serve or worker executes the run.")
    ] = False,
) -> int:
    """Start a run and follow it to its end; exits with 0 when completed, 3 when partly, 1 when not."""
    if (prompt_set is None) == (workflow is None):
        raise typer.BadParameter("give either --prompt-set or --workflow")
    output = session.output
    brand_id = (await session.brand(brand)).id if brand else None
    if workflow is not None:
        if platform or repeats or preview:
            raise typer.BadParameter("--platform, --repeats and --preview are for prompt sets")
        configuration = {"brandId": brand_id} if brand_id else {}
        started = await call_tool_as_operator(
            session, "run_workflow", workflowId=workflow, configuration=configuration
        )
        return await after_start(session, started, detach)
    found = await find_prompt_set(session.workspace, prompt_set or "")
    options = {"brandId": brand_id, "platforms": platform or None, "repeats": repeats}
    given = {"promptSetId": found.id} | {name: value for name, value in options.items() if value is not None}
    asks_first = not (yes or output.as_json) and sys.stdin.isatty()
    if preview or asks_first:
        show_result(output, await call_tool_as_operator(session, "run_prompt_set", preview=True, **given))
        if preview or not await confirm("Start?"):
            return 0
    return await after_start(session, await call_tool_as_operator(session, "run_prompt_set", **given), detach)


@command(app, "follow", service=True)
async def follow(session: Session, run: Annotated[str, typer.Argument(help="Id of the run.")]) -> int:
    """Follow a run to its end, and execute it unless another process does."""
    return await follow_run(session, run)


async def after_start(session: Session, started: dict[str, Any], detach: bool) -> int:
    """Follow a run that was started, unless it is detached."""
    run_id, output = started["runId"], session.output
    if detach:
        output.show(started, run_id)
        output.say(
            f"seenby serve or worker executes it. Check it with: seenby call get_run_status --runId {run_id}"
        )
        return 0
    output.say(f"run {run_id}: continue after an interruption with: seenby run follow {run_id}")
    return await follow_run(session, run_id)


async def follow_run(session: Session, run_id: str) -> int:
    """Execute pending runs until this one has ended; print it and return the exit code."""
    run = await call_tool_as_operator(session, "get_run_status", runId=run_id)
    async with anyio.create_task_group() as executing:
        executing.start_soon(execute, session)
        with session.output.progress("running", "steps") as progress:
            while run["status"] in LIVE:
                progress(*steps_of(run))
                await anyio.sleep(SECONDS_BETWEEN_CHECKS)
                run = await call_tool_as_operator(session, "get_run_status", runId=run_id)
            progress(*steps_of(run))
        executing.cancel_scope.cancel()
    show_result(session.output, run)
    return EXIT_CODES.get(run["status"], 1)


async def execute(session: Session) -> None:
    """Execute runs until cancelled."""
    service = session.service
    async with service.run_engine.working(service.executor, service.monitors):
        await anyio.sleep_forever()


def steps_of(run: dict[str, Any]) -> tuple[int, int]:
    """Return how many steps of a run are done, and of how many; an agent without a count is one step."""
    done = total = 0
    for agent in run["agents"]:
        counted: dict[str, int] = agent["progress"] or {"done": 0, "total": 1}
        total += counted["total"]
        done += counted["done"] if agent["status"] in LIVE else counted["total"]
    return done, total
