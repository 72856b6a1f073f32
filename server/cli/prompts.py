"""Prompts: the questions that are put to engines, listed and added to."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from measurement.errors import InvalidFile, WorkError
from measurement.planning.clock import utc_now
from server.cli.options import AnyBrand, Company, Json
from server.cli.output import Output
from server.cli.session import with_rows, with_tools
from server.cli.tool_words import does

if TYPE_CHECKING:
    from server.cli.tool_caller import ToolCaller

PAGE = 100
KEPT = ("text", "intent", "tags", "branded", "country", "language", "city")
"""What a question is sent back with when others join it."""

app = typer.Typer(no_args_is_help=True, help="Questions that are put to engines, in sets.")

SetName = Annotated[str, typer.Argument(help="Name or id of the prompt set.")]
New = Annotated[
    bool, typer.Option("--new", help="Make the set; --brand says whose it is, all brands' without it.")
]


@app.command("list")
@does("list_prompt_sets")
def list_(
    prompt_set: Annotated[
        str | None, typer.Argument(help="Name or id of a prompt set, to list its questions.")
    ] = None,
    brand: AnyBrand = None,
    archived: Annotated[bool, typer.Option("--archived", help="List archived sets too.")] = False,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """List the prompt sets, or the questions of one."""
    if prompt_set is not None:
        with_rows(as_json, company, list_questions, prompt_set)
    with_rows(as_json, company, list_sets, brand, archived)


async def list_sets(tools: "ToolCaller", output: Output, brand: str | None, archived: bool) -> None:
    """Print the prompt sets."""
    brand_id = await tools.brand_id(brand) if brand else None
    result = await tools.call("list_prompt_sets", brandId=brand_id, includeArchived=archived, limit=PAGE)
    rows = [
        (
            known["promptSetId"],
            known["name"],
            known["brandName"] or "every brand",
            known["promptCount"],
            ", ".join(known["platforms"]) or "all",
            known["mode"],
            known["repeats"],
            known["schedule"],
        )
        for known in result["promptSets"]
    ]
    columns = ("id", "name", "brand", "questions", "engines", "mode", "repeats", "schedule")
    output.result(result, lambda: output.table(columns, rows))


async def list_questions(tools: "ToolCaller", output: Output, name: str) -> None:
    """Print the questions of a set."""
    known = await find_set(tools, await tools.prompt_set_id(name))
    output.data(known, lambda: show_questions(output, known))


async def find_set(tools: "ToolCaller", set_id: str) -> dict[str, Any]:
    """Return a set with its questions."""
    offset: int | None = 0
    while offset is not None:
        page = await tools.call(
            "list_prompt_sets", includeArchived=True, includePrompts=True, limit=PAGE, offset=offset
        )
        for known in page["promptSets"]:
            if known["promptSetId"] == set_id:
                return known
        offset = page["nextOffset"]
    raise WorkError("the prompt set was removed meanwhile", "List them with: seenby prompts list")


def show_questions(output: Output, known: dict[str, Any]) -> None:
    """Print questions as a table."""
    rows = [
        (prompt["promptId"], prompt["text"], prompt["intent"], ", ".join(prompt["tags"]))
        for prompt in known["prompts"]
    ]
    output.table(("id", "question", "intent", "tags"), rows)


@app.command("add")
@does("create_prompt_set")
def add(
    prompt_set: SetName,
    question: Annotated[list[str], typer.Argument(help="As a buyer would ask it; several may follow.")],
    intent: Annotated[str | None, typer.Option(help="What the buyer wants, such as compare.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Free label; repeatable.")] = None,
    new: New = False,
    brand: AnyBrand = None,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Add questions to a prompt set; those that it has stay as they are."""
    prompts: list[dict[str, Any]] = [
        {"text": text, "tags": tag or [], **({"intent": intent} if intent else {})} for text in question
    ]
    with_tools(as_json, company, add_questions, prompt_set, prompts, new, brand)


