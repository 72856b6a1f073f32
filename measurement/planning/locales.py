"""Validate and normalize countries, languages, cities and time zones as users enter them; country names."""

import re
from zoneinfo import available_timezones

from engines.suppliers.locations import NAMES as COUNTRIES

COUNTRY = re.compile(r"[A-Z]{2}")
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?")
LONGEST_CITY = 100
UNASSIGNED = frozenset({"AA", "ZZ", "EU"})
"""Letter pairs that are often sent although ISO 3166-1 assigns them to no country; X* and Q* are for private use."""


def iso_country(code: str) -> str:
    """Return GB for UK, which ISO 3166-1 reserves for the same country. Other codes are unchanged."""
    return "GB" if code == "UK" else code


def country_code(text: str) -> str:
    """Return an ISO 3166-1 alpha-2 code in upper case. Raises ValueError if it is invalid."""
    code = iso_country(text.strip().upper())
    if (
        COUNTRY.fullmatch(code) is None
        or code in UNASSIGNED
        or (code[0] in "XQ" and code not in ("QA", "XK"))
    ):
        raise ValueError("must be a country's code of two letters (ISO 3166-1 alpha-2), such as US, DE or GB")
    return code


def language_tag(text: str) -> str:
    """Return a BCP 47 tag (language, script, region) in its usual spelling. Raises ValueError if invalid."""
    language, *rest = text.strip().replace("_", "-").split("-")
    parts = [language.lower(), *(part.title() if len(part) == 4 else part.upper() for part in rest)]
    tag = "-".join(parts)
    if LANGUAGE.fullmatch(tag) is None:
        raise ValueError("must be a language tag (BCP 47), such as en, de-AT or zh-Hant-TW")
    return tag


def city_name(text: str) -> str:
    """Return a city's name with normalized spaces. Raises ValueError if it is empty, too long or not printable."""
    name = " ".join(text.split())
    if not name or len(name) > LONGEST_CITY or not name.isprintable():
        raise ValueError(f"must be the name of a city, at most {LONGEST_CITY} characters")
    return name


def timezone_name(text: str) -> str:
    """Return the name of a time zone in the IANA database. Raises ValueError if it is not listed."""
    name = text.strip()
    if name not in available_timezones():
        raise ValueError("must be the name of a time zone in the IANA database, such as Europe/Berlin")
    return name


def country_name(code: str) -> str:
    """Return a country's name; an unlisted code is returned as it is."""
    return COUNTRIES.get(code.upper(), code)
