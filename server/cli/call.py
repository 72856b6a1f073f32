"""`seenby call TOOL`: every tool as a command, with options from its input schema."""

import json
import os
from collections.abc import Mapping
from functools import cache
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NoReturn

import typer
from typer.core import TyperGroup

from measurement.errors import WorkError
from measurement.planning.brand_identity import find_brand
from oauth.api_keys import EVERYTHING
from oauth.errors import CredentialRefused
from oauth.principal import Caller, Principal
from server.cli.output import Output
from server.cli.session import JsonOption, Session, find_company, find_prompt_set, run_command
from storage.workspace import Workspace
from tools.calls.dispatch import Refusal
from tools.calls.table import ToolRow, ToolTable
from tools.catalog import tool_table

CALLS_A_MINUTE: Final = 600
NULL: Final = "null"
OPTION: Final = "{}_option"
"""Python name of a field's option: fields may be named like keywords, and like our own options."""
Schema = Mapping[str, Any]

CompanyName = Annotated[
    str | None,
    typer.Option(
        help="Name or id. By default that of SEENBY_API_KEY or SEENBY_COMPANY, or the only company."
    ),
]


class ToolGroup(TyperGroup):
    """The tools as commands, each made from its row of the table when it is used."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the tools' names in the order of the table."""
        return list(table())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a tool as a command."""
        row = table().get(cmd_name.replace("-", "_"))
        return None if row is None else tool_command(row)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the tool; an unknown name is a usage error with suggestions."""
        self.commands = dict.fromkeys(table(), self)  # Typer suggests similar names from this mapping
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the tools by family, with the first sentence of their descriptions."""
        families: dict[str, list[tuple[str, str]]] = {}
        for row in table().values():
            family = row.declared.__module__.rpartition(".")[2].replace("_", " ").capitalize()
            families.setdefault(family, []).append((row.name, first_sentence(row.description)))
        for family, rows in families.items():
            with formatter.section(family):
                formatter.write_dl(rows)


app = typer.Typer(
    rich_markup_mode=None,
    cls=ToolGroup,
    no_args_is_help=True,
    help="Call any tool of MCP and REST, with its arguments as options.",
    epilog="seenby call TOOL --help shows a tool's options.",
)


@app.callback()
def call() -> None:
    """Keep the group, whose commands come from the table."""


@cache
def table() -> ToolTable:
    """Return the tool table, made once."""
    return tool_table()


def first_sentence(text: str) -> str:
    """Return the first sentence of a description."""
    ends = [end for mark in (". ", "? ") if (end := text.find(mark)) >= 0]
    return text[: min(ends) + 1] if ends else text


def tool_command(row: ToolRow) -> Any:
    """Return a tool as a command: its fields as options, and `--company` and `--json`."""
    definitions = row.input_schema.get("$defs", {})
    fields = {name: resolved(field, definitions) for name, field in row.input_schema["properties"].items()}
    required = frozenset(row.input_schema.get("required", ()))

    def run(company: str | None, as_json: bool, **options: Any) -> NoReturn:
        given = {name: options[OPTION.format(name)] for name in fields}
        arguments = {
            name: wire_value(name, value, fields[name])
            for name, value in given.items()
            if value not in (None, [])
        }
        run_command(as_json, lambda session: call_tool(session, row, company, arguments), service=True)

    shared = {"company": (CompanyName, None), "as_json": (JsonOption, False)}
    run.__dict__["__signature__"] = Signature(
        [
            *(option_of(name, field, required=name in required) for name, field in fields.items()),
            *(
                Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
                for name, (annotation, default) in shared.items()
            ),
        ]
    )
    run.__doc__ = f"{row.title}.\n\n{row.description}"
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    single.command(row.name, context_settings={"token_normalize_func": from_kebab_case})(run)
    return typer.main.get_command(single)


def from_kebab_case(name: str) -> str:
    """Return a field's name for an option that is written as shells like it: `brand-id` is `brandId`."""
    first, *others = name.split("-")
    return first + "".join(word[:1].upper() + word[1:] for word in others)


def resolved(field: Schema, definitions: Schema) -> dict[str, Any]:
    """Return a field's schema without references and unions; `nullable` says that null is a value of it."""
    schema = dict(field)
    options = [option for option in schema.pop("anyOf", ()) if option.get("type") != NULL]
    if options:
        schema |= {**options[0], "nullable": True}
    if "$ref" in schema:
        schema = {**definitions[schema.pop("$ref").rpartition("/")[2]], **schema}
    items = schema.get("items", {})
    schema["json"] = schema.get("type") == "object" or "$ref" in items or items.get("type") == "object"
    return schema


def option_of(name: str, schema: Schema, *, required: bool) -> Parameter:
    """Return a field as an option of Typer. Ranges and enumerations are checked by Typer, all else by dispatch."""
    declaration = f"--{name}"
    details: dict[str, Any] = {"help": help_of(schema), "metavar": "TEXT"}
    annotation: Any = str
    match schema.get("type"):
        case "boolean":
            annotation, declaration = bool, f"--{name}/--no-{name}"
            details["metavar"] = None
        case "number" | "integer":
            annotation = int if schema.get("multipleOf") == 1 or schema["type"] == "integer" else float
            details |= {"min": schema.get("minimum"), "max": schema.get("maximum"), "metavar": "NUMBER"}
        case "array":
            annotation = list[str]
        case _ if "enum" in schema:
            annotation, details["metavar"] = Literal[tuple(schema["enum"])], None
        case _:
            pass
    if schema["json"]:
        details["metavar"] = "JSON"
    return Parameter(
        OPTION.format(name),
        Parameter.KEYWORD_ONLY,
        default=Parameter.empty if required else None,
        annotation=Annotated[
            annotation if required else annotation | None, typer.Option(declaration, **details)
        ],
    )


