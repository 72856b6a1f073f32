"""Names of countries, for people who choose one and for pages that name one."""

from engines.suppliers.locations import NAMES as COUNTRIES


def country_name(code: str) -> str:
    """Return a country's name; a code that is not listed stays a code."""
    return COUNTRIES.get(code.upper(), code)
