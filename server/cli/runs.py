"""Runs: started, followed with live progress, and cancelled."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import anyio
import typer

from server.cli.consent import Consent, confirm
from server.cli.options import Company, Json
from server.cli.output import Output
from server.cli.progress import show_progress
from server.cli.session import with_rows, with_tools
from server.cli.tool_words import does

if TYPE_CHECKING:
    from server.cli.tool_caller import ToolCaller

LIVE = ("pending", "running")
SECONDS_BETWEEN_LOOKS = 0.5
EXIT_CODES = {"completed": 0, "partial_complete": 3}

app = typer.Typer(
    no_args_is_help=True, help="Runs of prompt sets and workflows: started, followed, cancelled."
)

RunId = Annotated[str, typer.Argument(help="Id, as run start and run status print it.")]


@app.command("start")
@does("run_prompt_set", "run_workflow")
def start(
    prompt_set: Annotated[str | None, typer.Option(help="Name or id of the prompt set to ask.")] = None,
    workflow: Annotated[str | None, typer.Option(help="Id of the workflow to run instead.")] = None,
    brand: Annotated[
        str | None, typer.Option(help="Name or id; for workflows, and sets that are for every brand.")
    ] = None,
    platform: Annotated[
        list[str] | None, typer.Option(help="Ask only this engine of the set; repeatable.")
    ] = None,
    repeats: Annotated[int | None, typer.Option(min=1, max=20)] = None,
    preview: Annotated[
        bool, typer.Option("--preview", help="Say what it would ask, cost and could show; start nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before spending.")] = False,
    detach: Annotated[
        bool, typer.Option("--detach", help="Do not wait: seenby serve or worker executes the run.")
    ] = False,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Start a run and follow it to its end; exits with 0 when completed, 3 when partly, 1 when not."""
    if (prompt_set is None) == (workflow is None):
        raise typer.BadParameter("give either --prompt-set or --workflow")
    if workflow is not None:
        if platform or repeats or preview:
            raise typer.BadParameter("--platform, --repeats and --preview are for prompt sets")
        with_tools(as_json, company, start_workflow, workflow, brand, detach)
    consent = Consent(preview, ask=not (yes or as_json) and sys.stdin.isatty())
    options = {"platforms": platform or None, "repeats": repeats}
    with_tools(as_json, company, start_prompt_set, prompt_set, brand, options, consent, detach)


async def start_prompt_set(
    tools: "ToolCaller",
    output: Output,
    prompt_set: str | None,
    brand: str | None,
    options: dict[str, Any],
    consent: Consent,
    detach: bool,
) -> int:
    """Start the run of a prompt set, or print its preview; return the exit code."""
    wanted: dict[str, Any] = {
        "promptSetId": await tools.prompt_set_id(prompt_set or ""),
        "brandId": await tools.brand_id(brand) if brand else None,
        **options,
    }
    if consent.preview or consent.ask:
        plan = await tools.call("run_prompt_set", preview=True, **wanted)
        output.data(plan, lambda: show_preview(output, plan))
        if consent.preview or not await confirm("Start?"):
            return 0
    return await after_start(tools, output, await tools.call("run_prompt_set", **wanted), detach)


def show_preview(output: Output, plan: dict[str, Any]) -> None:
    """Print what a run would cost and could show."""
    costs = ", ".join(f"{cost['amount']} {cost['currency']}" for cost in plan["expectedCosts"])
    change = plan["smallestDetectableChange"]
    rows = [
        ("engines", ", ".join(plan["platforms"])),
        ("questions", plan["prompts"]),
        ("repeats", plan["repeats"]),
        ("asks", plan["asks"]),
        ("credits", f"{plan['credits']} of {plan['creditsAvailable']}"),
        ("expected cost", costs or "nothing that is known"),
        ("no price known", ", ".join(plan["unpricedPlatforms"])),
        ("detectable change", None if change is None else f"{change} points"),
    ]
    output.table(("", ""), [row for row in rows if row[1]])


async def start_workflow(
    tools: "ToolCaller", output: Output, workflow: str, brand: str | None, detach: bool
) -> int:
    """Start the run of a workflow; return the exit code."""
    configuration = {"brandId": await tools.brand_id(brand)} if brand else {}
    started = await tools.call("run_workflow", workflowId=workflow, configuration=configuration)
    return await after_start(tools, output, started, detach)


