"""Suggested competitors of a brand: listed, confirmed and dismissed."""

from typing import Any

from measurement.planning.brand_identity import find_brand
from measurement.planning.clock import utc_now
from measurement.planning.competitor_suggestions import dismiss, suggested, track
from server.cli.lookup import find_company
from server.cli.output import Output
from server.cli.session import CommandSession
from storage.repositories.suggestions import Suggestion


async def list_suggestions(
    session: CommandSession, output: Output, company_name: str | None, brand_name: str
) -> None:
    """Print the names that answers suggest, in every state."""
    company = await find_company(session.database, company_name)
    brand = await find_brand(session.database.workspace(company.id), brand_name)
    candidates = await suggested(session.database, company.id, brand, utc_now())
    output.say(f"searched the newest {candidates.answers} answers of {brand.name}")
    rows = [
        (
            suggestion.name,
            suggestion.state,
            suggestion.prompts,
            suggestion.answers,
            suggestion.beside,
            ", ".join(suggestion.platforms),
        )
        for suggestion in candidates.suggestions
    ]
    columns = ("name", "state", "prompts", "answers", "beside", "engines")
    values = [suggestion_fields(suggestion) for suggestion in candidates.suggestions]
    output.data(values, lambda: output.table(columns, rows))


async def confirm_suggestion(
    session: CommandSession, output: Output, company_name: str | None, brand_name: str, name: str
) -> None:
    """Track a suggested name as a competitor."""
    company = await find_company(session.database, company_name)
    brand = await find_brand(session.database.workspace(company.id), brand_name)
    suggestion = (await suggested(session.database, company.id, brand, utc_now())).named(name)
    await track(session.database, company.id, brand, suggestion, utc_now())
    print_state(output, suggestion, "confirmed")
    output.say("`seenby serve` or `worker` reads the answers anew, or seenby replay.")


async def dismiss_suggestion(
    session: CommandSession, output: Output, company_name: str | None, brand_name: str, name: str
) -> None:
    """Keep a suggested name from coming back."""
    company = await find_company(session.database, company_name)
    brand = await find_brand(session.database.workspace(company.id), brand_name)
    suggestion = (await suggested(session.database, company.id, brand, utc_now())).named(name)
    await dismiss(session.database, company.id, suggestion, utc_now())
    print_state(output, suggestion, "dismissed")


def print_state(output: Output, suggestion: Suggestion, state: str) -> None:
    """Print what was decided about a name."""
    value = {"id": suggestion.id, "name": suggestion.name, "state": state}
    output.data(value, lambda: output.people.print(f"{suggestion.name}: {state}", markup=False))


def suggestion_fields(suggestion: Suggestion) -> dict[str, Any]:
    """Return a suggestion as JSON."""
    return {
        "id": suggestion.id,
        "name": suggestion.name,
        "state": suggestion.state,
        "prompts": suggestion.prompts,
        "answers": suggestion.answers,
        "beside": suggestion.beside,
        "platforms": list(suggestion.platforms),
        "method": suggestion.method,
        "firstSeen": suggestion.first_seen,
        "lastSeen": suggestion.last_seen,
        "evidence": [evidence.to_json() for evidence in suggestion.evidence],
    }
