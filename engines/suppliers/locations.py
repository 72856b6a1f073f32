"""Countries and cities as suppliers take them: by number, by name, and as places inside one another."""

from collections.abc import Mapping

from engines.engine import Question

NAMES: Mapping[str, str] = {
    "AE": "United Arab Emirates",
    "AR": "Argentina",
    "AT": "Austria",
    "AU": "Australia",
    "BE": "Belgium",
    "BG": "Bulgaria",
    "BR": "Brazil",
    "CA": "Canada",
    "CH": "Switzerland",
    "CL": "Chile",
    "CN": "China",
    "CO": "Colombia",
    "CZ": "Czechia",
    "DE": "Germany",
    "DK": "Denmark",
    "EE": "Estonia",
    "EG": "Egypt",
    "ES": "Spain",
    "FI": "Finland",
    "FR": "France",
    "GB": "United Kingdom",
    "GR": "Greece",
    "HK": "Hong Kong",
    "HR": "Croatia",
    "HU": "Hungary",
    "ID": "Indonesia",
    "IE": "Ireland",
    "IL": "Israel",
    "IN": "India",
    "IT": "Italy",
    "JP": "Japan",
    "KE": "Kenya",
    "KR": "South Korea",
    "LT": "Lithuania",
    "LU": "Luxembourg",
    "LV": "Latvia",
    "MX": "Mexico",
    "MY": "Malaysia",
    "NG": "Nigeria",
    "NL": "Netherlands",
    "NO": "Norway",
    "NZ": "New Zealand",
    "PE": "Peru",
    "PH": "Philippines",
    "PK": "Pakistan",
    "PL": "Poland",
    "PT": "Portugal",
    "RO": "Romania",
    "RS": "Serbia",
    "SA": "Saudi Arabia",
    "SE": "Sweden",
    "SG": "Singapore",
    "SI": "Slovenia",
    "SK": "Slovakia",
    "TH": "Thailand",
    "TR": "Türkiye",
    "TW": "Taiwan",
    "UA": "Ukraine",
    "US": "United States",
    "VN": "Vietnam",
    "ZA": "South Africa",
}
"""English short names by ISO 3166-1 alpha-2 code, of the countries that engines are asked from most."""
NUMBERS: Mapping[str, int] = {
    **{"AE": 784, "AR": 32, "AT": 40, "AU": 36, "BE": 56, "BG": 100, "BR": 76, "CA": 124, "CH": 756},
    **{"CL": 152, "CO": 170, "CZ": 203, "DE": 276, "DK": 208, "EE": 233, "EG": 818, "ES": 724, "FI": 246},
    **{"FR": 250, "GB": 826, "GR": 300, "HK": 344, "HR": 191, "HU": 348, "ID": 360, "IE": 372, "IL": 376},
    **{"IN": 356, "IT": 380, "JP": 392, "KE": 404, "KR": 410, "LT": 440, "LU": 442, "LV": 428, "MX": 484},
    **{"MY": 458, "NG": 566, "NL": 528, "NO": 578, "NZ": 554, "PE": 604, "PH": 608, "PK": 586, "PL": 616},
    **{"PT": 620, "RO": 642, "RS": 688, "SA": 682, "SE": 752, "SG": 702, "SI": 705, "SK": 703, "TH": 764},
    **{"TR": 792, "TW": 158, "UA": 804, "US": 840, "VN": 704, "ZA": 710},
}
"""The ISO 3166-1 number of each country."""
OFFSET = 2000
CODES: Mapping[str, str] = {name.casefold(): code for code, name in NAMES.items()}
COUNTRIES: Mapping[int, str] = {OFFSET + number: country for country, number in NUMBERS.items()}


def location_code(country: str) -> int | None:
    """A country's number as Google and DataForSEO have it, None for one that is not listed."""
    number = NUMBERS.get(country)
    return None if number is None else OFFSET + number


def place_name(question: Question) -> str | None:
    """A question's place as Google names them: `Munich,Bavaria,Germany`; None for no more than a country."""
    if question.country is None or not (question.city or question.region):
        return None
    country = NAMES.get(question.country, question.country)
    return ",".join(part for part in (question.city, question.region, country) if part)


def place_of(name: str) -> dict[str, str]:
    """The city, the region and, where it is listed, the country that such a name says; a country alone is no city."""
    parts = [part.strip() for part in name.split(",") if part.strip()]
    code = CODES.get(parts[-1].casefold()) if parts else None
    inner = parts[:-1] if code else parts
    return {
        **({"country": code} if code else {}),
        **({"city": inner[0]} if inner else {}),
        **({"region": inner[1]} if len(inner) > 1 else {}),
    }
