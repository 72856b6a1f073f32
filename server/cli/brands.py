"""Brands: imported from a file and listed, and names that answers suggest as competitors."""

from pathlib import Path
from typing import Annotated

import typer

from measurement.planning.clock import utc_now
from server.cli.output import wire_fields
from server.cli.session import OneBrand, Session, command
from storage.repositories.suggestions import Suggestion

app = typer.Typer(no_args_is_help=True, help="Brands. Profiles are read and changed with seenby call.")

AFTER_A_CHANGE = (
    "Run `seenby replay`, or keep `seenby serve` or `seenby worker` running, to reprocess the answers."
)


@command(app, "import")
async def import_(session: Session, file: Path) -> None:
    """Store the brands of a JSON file: profiles, aliases, sites, competitors and prompt sets. All or none."""
    from measurement.planning.brand_files import read_brands, save_brands  # loads the models of a profile

    files = read_brands(file)
    brands = await save_brands(session.database, session.company.id, files, file.name, utc_now())
    session.output.show([{"id": brand.id, "name": brand.name} for brand in brands])
    if any(brand.revision_key is not None for brand in brands):
        session.output.say(AFTER_A_CHANGE)


@command(app, "list")
async def list_(
    session: Session,
    archived: Annotated[bool, typer.Option("--archived", help="List archived brands too.")] = False,
) -> None:
    """List the brands of a company."""
    known = session.workspace.brands
    brands = await (known.all() if archived else known.active())
    rows = [
        {
            "id": brand.id,
            "name": brand.name,
            "industry": brand.industry,
            "website": brand.website,
            "archived": brand.archived_at is not None,
        }
        for brand in brands
    ]
    session.output.show(rows, columns="id name industry website" + (" archived" if archived else ""))


@command(app, "suggestions")
async def suggestions(
    session: Session,
    brand: OneBrand,
    confirm: Annotated[str | None, typer.Option(help="Track this name as a competitor.")] = None,
    dismiss: Annotated[str | None, typer.Option(help="Never suggest this name again.")] = None,
) -> None:
    """List untracked names that answers often mention beside a brand, or decide about one of them."""
    from measurement.planning import competitor_suggestions  # loads the matcher

    if confirm is not None and dismiss is not None:
        raise typer.BadParameter("give either --confirm or --dismiss")
    output, company_id = session.output, session.company.id
    owner = await session.brand(brand)
    found = await competitor_suggestions.suggested(session.database, company_id, owner, utc_now())
    name = confirm or dismiss
    if name is None:
        output.say(f"searched the newest {found.answers} answers of {owner.name}")
        columns = "name state prompts answers beside platforms"
        output.show([suggestion_fields(suggestion) for suggestion in found.suggestions], columns=columns)
        return
    suggestion = found.named(name)
    if confirm is not None:
        await competitor_suggestions.track(session.database, company_id, owner, suggestion, utc_now())
        output.say(AFTER_A_CHANGE)
    else:
        await competitor_suggestions.dismiss(session.database, company_id, suggestion, utc_now())
    state = "confirmed" if confirm is not None else "dismissed"
    value = {"id": suggestion.id, "name": suggestion.name, "state": state}
    output.show(value, f"{suggestion.name}: {state}")


def suggestion_fields(suggestion: Suggestion) -> dict[str, object]:
    """Return a suggestion as it is printed."""
    shown = wire_fields(suggestion)
    for internal in ("key", "nameFolded", "decidedAt"):
        del shown[internal]
    return {**shown, "evidence": [evidence.to_json() for evidence in suggestion.evidence]}