def help_of(schema: Schema) -> str:
    """Return a field's description with what else there is to know: repeating, size and default."""
    notes: list[str] = []
    if schema.get("type") == "array":
        notes.append(
            "Repeat it, or give a JSON list."
            if not schema["json"]
            else "Objects as JSON or @FILE; repeatable."
        )
    elif schema["json"]:
        notes.append("JSON or @FILE.")
    if "maxItems" in schema:
        notes.append(f"At most {schema['maxItems']}.")
    if "maxLength" in schema and "format" not in schema:
        notes.append(f"At most {schema['maxLength']} characters.")
    if schema.get("nullable"):
        notes.append("null for none.")
    if schema.get("default") is not None:
        notes.append(f"Default: {json.dumps(schema['default']).strip(chr(34))}.")
    return " ".join(filter(None, [schema.get("description", ""), *notes]))


def wire_value(name: str, value: Any, schema: Schema) -> Any:
    """Return an option's value as the tool takes it. Raises typer.BadParameter for what is not JSON."""
    if schema.get("nullable") and value == NULL:
        return None
    if schema.get("type") == "array":
        parts: list[Any] = []
        for text in value:
            part = parsed(name, text) if schema["json"] or text.startswith("[") else text
            parts += part if isinstance(part, list) else [part]
        return parts
    return parsed(name, value) if schema["json"] else value


def parsed(name: str, text: str) -> Any:
    """Return JSON from the command line, or from the file that `@FILE` names. Raises typer.BadParameter."""
    try:
        return json.loads(Path(text[1:]).read_text(encoding="utf-8") if text.startswith("@") else text)
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"this is not JSON: {error}", param_hint=f"--{name}") from error


async def call_tool(session: Session, row: ToolRow, company: str | None, arguments: Schema) -> None:
    """Call a tool and print its result. Raises WorkError with its error."""
    principal = await principal_of(session, row, company)
    if principal is not None:
        arguments = await with_ids(session.database.workspace(principal.company_id), arguments)
    show_result(session.output, await result_of(session, row.name, principal, arguments))


async def with_ids(workspace: Workspace, arguments: Schema) -> Schema:
    """Return the arguments with ids for names of brands and prompt sets. Raises UnknownName with the nearest name."""
    ids: dict[str, str] = {}
    if "brandId" in arguments:
        ids["brandId"] = (await find_brand(workspace, arguments["brandId"])).id
    if "promptSetId" in arguments:
        ids["promptSetId"] = (await find_prompt_set(workspace, arguments["promptSetId"])).id
    return {**arguments, **ids}


async def call_tool_as_operator(session: Session, tool: str, /, **arguments: Any) -> dict[str, Any]:
    """Call a tool for the company of a command and return its result. Raises WorkError with its error."""
    principal = Principal(session.company.id, "command", EVERYTHING, CALLS_A_MINUTE)
    return await result_of(session, tool, principal, arguments)


async def result_of(
    session: Session, tool: str, principal: Principal | None, arguments: Schema
) -> dict[str, Any]:
    """Call a tool through the dispatcher. Raises WorkError with its error."""
    outcome = await session.service.dispatcher.call(tool, arguments, Caller(principal, "command"), whole=True)
    if isinstance(outcome, Refusal):
        raise WorkError(outcome.reason or outcome.message, outcome.hint)
    return json.loads(outcome.body)


async def principal_of(session: Session, row: ToolRow, company: str | None) -> Principal | None:
    """Return who calls: a company that is named, the holder of SEENBY_API_KEY, or the configured or only company.

    A public tool needs none. Raises UnknownName or WorkError.
    """
    key = os.environ.get("SEENBY_API_KEY", "").strip()
    if row.scope is None:
        return None
    if key and company is None:
        try:
            return await session.service.authenticator.authenticate(f"Bearer {key}")
        except CredentialRefused as refused:
            raise WorkError(
                f"SEENBY_API_KEY: {refused.message}", "Make one with: seenby keys create"
            ) from refused
    named = company or os.environ.get("SEENBY_COMPANY", "").strip() or None
    owner = await find_company(session.database, named)
    return Principal(owner.id, "command", EVERYTHING, CALLS_A_MINUTE)


def show_result(output: Output, result: dict[str, Any]) -> None:
    """Print a tool's result; for people its notice and where the next page begins are messages below."""
    if output.as_json:
        output.show(result)
        return
    notice = result.pop("notice", None)
    total, offset, following = (result.pop(name, None) for name in ("total", "offset", "nextOffset"))
    result.pop("measurement", None)
    result.pop("limit", None)
    output.show(result)
    if notice:
        output.say(notice)
    if following is not None:
        output.say(f"Showing {(offset or 0) + 1}-{following} of {total}; next: --offset {following}")
    elif total and (offset or 0) >= total:
        output.say(f"There are only {total}; start with a smaller --offset.")
