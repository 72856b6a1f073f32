"""What only a look at a screen tells of an answer: supplier, place, charge, cards beside it."""

from pydantic import Field

from engines.recordings import proof_of
from measurement.extraction.sightings import ReadSighting
from tools.answer_place import LONGEST_WORDS, brief
from tools.calls.wire import Wire, harmless

MOST_CARDS = 50
SEEN_FIELDS = (
    "seen.supplier",
    "seen.proofUrl",
    "seen.localeSent",
    *(f"seen.cards[].{name}" for name in ("title", "brand", "seller", "price", "currency", "url", "names[]")),
)
"""The words of a look that strangers wrote."""


class SeenCard(Wire):
    """A product, place or advertisement beside the answer; no rate counts it."""

    kind: str
    title: str
    brand: str | None
    seller: str | None
    price: str | None
    currency: str | None
    url: str | None
    position: int
    rendered: bool | None = Field(description="False: delivered and not shown.")
    names: list[str] = Field(description="Whom it names, of the brand and its competitors.")


class SeenView(Wire):
    """What only a look at a screen tells."""

    supplier: str
    absentReason: str | None = Field(description="Why nothing was shown: none, blocked or no_results.")
    observedAt: str | None
    proofUrl: str | None
    localeSent: dict[str, str]
    localeApplied: str = Field(description="city, country or none.")
    supplierCost: str | None
    costUnit: str | None = Field(description="usd or credits.")
    parser: str = Field(
        description="documented or recorded: whether a real answer of this channel proves it."
    )
    cards: list[SeenCard]


def seen_view(sighting: ReadSighting, platform: str) -> SeenView:
    """Return what a look at a screen tells."""
    cost = sighting.cost
    return SeenView(
        supplier=harmless(sighting.supplier, LONGEST_WORDS),
        absentReason=sighting.absent_reason,
        observedAt=brief(sighting.observed_at),
        proofUrl=brief(sighting.proof_url),
        localeSent={
            harmless(name, LONGEST_WORDS): harmless(value, LONGEST_WORDS)
            for name, value in sighting.locale_sent.items()
        },
        localeApplied=sighting.locale_applied,
        supplierCost=f"{cost.amount:f}" if cost else None,
        costUnit=cost.unit if cost else None,
        parser=proof_of(platform),
        cards=[
            SeenCard(
                kind=read.card.kind,
                title=harmless(read.card.title, LONGEST_WORDS),
                brand=brief(read.card.brand),
                seller=brief(read.card.seller),
                price=brief(read.card.price),
                currency=brief(read.card.currency),
                url=brief(read.card.url),
                position=read.card.position,
                rendered=read.card.rendered,
                names=list(read.names),
            )
            for read in sighting.cards[:MOST_CARDS]
        ],
    )
