"""Content of a brand: its texts and drafts, listed, exported and published."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from measurement.errors import WorkError
from server.cli.options import Company, Json, Limit, Offset, OneBrand
from server.cli.output import Output
from server.cli.session import CommandSession, with_database, with_service, with_tools
from server.cli.tool_words import does

if TYPE_CHECKING:
    from server.cli.tool_caller import ToolCaller
    from server.service import Service

NO_TEXT = ("there is no text of this id", "See: seenby content list --brand BRAND")

app = typer.Typer(no_args_is_help=True, help="Texts and drafts of a brand: listed, exported and published.")


@app.command("list")
@does("get_repository_items")
def list_(
    brand: OneBrand,
    category: Annotated[str | None, typer.Option(help="Only of this category, such as draft.")] = None,
    limit: Limit = 20,
    offset: Offset = 0,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """List the texts of a brand, last changed first."""
    with_tools(as_json, company, list_content, brand, category, limit, offset)


async def list_content(
    tools: "ToolCaller", output: Output, brand: str, category: str | None, limit: int, offset: int
) -> None:
    """Print a page of texts without their bodies."""
    result = await tools.call(
        "get_repository_items",
        brandId=await tools.brand_id(brand),
        category=category,
        limit=limit,
        offset=offset,
    )
    rows = [
        (item["id"], item["category"], item["title"], item["bodyLength"], item["updatedAt"])
        for item in result["items"]
    ]
    columns = ("id", "category", "title", "characters", "changed")
    output.result(result, lambda: output.table(columns, rows))


@app.command("export")
def export(
    item: Annotated[str, typer.Argument(help="Id, as content list prints it.")],
    form: Annotated[str, typer.Option("--format", help="markdown or html.")] = "markdown",
    out: Annotated[
        Path | None, typer.Option(help="File to write; standard output without it.", dir_okay=False)
    ] = None,
    company: Company = None,
) -> None:
    """Write a text or draft as Markdown or as HTML without scripts; a draft says in the file that it is one."""
    with_database(False, export_content, item, form, out, company)


@app.command("publish")
def publish(
    item: Annotated[str, typer.Argument(help="Id, as content list prints it.")],
    status: Annotated[
        str, typer.Option(help="draft, or publish for an approved text; a post that is there keeps its own.")
    ] = "draft",
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Send a text to the company's WordPress site: a new post, or its present post brought up to date."""
    with_service(as_json, publish_content, item, status, company)


async def publish_content(
    service: "Service", output: Output, item_id: str, status: str, company_name: str | None
) -> int:
    """Print what came of a sending. Raises WorkError for a text or a status that there is not."""
    from server.cli.lookup import find_company
    from workflows.publishing.wordpress_publication import STATUSES

    if status not in STATUSES:
        raise WorkError(f"there is no status {status!r}", f"Statuses: {', '.join(STATUSES)}.")
    company = await find_company(service.database, company_name)
    located = await service.database.workspace(company.id).repository_items.locate(item_id)
    if located is None:
        raise WorkError(*NO_TEXT)
    result = await service.wordpress.publish(service.database, company.id, located.item, status)
    answered = "" if result.post_id is None else f", post {result.post_id}"
    output.data(
        {"outcome": result.outcome, "reply": result.reply, "postId": result.post_id},
        lambda: output.people.print(f"{result.outcome.replace('_', ' ')}{answered}"),
    )
    return 0 if result.succeeded else 1


async def export_content(
    session: CommandSession,
    output: Output,
    item_id: str,
    form: str,
    out: Path | None,
    company_name: str | None,
) -> None:
    """Print a text as a document, or write it to a file. Raises WorkError."""
    from server.cli.lookup import find_company
    from workflows.publishing.documents import FORMATS, export_item

    if form not in FORMATS:
        raise WorkError(f"there is no format {form!r}", f"Formats: {', '.join(FORMATS)}.")
    company = await find_company(session.database, company_name)
    workspace = session.database.workspace(company.id)
    located = await workspace.repository_items.locate(item_id)
    if located is None:
        raise WorkError(*NO_TEXT)
    brand = next(brand for brand in await workspace.brands.all() if brand.key == located.brand_key)
    document = await export_item(workspace, brand, located.item, form)
    if out is None:
        sys.stdout.write(document.content)
    else:
        out.write_text(document.content, encoding="utf-8")
        output.say(f"written: {out}")