async def after_start(tools: "ToolCaller", output: Output, started: dict[str, Any], detach: bool) -> int:
    """Follow a run that was started, unless nobody waits for it."""
    run_id = started["runId"]
    if detach:
        output.result(started, lambda: output.people.print(run_id))
        output.say("seenby serve or worker executes it; look at it with: seenby run status")
        return 0
    output.say(f"run {run_id}: if this ends before the run, go on with: seenby run status {run_id} --follow")
    return await follow_run(tools, output, run_id)


async def follow_run(tools: "ToolCaller", output: Output, run_id: str) -> int:
    """Execute what waits, unless another process does, until the run has ended; print it and return the exit code."""
    run = await tools.call("get_run_status", runId=run_id)
    async with anyio.create_task_group() as executing:
        executing.start_soon(execute, tools)
        with show_progress(output, "running", "steps") as progress:
            while run["status"] in LIVE:
                progress(*steps_of(run))
                await anyio.sleep(SECONDS_BETWEEN_LOOKS)
                run = await tools.call("get_run_status", runId=run_id)
            progress(*steps_of(run))
        executing.cancel_scope.cancel()
    output.result(run, lambda: show_run(output, run))
    return EXIT_CODES.get(run["status"], 1)


async def execute(tools: "ToolCaller") -> None:
    """Execute runs until cancelled."""
    service = tools.service
    async with service.run_engine.working(service.executor, service.monitors):
        await anyio.sleep_forever()


def steps_of(run: dict[str, Any]) -> tuple[int, int]:
    """Return how many steps of a run are done, and of how many: its agents', an agent without a count is one."""
    done = total = 0
    for agent in run["agents"]:
        counted: dict[str, int] = agent["progress"] or {"done": 0, "total": 1}
        total += counted["total"]
        done += counted["done"] if agent["status"] in LIVE else counted["total"]
    return done, total


@app.command("status")
@does("list_workflow_runs", "get_run_status")
def status(
    run: Annotated[str | None, typer.Argument(help="Id of a run; the newest runs without it.")] = None,
    follow: Annotated[bool, typer.Option("--follow", help="Stay with it until it has ended.")] = False,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Show how far a run is and what it found, or list the newest runs."""
    if run is None:
        if follow:
            raise typer.BadParameter("--follow needs the id of a run")
        with_rows(as_json, company, list_runs)
    if follow:
        with_tools(as_json, company, follow_run, run)
    with_rows(as_json, company, print_run, run)


async def list_runs(tools: "ToolCaller", output: Output) -> None:
    """Print the newest runs."""
    result = await tools.call("list_workflow_runs")
    rows = [
        (
            run["runId"],
            run["workflowId"],
            run["brandName"],
            run["status"],
            f"{run['progress']['percent']} %",
            run["createdAt"],
        )
        for run in result["runs"]
    ]
    columns = ("id", "workflow", "brand", "status", "done", "created")
    output.result(result, lambda: output.table(columns, rows))


async def print_run(tools: "ToolCaller", output: Output, run_id: str) -> None:
    """Print one run."""
    run = await tools.call("get_run_status", runId=run_id)
    output.result(run, lambda: show_run(output, run))


def show_run(output: Output, run: dict[str, Any]) -> None:
    """Print a run's agents, findings and errors."""
    output.people.print(f"{run['runId']}  {run['workflowId']}  {run['brandName']}: {run['status']}")
    agents = [
        (
            agent["title"],
            agent["status"],
            f"{agent['progress']['done']} of {agent['progress']['total']}" if agent["progress"] else "",
            agent["summary"],
        )
        for agent in run["agents"]
    ]
    output.table(("agent", "status", "done", "summary"), agents)
    if run["findings"]:
        output.people.print()
        findings = [(finding["severity"], finding["title"], finding["fix"]) for finding in run["findings"]]
        output.table(("severity", "finding", "fix"), findings)
    for error in [*run["errors"]]:
        output.say(f"{error['agent'] or 'run'}: {error['message'].rstrip('.')}. {error['hint']}")


@app.command("cancel")
@does("cancel_workflow_run")
def cancel(run: RunId, company: Company = None, as_json: Json = False) -> None:
    """Cancel a run that is pending or running; its credits come back."""
    with_tools(as_json, company, cancel_run, run)


async def cancel_run(tools: "ToolCaller", output: Output, run_id: str) -> None:
    """Cancel a run and print what came back."""
    result = await tools.call("cancel_workflow_run", runId=run_id)
    line = f"{result['runId']}: cancelled, {result['creditsRefunded']} credits refunded"
    output.result(result, lambda: output.people.print(line))
