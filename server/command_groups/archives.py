"""What goes out of the database and comes in: answers, or everything."""

from pathlib import Path
from typing import Annotated

import typer

from server.command_groups.options import Company, Json, OneBrand
from server.command_groups.session import with_service

answers = typer.Typer(no_args_is_help=True, help="Answers captured elsewhere.")
exports = typer.Typer(no_args_is_help=True, help="Stored data as lines of JSON.")


@answers.command("import")
def import_answers(
    file: Path,
    brand: OneBrand,
    company: Company = None,
    keep_going: Annotated[bool, typer.Option(help="Store the good lines and report the bad ones.")] = False,
    as_json: Json = False,
) -> None:
    """Import answers captured elsewhere (JSONL, or CSV by its name); a line that was imported before is skipped."""
    from server.commands import measuring

    with_service(as_json, measuring.import_answers, file, company, brand, keep_going)


@exports.command("answers")
def export_answers(brand: OneBrand, company: Company = None, as_json: Json = False) -> None:
    """Print every stored answer of a brand as lines of JSON that can be imported again."""
    from server.commands import measuring

    with_service(as_json, measuring.export_answers, company, brand)


@exports.command("everything")
def export_everything(
    company: Company = None,
    brand: Annotated[str | None, typer.Option(help="Name or id; the whole company without it.")] = None,
    as_json: Json = False,
) -> None:
    """Print all that was told and measured as lines of JSON, raw answers included; no accounts and no keys."""
    from server.commands import archives

    with_service(as_json, archives.export_everything, company, brand)


def import_everything(
    file: Path,
    company: Company = None,
    keep_schedules: Annotated[
        bool, typer.Option("--keep-schedules", help="Go on asking by the clock as the original does.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Take in what `export everything` printed elsewhere, and calculate the same numbers from it."""
    from server.commands import archives

    with_service(as_json, archives.import_everything, file, company, keep_schedules=keep_schedules)
