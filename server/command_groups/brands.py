"""Brands and their profiles."""

from pathlib import Path
from typing import Annotated

import typer

from server.command_groups.options import Company, Json, OneBrand
from server.command_groups.session import with_service

brands = typer.Typer(no_args_is_help=True, help="Brands and their profiles.")


@brands.command("import")
def import_brands(file: Path, company: Company = None, as_json: Json = False) -> None:
    """Store the brands of a JSON file: profile, aliases, sites, competitors, items, prompt sets."""
    from server.commands import measuring

    with_service(as_json, measuring.import_brands, file, company)


@brands.command("list")
def list_brands(company: Company = None, as_json: Json = False) -> None:
    """List the brands of a company."""
    from server.commands import measuring

    with_service(as_json, measuring.list_brands, company)


@brands.command("suggestions")
def suggestions(
    brand: OneBrand,
    company: Company = None,
    confirm: Annotated[str | None, typer.Option(help="Track this name as a competitor.")] = None,
    dismiss: Annotated[str | None, typer.Option(help="Never suggest this name again.")] = None,
    as_json: Json = False,
) -> None:
    """List names that answers keep putting beside a brand and nobody tracks, or decide about one of them."""
    from server.commands import suggestions as commands

    if confirm is not None and dismiss is not None:
        raise typer.BadParameter("give either --confirm or --dismiss, one name at a time")
    if confirm is not None:
        with_service(as_json, commands.confirm, company, brand, confirm)
    if dismiss is not None:
        with_service(as_json, commands.turn_down, company, brand, dismiss)
    with_service(as_json, commands.list_suggestions, company, brand)
