"""Prompts: the prompts of a file or of standard input join a prompt set."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from measurement.errors import InvalidFile, WorkError
from server.cli.call import call_tool_as_operator
from server.cli.session import AnyBrand, Session, command, find_prompt_set

PAGE = 100
STANDARD_INPUT = Path("-")
KEPT = ("text", "intent", "tags", "branded", "country", "language", "city")
"""The fields with which a prompt stays as it is when others join it."""

app = typer.Typer(
    no_args_is_help=True, help="Prompts of prompt sets. Sets are listed and changed with seenby call."
)


@command(app, "import", service=True)
async def import_(
    session: Session,
    prompt_set: Annotated[str, typer.Argument(help="Name or id of the prompt set.")],
    file: Annotated[
        Path,
        typer.Argument(help="One prompt per line: text | intent | tags, or with tabs; - for standard input."),
    ],
    new: Annotated[
        bool, typer.Option("--new", help="Create the set, for --brand or for all brands.")
    ] = False,
    brand: AnyBrand = None,
) -> None:
    """Add the prompts of a file to a prompt set; its present prompts stay as they are."""
    from web.automation.prompt_set_form import read_lines  # the format of the prompts page

    try:
        text = sys.stdin.read() if file == STANDARD_INPUT else file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidFile(file.name, None, f"it cannot be read as text: {error}") from error
    added: dict[str, Any] = {prompt["text"].strip(): prompt for prompt in read_lines(text)}
    if not added:
        raise InvalidFile(file.name, None, "it has no prompt")
    if new:
        brand_id = {"brandId": (await session.brand(brand)).id} if brand else {}
        changed = await call_tool_as_operator(
            session, "create_prompt_set", name=prompt_set, prompts=[*added.values()], **brand_id
        )
    else:
        known = await find_set(session, prompt_set)
        kept = {
            prompt["text"]: {field: prompt[field] for field in KEPT if prompt[field] is not None}
            for prompt in known["prompts"]
        }
        joined = [*kept.values(), *(prompt for text, prompt in added.items() if text not in kept)]
        changed = await call_tool_as_operator(
            session, "update_prompt_set", promptSetId=known["promptSetId"], prompts=joined
        )
        session.output.say(f"{len(joined) - len(kept)} added, {len(joined)} in all")
    session.output.show(
        changed if session.output.as_json else changed["prompts"], columns="promptId text intent tags"
    )


async def find_set(session: Session, name_or_id: str) -> dict[str, Any]:
    """Return a prompt set with its prompts. Raises UnknownName."""
    found = await find_prompt_set(session.workspace, name_or_id)
    offset: int | None = 0
    while offset is not None:
        page = await call_tool_as_operator(
            session, "list_prompt_sets", includeArchived=True, includePrompts=True, limit=PAGE, offset=offset
        )
        for known in page["promptSets"]:
            if known["promptSetId"] == found.id:
                return known
        offset = page["nextOffset"]
    raise WorkError("The prompt set was removed meanwhile.", "List sets with: seenby call list_prompt_sets")
