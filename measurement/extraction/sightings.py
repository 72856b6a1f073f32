"""AI surface observations as read back from storage, with the entities that their cards name."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeVar, cast

from engines.engine import Card, CardKind, LocaleApplied, Placement, SupplierCost
from engines.errors import EngineError
from engines.transport import body
from engines.transport.body import JsonObject
from measurement.planning.brand_identity import BrandIdentity

Choice = TypeVar("Choice", CardKind, LocaleApplied, Placement)
KINDS: tuple[CardKind, ...] = ("product", "place", "ad")
APPLIED: tuple[LocaleApplied, ...] = ("city", "country", "none")
PLACEMENTS: tuple[Placement, ...] = ("inline", "panel", "card", "search_result")


@dataclass(frozen=True, slots=True)
class ReadCard:
    """A card and the entities that its words name. Rates do not count them, because only the text is the answer."""

    card: Card
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadSighting:
    """Facts about an answer that are known only because the screen was observed."""

    supplier: str
    absent_reason: str | None
    observed_at: str | None
    proof_url: str | None
    locale_sent: Mapping[str, str]
    locale_applied: LocaleApplied
    cost: SupplierCost | None
    cards: tuple[ReadCard, ...]
    placements: Mapping[str, Placement]
    """Placement of each source, by its address."""


def read_sighting(
    identity: BrandIdentity, stored: Mapping[str, Any] | None, absent_reason: str | None
) -> ReadSighting | None:
    """Return a stored AI surface observation; None if there is none or an import stored it in another shape."""
    if not stored:
        return None
    facts = cast(JsonObject, stored)
    applied = one_of(APPLIED, facts.get("localeApplied"))
    try:
        sent = body.child(facts, "localeSent") or {}
        return ReadSighting(
            supplier=body.required(facts, "supplier"),
            absent_reason=absent_reason,
            observed_at=body.string(facts, "observedAt"),
            proof_url=body.string(facts, "proofUrl"),
            locale_sent={name: value for name, value in sent.items() if isinstance(value, str)},
            locale_applied="none" if applied is None else applied,
            cost=cost_in(body.child(facts, "cost")),
            cards=tuple(read_card(identity, card) for card in body.children(facts, "cards")),
            placements={
                body.required(placed, "url"): placement
                for placed in body.children(facts, "placements")
                if (placement := one_of(PLACEMENTS, placed.get("placement"))) is not None
            },
        )
    except EngineError:
        return None


def read_card(identity: BrandIdentity, stored: JsonObject) -> ReadCard:
    """Return one card with the entities that its words name. Raises EngineError for another shape."""
    kind = one_of(KINDS, stored.get("kind"))
    if kind is None:
        raise body.malformed("kind is none that is known")
    card = Card(
        kind,
        body.string(stored, "title") or "",
        body.whole(stored, "position") or 0,
        brand=body.string(stored, "brand"),
        seller=body.string(stored, "seller"),
        price=body.string(stored, "price"),
        currency=body.string(stored, "currency"),
        url=body.string(stored, "url"),
        rendered=rendered if isinstance(rendered := stored.get("rendered"), bool) else None,
    )
    # Keep the parts separate: a title and a seller are not one sentence.
    words = "\n\n".join(part for part in (card.title, card.brand, card.seller) if part)
    named = {mention.entity_id for mention in identity.reader.matcher.find(words) if mention.counted}
    return ReadCard(card, tuple(entity.name for entity in identity.named if entity.id in named))


def cost_in(stored: JsonObject | None) -> SupplierCost | None:
    """Return a stored charge, or None if there is none."""
    if stored is None:
        return None
    amount, unit = body.string(stored, "amount"), stored.get("unit")
    if amount is None or not amount.replace(".", "", 1).isdecimal() or not amount.isascii():
        return None
    return SupplierCost(Decimal(amount), "usd" if unit == "usd" else "credits")


def one_of(known: tuple[Choice, ...], value: object) -> Choice | None:
    """Return the value if it is a known one, else None."""
    return known[known.index(value)] if value in known else None
