"""Brands and their profiles."""

from pathlib import Path
from typing import Annotated

import typer

from measurement.planning.clock import utc_now
from server.cli.lookup import find_company
from server.cli.option_groups import ProfileFields, takes_option_groups
from server.cli.options import Company, Json, OneBrand
from server.cli.output import Output
from server.cli.session import CommandSession, with_database, with_rows, with_tools
from server.cli.tool_words import does

app = typer.Typer(no_args_is_help=True, help="Brands and their profiles.")


@app.command("import")
def import_(file: Path, company: Company = None, as_json: Json = False) -> None:
    """Store the brands of a JSON file: profile, aliases, sites, competitors, items, prompt sets."""
    with_database(as_json, import_brands, file, company)


async def import_brands(
    session: CommandSession, output: Output, path: Path, company_name: str | None
) -> None:
    """Store the brands of a file, all or none."""
    from measurement.planning.brand_files import read_brands, save_brands  # loads the models of a profile

    company = await find_company(session.database, company_name)
    files = read_brands(path)
    brands = await save_brands(session.database, company.id, files, path.name, utc_now())
    rows = [(brand.id, brand.name) for brand in brands]
    output.data([{"id": id, "name": name} for id, name in rows], lambda: output.table(("id", "name"), rows))
    if any(brand.revision_key is not None for brand in brands):
        output.say(
            "Names or sites may have changed: `seenby serve` or `worker` reads the answers anew, or seenby replay."
        )


@app.command("list")
@does("list_brand_profiles")
def list_(
    archived: Annotated[bool, typer.Option("--archived", help="List archived brands too.")] = False,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """List the brands of a company."""
    with_database(as_json, list_brands, company, archived)


async def list_brands(
    session: CommandSession, output: Output, company_name: str | None, archived: bool
) -> None:
    """Print the brands of a company, archived ones only when they are asked for.

    Read as list_brand_profiles reads them, without loading the tools: that takes two seconds of a processor.
    """
    company = await find_company(session.database, company_name)
    known = session.database.workspace(company.id).brands
    brands = await (known.all() if archived else known.active())
    columns = ("id", "name", "industry", "website", "archived")
    rows = [
        (brand.id, brand.name, brand.industry, brand.website, brand.archived_at is not None)
        for brand in brands
    ]
    shown = [(*row[:4], "yes" if row[4] else "") for row in rows]
    output.data(
        [dict(zip(columns, row, strict=True)) for row in rows],
        lambda: output.table(
            columns if archived else columns[:4], shown if archived else [row[:4] for row in rows]
        ),
    )


@app.command("create")
@does("create_brand_profile")
@takes_option_groups
def create(
    profile: ProfileFields,
    name: Annotated[str | None, typer.Argument(help="May be left out with --propose-from.")] = None,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Make a brand to measure, or propose its fields from a site."""
    from server.cli import brand_profiles as profiles  # loads the tools

    with_tools(as_json, company, profiles.create_brand, name, profile)


@app.command("update")
@does("update_brand_profile")
@takes_option_groups
def update(
    brand: Annotated[str, typer.Argument(help="Name or id.")],
    profile: ProfileFields,
    name: Annotated[str | None, typer.Option(help="The new name.")] = None,
    add_competitor: Annotated[
        list[str] | None, typer.Option(help="A competitor beside those it has; repeatable.")
    ] = None,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Change the fields that are given; a list replaces the whole list."""
    from server.cli import brand_profiles as profiles

    with_tools(as_json, company, profiles.update_brand, brand, name, profile, add_competitor or ())


@app.command("show")
@does("get_brand_snapshot")
def show(
    brand: Annotated[str, typer.Argument(help="Name or id.")], company: Company = None, as_json: Json = False
) -> None:
    """Show a brand's profile, its score and its trend."""
    from server.cli import brand_profiles as profiles

    with_rows(as_json, company, profiles.show_brand, brand)


@app.command("suggestions")
def suggestions(
    brand: OneBrand,
    company: Company = None,
    confirm: Annotated[str | None, typer.Option(help="Track this name as a competitor.")] = None,
    dismiss: Annotated[str | None, typer.Option(help="Never suggest this name again.")] = None,
    as_json: Json = False,
) -> None:
    """List names that answers keep putting beside a brand and nobody tracks, or decide about one of them."""
    from server.cli import suggestions as commands  # loads the reader of answers

    if confirm is not None and dismiss is not None:
        raise typer.BadParameter("give either --confirm or --dismiss, one name at a time")
    if confirm is not None:
        with_database(as_json, commands.confirm_suggestion, company, brand, confirm)
    if dismiss is not None:
        with_database(as_json, commands.dismiss_suggestion, company, brand, dismiss)
    with_database(as_json, commands.list_suggestions, company, brand)
