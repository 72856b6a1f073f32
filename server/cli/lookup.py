"""Finds the company and the brands that a command names."""

from measurement.errors import UnknownName, WorkError
from storage.database import Database
from storage.repositories.brands import Brand
from storage.repositories.companies import Company

LISTED_COMPANIES = 10


async def find_company(database: Database, name_or_id: str | None) -> Company:
    """Find a company; without a name, the only one there is. Raises UnknownName or WorkError."""
    companies = await database.operators.companies.all()
    if name_or_id is None:
        if len(companies) == 1:
            return companies[0]
        if not companies:
            raise WorkError(
                "there is no company yet",
                "Make one with: seenby init, or seenby company create NAME --email E",
            )
        names = ", ".join(company.name for company in companies[:LISTED_COMPANIES])
        more = f" and {len(companies) - LISTED_COMPANIES} more" if len(companies) > LISTED_COMPANIES else ""
        raise WorkError(
            f"no company was named, and there are several: {names}{more}",
            "Name one with --company, or set SEENBY_COMPANY.",
        )
    alike = [known for known in companies if known.name.casefold() == name_or_id.strip().casefold()]
    if len(alike) > 1:
        raise WorkError(
            f"several companies are called {alike[0].name}",
            f"Name one by its identifier: {', '.join(known.id for known in alike[:LISTED_COMPANIES])}.",
        )
    company = await database.operators.companies.find(name_or_id)
    if company is None:
        raise UnknownName("company", name_or_id, [known.name for known in companies])
    return company


async def find_brands(database: Database, company_id: str, name_or_id: str | None) -> list[Brand]:
    """Return the brand that was named, or without a name all of the company. Raises UnknownName."""
    from measurement.planning.brand_identity import find_brand

    workspace = database.workspace(company_id)
    return [await find_brand(workspace, name_or_id)] if name_or_id else await workspace.brands.all()
