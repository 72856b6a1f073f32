"""The brand profile page: names, sites, facts and competitors as an editable form."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.responses import Response

from web.request import PageRequest, ToolFault

TEXTS: Mapping[str, str] = {
    "name": "Name",
    "website": "Website",
    "industry": "Industry",
    "brandVoice": "Brand voice",
    "targetAudience": "Target audience",
}
LISTS: Mapping[str, str] = {
    "aliases": "Also known as",
    "sites": "Own sites",
    "keywords": "Keywords",
    "categoryWords": "Context words",
}
FACTS: Mapping[str, str] = {
    "telephone": "Telephone",
    "address": "Address",
    "openingHours": "Opening hours",
    "foundingYear": "Founding year",
}
ROW = re.compile(r"competitor-(\d{1,4})")
BLANK_ROWS = 2


def _write_profile(profile: Mapping[str, Any]) -> dict[str, str]:
    """Return a stored profile as its fields hold it."""
    typed = {name: profile[name] or "" for name in TEXTS}
    typed |= {name: _write_lines(profile, name) for name in LISTS}
    typed |= {name: "" if profile["facts"][name] is None else str(profile["facts"][name]) for name in FACTS}
    typed["prices"] = "\n".join(f"{price['name']}: {price['price']}" for price in profile["facts"]["prices"])
    return typed


def _write_lines(profile: Mapping[str, Any], name: str) -> str:
    """Return a list with an entry a line; the name itself is no other spelling of it."""
    entries: list[str] = profile[name]
    return "\n".join(entry for entry in entries if name != "aliases" or entry != profile["name"])


def _write_competitors(profile: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the values of the fields of each competitor's row; the name itself is no other spelling of it."""
    return [
        {
            "name": rival["name"],
            "aliases": ", ".join(alias for alias in rival["aliases"] if alias != rival["name"]),
            "sites": ", ".join(rival["sites"]),
        }
        for rival in profile["competitors"]
    ]


def _read_competitors(typed: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the rows of a form that have a value."""
    numbers = sorted(int(row[1]) for row in map(ROW.fullmatch, typed) if row)
    rows = [
        {
            "name": " ".join(typed[f"competitor-{number}"].split()),
            "aliases": typed.get(f"aliases-{number}", "").strip(),
            "sites": typed.get(f"sites-{number}", "").strip(),
        }
        for number in numbers
    ]
    return [row for row in rows if any(row.values())]


def _find_emptied(profile: Mapping[str, Any], typed: Mapping[str, str]) -> dict[str, str]:
    """Return what is wrong with a name that was emptied; every other text may be."""
    emptied = profile["name"] and not typed.get("name", "").strip()
    return {"name": "Enter a name."} if emptied else {}


def _read_changes(profile: Mapping[str, Any], typed: Mapping[str, str]) -> dict[str, Any]:
    """Return what a form changes in a profile, as the tool takes it; what reads as before is left out."""
    before = _write_profile(profile)
    changed = {
        name: value.replace("\r\n", "\n").strip()
        for name, value in typed.items()
        if name in before and value.replace("\r\n", "\n").strip() != before[name]
    }
    changes: dict[str, Any] = {name: changed[name] for name in TEXTS if name in changed}
    changes |= {name: _lines(changed[name]) for name in LISTS if name in changed}
    if any(name in changed for name in (*FACTS, "prices")):
        changes["facts"] = _read_facts({**before, **changed})
    competitors = _read_competitors(typed)
    sent = any(map(ROW.fullmatch, typed))
    if sent and competitors != _write_competitors(profile):
        changes["competitors"] = [
            {"name": row["name"], "aliases": _entries(row["aliases"]), "sites": _entries(row["sites"])}
            for row in competitors
        ]
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


def _entries(column: str) -> Sequence[str]:
    return [entry.strip() for entry in column.split(",") if entry.strip()]


async def show_profile(request: PageRequest) -> Response:
    """Show the brand's profile."""
    profile = await request.load_brand()
    return await _render_profile(request, profile, _write_profile(profile))


async def save_profile(request: PageRequest) -> Response:
    """Store the changes. Answers are reprocessed when names or sites changed."""
    profile = await request.load_brand()
    typed = await request.read_form(holds_texts=True)
    faults = _find_emptied(profile, typed)
    if faults:
        return await _render_profile(request, profile, typed, faults)
    address = f"/brands/{profile['id']}/profile"
    changes, told = _read_changes(profile, typed), "saved=1"
    if changes:
        saved = await request.try_tool("update_brand_profile", {"brandId": profile["id"], **changes})
        if isinstance(saved, ToolFault):
            at = saved.field.partition(".")[0]
            return await _render_profile(request, profile, typed, {at: saved.words})
        told += "&rereading=1" if saved["rereading"] else ""
    return request.redirect(f"{address}?{told}")


async def _render_profile(
    request: PageRequest,
    profile: Mapping[str, Any],
    typed: Mapping[str, str],
    faults: Mapping[str, str] | None = None,
) -> Response:
    """Show the form as it was typed, with the faults at their fields."""
    faults = faults or {}
    query = request.http.query_params
    return request.render(
        "brands/profile.html",
        422 if faults else 200,
        brand=profile,
        typed={**_write_profile(profile), **typed},
        competitors=_read_competitors(typed) if faults else _write_competitors(profile),
        blank_rows=BLANK_ROWS,
        ambiguous="ambiguous" in typed if faults else profile["ambiguous"],
        texts=TEXTS,
        lists=LISTS,
        facts=FACTS,
        faults=faults,
        elsewhere=[
            words
            for name, words in faults.items()
            if name not in _write_profile(profile) and name != "competitors"
        ],
        rereading=query.get("rereading") == "1" or await request.is_read_anew(profile["id"]),
        saved=query.get("saved") == "1",
    )
