"""Whom a command is about: the company and the brands that were named."""

from server.service import Service
from storage.repositories.brands import Brand
from storage.repositories.companies import Company
from workflows.errors import UnknownName, WorkError
from workflows.planning import find_brand


async def find_company(service: Service, name_or_id: str | None) -> Company:
    """Find a company; without a name, the only one there is. Raises UnknownName or WorkError."""
    companies = await service.database.operators.companies.all()
    if name_or_id is None:
        if len(companies) == 1:
            return companies[0]
        hint = (
            "Name one with --company." if companies else "Make one with: seenby company create NAME --email E"
        )
        raise WorkError("no company was named" if companies else "there is no company yet", hint)
    found = await service.database.operators.companies.find(name_or_id)
    if found is None:
        raise UnknownName("company", name_or_id, [one.name for one in companies])
    return found


async def brands_of(service: Service, company_id: str, name_or_id: str | None) -> list[Brand]:
    """Return the brand that was named, or without a name all of the company. Raises UnknownName."""
    workspace = service.database.workspace(company_id)
    return [await find_brand(workspace, name_or_id)] if name_or_id else await workspace.brands.all()
