"""A brand's profile as fields of a form: written as a person types them, and read as the tools take them."""

from collections.abc import Mapping, Sequence
from typing import Any

TEXTS: Mapping[str, str] = {
    "name": "Name",
    "website": "Website",
    "industry": "Line of business",
    "brandVoice": "How the brand speaks",
    "targetAudience": "Whom it wants to reach",
}
LISTS: Mapping[str, str] = {
    "aliases": "Also written",
    "sites": "Own sites",
    "keywords": "What it wants to be known for",
    "categoryWords": "Words beside which the name counts",
}
FACTS: Mapping[str, str] = {
    "telephone": "Telephone",
    "address": "Address",
    "openingHours": "Opening hours",
    "foundingYear": "Founding year",
}
COLUMN = "|"
"""Between a rival's name, its other spellings and its sites."""


def write_profile(profile: Mapping[str, Any]) -> dict[str, str]:
    """Return a stored profile as its fields hold it."""
    typed = {name: profile[name] or "" for name in TEXTS}
    typed |= {name: _write_lines(profile, name) for name in LISTS}
    typed |= {name: "" if profile["facts"][name] is None else str(profile["facts"][name]) for name in FACTS}
    typed["prices"] = "\n".join(f"{price['name']}: {price['price']}" for price in profile["facts"]["prices"])
    typed["rivals"] = "\n".join(_write_rival(rival) for rival in profile["competitors"])
    return typed


def _write_lines(profile: Mapping[str, Any], name: str) -> str:
    """Return a list with an entry a line; the name itself is no other spelling of it."""
    entries: list[str] = profile[name]
    return "\n".join(entry for entry in entries if name != "aliases" or entry != profile["name"])


def _write_rival(rival: Mapping[str, Any]) -> str:
    aliases = [alias for alias in rival["aliases"] if alias != rival["name"]]
    columns = [rival["name"], ", ".join(aliases), ", ".join(rival["sites"])]
    while not columns[-1]:
        columns.pop()
    return f" {COLUMN} ".join(columns)


def find_emptied(profile: Mapping[str, Any], typed: Mapping[str, str]) -> dict[str, str]:
    """Return what is wrong with a name that was emptied; every other text may be."""
    emptied = profile["name"] and not typed.get("name", "").strip()
    return {"name": "It can be changed, but not left empty."} if emptied else {}


def read_changes(profile: Mapping[str, Any], typed: Mapping[str, str]) -> dict[str, Any]:
    """Return what a form changes in a profile, as the tool takes it; what reads as before is left out."""
    before = write_profile(profile)
    changed = {
        name: value.replace("\r\n", "\n").strip()
        for name, value in typed.items()
        if name in before and value.replace("\r\n", "\n").strip() != before[name]
    }
    changes: dict[str, Any] = {name: changed[name] for name in TEXTS if name in changed}
    changes |= {name: _lines(changed[name]) for name in LISTS if name in changed}
    if any(name in changed for name in (*FACTS, "prices")):
        changes["facts"] = _read_facts({**before, **changed})
    if "rivals" in changed:
        changes["competitors"] = [_read_rival(line) for line in _lines(changed["rivals"])]
    if ("ambiguous" in typed) != profile["ambiguous"]:
        changes["ambiguous"] = "ambiguous" in typed
    return changes


def _lines(text: str) -> list[str]:
    return list(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))


def _read_facts(typed: Mapping[str, str]) -> dict[str, Any]:
    facts: dict[str, Any] = {name: typed[name] for name in FACTS if typed[name]}
    year = facts.get("foundingYear", "")
    if year.isdecimal() and len(year) < 5:
        facts["foundingYear"] = int(year)
    named = (line.rpartition(":") for line in _lines(typed["prices"]))
    facts["prices"] = [{"name": name.strip(), "price": price.strip()} for name, _, price in named]
    return facts


def _read_rival(line: str) -> dict[str, Any]:
    name, aliases, sites = [*(column.strip() for column in line.split(COLUMN, 2)), "", ""][:3]
    return {"name": name, "aliases": _entries(aliases), "sites": _entries(sites)}


def _entries(column: str) -> Sequence[str]:
    return [entry.strip() for entry in column.split(",") if entry.strip()]
