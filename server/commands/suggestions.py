"""Suggested competitors from the command line."""

from typing import Any

from server.commands.output import Output
from server.commands.subjects import find_company
from server.service import Service, utc_now
from storage.repositories.suggestions import Suggestion
from workflows.planning import find_brand
from workflows.suggestions import dismiss, suggested, track


async def list_suggestions(
    service: Service, output: Output, company_name: str | None, brand_name: str
) -> None:
    """Print the names that answers suggest, in every state."""
    company = await find_company(service, company_name)
    brand = await find_brand(service.database.workspace(company.id), brand_name)
    found = await suggested(service.database, company.id, brand, utc_now())
    output.say(f"looked through the newest {found.answers} answers of {brand.name}")
    rows = [
        (one.name, one.state, one.prompts, one.answers, one.beside, ", ".join(one.platforms))
        for one in found.suggestions
    ]
    columns = ("name", "state", "prompts", "answers", "beside", "engines")
    output.data([told(one) for one in found.suggestions], lambda: output.table(columns, rows))


async def confirm(
    service: Service, output: Output, company_name: str | None, brand_name: str, name: str
) -> None:
    """Track a suggested name as a competitor."""
    company = await find_company(service, company_name)
    brand = await find_brand(service.database.workspace(company.id), brand_name)
    suggestion = (await suggested(service.database, company.id, brand, utc_now())).named(name)
    await track(service.database, company.id, brand, suggestion, utc_now())
    decided(output, suggestion, "confirmed")
    output.say("`seenby serve` or `worker` reads the answers anew, or seenby replay.")


async def turn_down(
    service: Service, output: Output, company_name: str | None, brand_name: str, name: str
) -> None:
    """Keep a suggested name from coming back."""
    company = await find_company(service, company_name)
    brand = await find_brand(service.database.workspace(company.id), brand_name)
    suggestion = (await suggested(service.database, company.id, brand, utc_now())).named(name)
    await dismiss(service.database, company.id, suggestion, utc_now())
    decided(output, suggestion, "dismissed")


def decided(output: Output, suggestion: Suggestion, state: str) -> None:
    """Say what was decided."""
    value = {"id": suggestion.id, "name": suggestion.name, "state": state}
    output.data(value, lambda: output.people.print(f"{suggestion.name}: {state}", markup=False))


def told(one: Suggestion) -> dict[str, Any]:
    """Return one suggestion as JSON."""
    return {
        "id": one.id,
        "name": one.name,
        "state": one.state,
        "prompts": one.prompts,
        "answers": one.answers,
        "beside": one.beside,
        "platforms": list(one.platforms),
        "method": one.method,
        "firstSeen": one.first_seen,
        "lastSeen": one.last_seen,
        "evidence": list(one.evidence),
    }
