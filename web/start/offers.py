"""Offers in a form: proposals that a page shows, and which of them a person accepted."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import cast

from web.errors import InvalidForm

ACCEPT_ALL = "all"
MOST_OFFERS = 40


@dataclass(frozen=True, slots=True)
class ProposedEntry:
    """One proposed value for a field, with the page it stands on and the part of that page."""

    field: str
    value: str
    source: str = ""
    basis: str = ""


def write_offers(offers: Sequence[ProposedEntry]) -> str:
    """Return offers as the text of a hidden field."""
    return json.dumps([astuple(offer) for offer in offers], ensure_ascii=False)


def read_offers(typed: Mapping[str, str]) -> list[ProposedEntry]:
    """Return the offers that a form showed. Raises InvalidForm for what no page of ours has sent."""
    try:
        rows: object = json.loads(typed.get("offered") or "[]")
    except ValueError as error:
        raise InvalidForm from error
    if not isinstance(rows, list) or len(cast(list[object], rows)) > MOST_OFFERS:
        raise InvalidForm
    offers: list[ProposedEntry] = []
    for row in cast(list[object], rows):
        parts = cast(list[object], row) if isinstance(row, list) else []
        if len(parts) != 4 or not all(isinstance(part, str) for part in parts):
            raise InvalidForm
        offers.append(ProposedEntry(*cast(list[str], parts)))
    return offers


def accepted_offers(typed: Mapping[str, str], offers: Sequence[ProposedEntry]) -> list[ProposedEntry]:
    """Return those that were ticked, or all where the person accepted all; the place of an offer names its box."""
    if typed.get("accept") == ACCEPT_ALL:
        return list(offers)
    return [offer for place, offer in enumerate(offers) if f"take{place}" in typed]
