"""State shared by the setup steps: the brand, its prompt set, and proposed values."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any, cast
from urllib.parse import urlencode

from web.errors import InvalidForm
from web.request import PageRequest

PROMPT_SET_NAME = "What buyers ask about {brand}"


async def load_brand(request: PageRequest) -> dict[str, Any]:
    """Return the profile of the brand in the URL. Raises PageNotFound, and ReadOnly for a viewer."""
    request.require_member()
    profile = await request.load_brand()
    return profile


async def find_prompt_set(request: PageRequest, brand_id: str) -> dict[str, Any] | None:
    """Return the brand's first own prompt set with its prompts, or None."""
    listed = await request.call_tool("list_prompt_sets", brandId=brand_id, includePrompts=True)
    for prompt_set in listed["promptSets"] if listed else ():
        if prompt_set["brandId"] == brand_id:
            return prompt_set
    return None


def setup_address(brand_id: str, step: str, **words: str) -> str:
    """Return the URL of a step, with query fields that later steps need."""
    parameters = {name: value for name, value in words.items() if value}
    return f"/start/{brand_id}/{step}" + (f"?{urlencode(parameters)}" if parameters else "")


MOST_OFFERS = 40


@dataclass(frozen=True, slots=True)
class ProposedEntry:
    """A proposed value for a field, with the page it was found on and the section of that page."""

    field: str
    value: str
    source: str = ""
    basis: str = ""


def write_offers(offers: Sequence[ProposedEntry]) -> str:
    """Serialize offers for a hidden form field."""
    return json.dumps([astuple(offer) for offer in offers], ensure_ascii=False)


def read_offers(typed: Mapping[str, str]) -> list[ProposedEntry]:
    """Return the offers that a form showed. Raises InvalidForm for anything that our pages do not send."""
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
    """Return the selected offers. Checkboxes are named by position."""
    return [offer for place, offer in enumerate(offers) if f"take{place}" in typed]
