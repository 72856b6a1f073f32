"""The fields of a form that say where a question set is asked from."""

from collections.abc import Mapping, Sequence

from engines.registry import Registry
from measurement.planning.clock import utc_now
from measurement.planning.prompt_sets import SetPlace, change_place, checked_place
from storage.database import Database


def read_place(typed: Mapping[str, str], countries: Sequence[str]) -> SetPlace:
    """Return the place that was typed. Raises ChangeRefused for what is none."""
    device = typed.get("device", "")
    typed_place = SetPlace(
        countries=tuple(countries),
        language=typed.get("language", "").strip() or None,
        city=typed.get("city", "").strip() or None,
        region=typed.get("region", "").strip() or None,
        timezone=typed.get("timezone", "").strip() or None,
        device="mobile" if device == "mobile" else "desktop" if device == "desktop" else None,
    )
    return checked_place(typed_place)


async def store_place(
    database: Database, engines: Registry, company_id: str, set_id: str, place: SetPlace
) -> None:
    """Have a set asked from a place that was checked."""
    async with database.transaction(company_id) as writing:
        known = await writing.prompt_sets.find(set_id)
        if known is not None:
            await change_place(writing, engines, known, place, utc_now())