@app.command("import")
def import_(
    prompt_set: SetName,
    file: Annotated[Path, typer.Argument(help="One question a line: text | intent | tags, or with tabs.")],
    new: New = False,
    brand: AnyBrand = None,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Add the questions of a file to a prompt set; those that it has stay as they are."""
    from web.automation.prompt_set_form import read_lines  # what the pages read pasted questions with

    try:
        prompts = read_lines(file.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidFile(file.name, None, f"it cannot be read as text: {error}") from error
    if not prompts:
        raise InvalidFile(file.name, None, "it has no question")
    with_tools(as_json, company, add_questions, prompt_set, prompts, new, brand)


@app.command("place")
def place(
    prompt_set: SetName,
    country: Annotated[list[str] | None, typer.Option(help="Ask from there; repeatable.")] = None,
    language: Annotated[str | None, typer.Option(help="Language of the answer, such as de-AT.")] = None,
    city: Annotated[str | None, typer.Option(help="City in the one country.")] = None,
    region: Annotated[str | None, typer.Option(help="Region or state, such as Bavaria.")] = None,
    timezone: Annotated[str | None, typer.Option(help="Time zone, such as Europe/Berlin.")] = None,
    device: Annotated[
        Literal["desktop", "mobile"] | None, typer.Option(help="On what suppliers look.")
    ] = None,
    nowhere: Annotated[bool, typer.Option("--nowhere", help="Forget the place of before.")] = False,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Say where the questions of a set are asked from, as far as an engine or supplier has a field for it."""
    given: dict[str, Any] = {
        "countries": tuple(country) if country else None,
        "language": language,
        "city": city,
        "region": region,
        "timezone": timezone,
        "device": device,
    }
    with_tools(as_json, company, place_set, prompt_set, given, nowhere)


async def place_set(
    tools: "ToolCaller", output: Output, name: str, given: dict[str, Any], nowhere: bool
) -> None:
    """Change what was given of a set's place, and print the place."""
    from measurement.planning.prompt_sets import SetPlace, change_place

    set_id = await tools.prompt_set_id(name)
    async with tools.database.transaction(tools.company.id) as writing:
        known = await writing.prompt_sets.find(set_id)
        assert known is not None
        before = SetPlace() if nowhere else SetPlace.of(known)
        changed = {field: value for field, value in given.items() if value is not None}
        await change_place(writing, tools.service.engines, known, replace(before, **changed), utc_now())
    placed = await find_set(tools, set_id)
    rows = [(field, placed[field]) for field in given]
    rows[0] = ("countries", ", ".join(placed["countries"]))
    output.data(placed, lambda: output.table(("place", "is"), rows))


async def add_questions(
    tools: "ToolCaller",
    output: Output,
    name: str,
    prompts: Sequence[dict[str, Any]],
    new: bool,
    brand: str | None,
) -> None:
    """Add questions to a set, or make it of them."""
    if new:
        brand_id = await tools.brand_id(brand) if brand else None
        unique = list({prompt["text"].strip(): prompt for prompt in prompts}.values())
        changed = await tools.call("create_prompt_set", name=name, brandId=brand_id, prompts=unique)
        output.data(changed, lambda: show_questions(output, changed))
        return
    set_id = await tools.prompt_set_id(name)
    known = await find_set(tools, set_id)
    kept = {
        prompt["text"]: {field: prompt[field] for field in KEPT if prompt[field] is not None}
        for prompt in known["prompts"]
    }
    joined = {prompt["text"].strip(): prompt for prompt in prompts} | kept
    changed = await tools.call(
        "update_prompt_set",
        promptSetId=set_id,
        prompts=[*kept.values(), *(prompt for text, prompt in joined.items() if text not in kept)],
    )
    output.data(changed, lambda: show_questions(output, changed))
    output.say(f"{len(joined) - len(kept)} added, {len(changed['prompts'])} in all")
