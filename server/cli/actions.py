"""Actions: what to do about what was found, listed and decided about."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from server.cli.options import AnyBrand, Company, Json, Limit, Offset
from server.cli.output import Output
from server.cli.session import with_rows
from server.cli.tool_words import does

if TYPE_CHECKING:
    from server.cli.tool_caller import ToolCaller

app = typer.Typer(no_args_is_help=True, help="What to do next, and what was decided about it.")


@app.command("list")
@does("list_actions")
def list_(
    brand: AnyBrand = None,
    state: Annotated[str | None, typer.Option(help="open, planned, done or dismissed.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only about this kind of issue, such as accuracy.")] = None,
    assignee: Annotated[
        str | None, typer.Option(help="Only what the colleague with this e-mail address does.")
    ] = None,
    limit: Limit = 20,
    offset: Offset = 0,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """List what to do next, worst first."""
    with_rows(
        as_json,
        company,
        list_actions,
        brand,
        {"state": state, "kind": kind, "assignee": assignee, "limit": limit, "offset": offset},
    )


async def list_actions(
    tools: "ToolCaller", output: Output, brand: str | None, choice: dict[str, Any]
) -> None:
    """Print a page of actions."""
    brand_id = await tools.brand_id(brand) if brand else None
    result = await tools.call("list_actions", brandId=brand_id, **choice)
    rows = [
        (
            *(action[name] for name in ("actionId", "severity", "state", "title", "brandName")),
            action["assignee"] or "-",
        )
        for action in result["actions"]
    ]
    output.result(result, lambda: output.table(("id", "severity", "state", "title", "brand", "who"), rows))


@app.command("update")
@does("update_action")
def update(
    action: Annotated[str, typer.Argument(help="Id, as actions list prints it.")],
    state: Annotated[str, typer.Option(help="open, planned, done, or dismissed with a reason.")],
    done_on: Annotated[
        str | None, typer.Option(help="Day (UTC) on which it was done; today without it.")
    ] = None,
    reason: Annotated[str | None, typer.Option(help="Why it is dismissed.")] = None,
    assignee: Annotated[
        str | None, typer.Option(help="E-mail address of the colleague who does it; who it was without it.")
    ] = None,
    nobody: Annotated[bool, typer.Option("--nobody", help="Nobody does it any more.")] = False,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Say that an action is planned, done, dismissed or open again, and who does it."""
    if nobody and assignee is not None:
        raise typer.BadParameter("give --assignee or --nobody, not both", param_hint="--nobody")
    decision = {
        "actionId": action,
        "state": state,
        "doneOn": done_on,
        "reason": reason,
        "assignee": assignee,
    }
    with_rows(as_json, company, update_action, decision, nobody)


async def update_action(tools: "ToolCaller", output: Output, decision: dict[str, Any], nobody: bool) -> None:
    """Store and print a decision."""
    result = await tools.call("update_action", cleared=("assignee",) if nobody else (), **decision)
    output.result(result, lambda: output.people.print(f"{result['title']}: {result['state']}"))
