"""The brand tools: profiles, competitors, and everything about one brand in one call."""

from datetime import datetime

from pydantic import Field

from measurement.planning.brand_profiles import is_ambiguous
from storage.repositories.brands import Brand, EntityNames
from tools.calls.call import NamedBrand, ThisCall
from tools.calls.parameters import BrandId, IncludeArchived, Offset
from tools.calls.table import ToolFamily
from tools.calls.wire import UNTRUSTED, CleanText, ListWindow, Page, Wire, place_of

family = ToolFamily()

PROFILE_TEXT = ("name", "industry", "website", "brandVoice", "keywords[]", "targetAudience")
RIVAL_TEXT = ("competitors[].name", "competitors[].aliases[]", "competitors[].sites[]")
FACT_TEXT = (
    "facts.telephone",
    "facts.address",
    "facts.openingHours",
    "facts.prices[].name",
    "facts.prices[].price",
)


class CompetitorView(Wire):
    """One competitor recorded on a profile."""

    id: str = Field(description="Competitor UUID.")
    name: CleanText
    aliases: list[CleanText] = Field(description="The ways its name is written.")
    sites: list[CleanText] = Field(description="Hosts and URL prefixes it owns.")


class BrandSummary(Wire):
    """One brand's profile without its names and competitors."""

    id: str = Field(description="Brand UUID.")
    name: CleanText
    industry: CleanText | None
    website: CleanText | None
    brandVoice: CleanText | None = Field(description="How the brand speaks.")
    keywords: list[CleanText]
    targetAudience: CleanText | None
    archived: bool = Field(description="Whether it is archived: it keeps its history and is not measured.")
    createdAt: datetime
    updatedAt: datetime


class BrandPrice(Wire):
    """What one thing costs."""

    name: CleanText
    price: CleanText


class BrandFacts(Wire):
    """Facts of a profile that answers are held against; null is not stated."""

    telephone: CleanText | None = None
    address: CleanText | None = None
    openingHours: CleanText | None = None
    foundingYear: int | None = None
    prices: list[BrandPrice] = Field(default=[])


class BrandProfile(BrandSummary):
    """One brand's whole profile."""

    aliases: list[CleanText] = Field(description="The ways its name is written.")
    sites: list[CleanText] = Field(description="Hosts and URL prefixes it owns.")
    competitors: list[CompetitorView]
    categoryWords: list[CleanText] = Field(description="Words of its trade.")
    ambiguous: bool = Field(description="Whether the name is an ordinary word, too.")
    facts: BrandFacts
    untrusted: list[str] = Field(
        default=[*PROFILE_TEXT, "aliases[]", "sites[]", *RIVAL_TEXT, "categoryWords[]", *FACT_TEXT],
        description=UNTRUSTED,
    )


class BrandProfiles(Page):
    """The brands of the company, by name: all that fit into a result; archived ones only where asked for."""

    window = ListWindow("brands")

    brands: list[BrandSummary]
    untrusted: list[str] = Field(default=[f"brands[].{name}" for name in PROFILE_TEXT], description=UNTRUSTED)


class Competitors(Wire):
    """The competitors recorded on one brand's profile."""

    brandId: str
    competitors: list[CompetitorView]
    total: int
    untrusted: list[str] = Field(default=list(RIVAL_TEXT), description=UNTRUSTED)


@family.read("List brand profiles")
async def list_brand_profiles(
    call: ThisCall, offset: Offset = 0, includeArchived: IncludeArchived = False
) -> BrandProfiles:
    """Return the company's brands with their ids. Use it first: most tools take a brandId, an id or exact name. For one
    brand's state use get_brand_snapshot."""
    workspace = await call.workspace()
    brands = await (workspace.brands.all() if includeArchived else workspace.brands.active())
    summaries = [BrandSummary.model_validate(summary_fields(brand)) for brand in brands]
    return BrandProfiles(brands=summaries[offset:], **place_of(len(summaries), len(summaries), offset))


@family.read("Get brand profile")
async def get_brand_profile(brandId: BrandId, brand: NamedBrand, call: ThisCall) -> BrandProfile:
    """Return one brand's profile: names, sites, competitors, and the facts that answers are checked against. For
    measurements use get_brand_snapshot."""
    workspace = await call.workspace()
    return profile_view(brand, await workspace.brands.entities(brand))


@family.read("Get competitors")
async def get_competitors(brandId: BrandId, brand: NamedBrand, call: ThisCall) -> Competitors:
    """Return the competitors that a brand is compared with. For how they rank use get_competitor_rankings."""
    workspace = await call.workspace()
    competitors = [
        _competitor_view(entity) for entity in await workspace.brands.entities(brand) if entity.key
    ]
    return Competitors(brandId=brand.id, competitors=competitors, total=len(competitors))


def summary_fields(brand: Brand) -> dict[str, object]:
    """Return the fields that every view of a profile has."""
    return {
        "id": brand.id,
        "name": brand.name,
        "industry": brand.industry,
        "website": brand.website,
        "brandVoice": brand.voice,
        "keywords": list(brand.keywords),
        "targetAudience": brand.target_audience,
        "archived": brand.archived_at is not None,
        "createdAt": brand.created_at,
        "updatedAt": brand.updated_at,
    }


def profile_view(brand: Brand, entities: list[EntityNames]) -> BrandProfile:
    """Return a profile as it is shown."""
    own = entities[0]
    return BrandProfile.model_validate(
        {
            **summary_fields(brand),
            "aliases": _written_forms(own),
            "sites": list(own.sites),
            "competitors": [_competitor_view(entity) for entity in entities[1:]],
            "categoryWords": list(brand.category_words),
            "ambiguous": is_ambiguous(own),
            "facts": brand.facts,
        }
    )


def _competitor_view(entity: EntityNames) -> CompetitorView:
    return CompetitorView(
        id=entity.id, name=entity.name, aliases=_written_forms(entity), sites=list(entity.sites)
    )


def _written_forms(entity: EntityNames) -> list[str]:
    return [alias.text for alias in entity.aliases if not alias.negative]
