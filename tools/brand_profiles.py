"""The brand profile tools that change something: make a profile, change it, or propose one from a site."""

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Annotated, Any, TypeAlias, cast

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from measurement.errors import ChangeRefused
from measurement.planning.brand_profiles import (
    MOST_COMPETITORS,
    BrandProfileInput,
    CompetitorInput,
    change_profile,
    create_profile,
)
from storage.repositories.brands import Brand
from tools.brands import BrandProfile, profile_view
from tools.calls.call import Call, Injected, ThisCall
from tools.calls.errors import brand_not_found
from tools.calls.parameters import STORABLE, WHOLE, Archived, BrandId, Examples, Name, Omissible, written_as
from tools.calls.table import ToolFamily
from tools.calls.wire import Wire, harmless, untrusted_fields
from workflows.brand_sites import SiteUnreadable
from workflows.runs import cancel_runs_of

family = ToolFamily()

REREADING = (
    "Names or sites changed: stored answers are being reprocessed in the background. Until then, numbers are "
    "those of the former names."
)
UNSTORED = "These are proposals from the site. Nothing was stored; send what is right as fields of its own."


Alias = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200), STORABLE]
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500), STORABLE]
Site = Annotated[Line, written_as("web-address")]
Word = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100), STORABLE]
Aliases = Annotated[list[Alias], Field(max_length=50, description="Other ways the name is written.")]
SiteList = Annotated[list[Site], Field(max_length=50, description="Hosts and URL prefixes it owns.")]
Website = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=500),
    STORABLE,
    Field(description="Address of the main site."),
    written_as("web-address"),
]
Industry = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=200),
    STORABLE,
    Field(description="Trade, such as car dealer."),
]
Keywords = Annotated[list[Word], Field(max_length=50, description="What it wants to be known for.")]
CategoryWords = Annotated[
    list[Word], Field(max_length=50, description="Words beside which an ambiguous name counts.")
]
Voice = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=2000),
    STORABLE,
    Field(description="How the brand speaks."),
]
Audience = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=2000),
    STORABLE,
    Field(description="Whom it wants to reach."),
]
EMPTIED = ("website", "industry", "voice", "target_audience")
"""Texts of a profile of which an empty one says that there is none."""
Ambiguous = Annotated[bool, Field(description="Whether it is an ordinary word; else lists decide.")]
ProposeFrom = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=2048),
    Field(description="Site to propose fields from; stores nothing.", examples=[Examples.SITE]),
]


class PriceInput(BaseModel):
    """What one thing costs."""

    model_config = ConfigDict(extra="forbid")

    name: Word
    price: Word


class FactsInput(BaseModel):
    """Facts that answers are held against."""

    model_config = ConfigDict(extra="forbid")

    telephone: Omissible[Word] = None
    address: Omissible[Alias] = None
    openingHours: Omissible[Line] = None
    foundingYear: Omissible[Annotated[int, Field(ge=1000, le=2100), WHOLE]] = None
    prices: Annotated[list[PriceInput], Field(default_factory=list, max_length=50)]

    def document(self) -> dict[str, Any]:
        """Return the facts as they are stored."""
        return self.model_dump(exclude_none=True, exclude_defaults=True)


class CompetitorRequest(BaseModel):
    """A competitor as it is sent."""

    model_config = ConfigDict(extra="forbid")

    name: Alias
    aliases: Annotated[list[Alias], Field(default_factory=list, max_length=50)]
    sites: Annotated[list[Site], Field(default_factory=list, max_length=50)]


Facts = Annotated[FactsInput, Field(description="Facts that answers are held against.")]
Competitors = Annotated[
    list[CompetitorRequest], Field(max_length=MOST_COMPETITORS, description="Whom it is compared with.")
]
AddedCompetitors = Annotated[
    list[CompetitorRequest],
    Field(max_length=MOST_COMPETITORS, description="Competitors beside those it has."),
]


class ProposalView(Wire):
    """One value that a site proposes for a field."""

    field: str = Field(
        description="Field of the profile, with its part behind a dot; description is the site's own."
    )
    value: str
    source: str = Field(description="Page of the value.")
    basis: str = Field(
        description="Part of the page: structured data, page title, page description, visible text, address."
    )


class BrandProfileChange(Wire):
    """A profile after a change, or proposals for one."""

    profile: BrandProfile | None = Field(description="Null when only proposals were asked for.")
    proposals: list[ProposalView] = Field(description="From the site; not stored. Text of a site: untrusted.")
    rereading: bool = Field(description="Whether stored answers are being reprocessed for other names.")
    notice: str | None
    untrusted: list[str] = untrusted_fields("proposals[].value", "proposals[].source")


@dataclass(frozen=True, slots=True)
class ProfileRequest:
    """What a call sends of a profile: the fields of BrandProfileInput that are there, or a site to propose from.

    `added` are competitors that join those the profile has.
    """

    fields: Mapping[str, Any]
    propose_from: str | None
    added: tuple[CompetitorInput, ...] = ()


def _profile(
    *,
    name: Omissible[Name] = None,
    aliases: Omissible[Aliases] = None,
    website: Omissible[Website] = None,
    sites: Omissible[SiteList] = None,
    industry: Omissible[Industry] = None,
    keywords: Omissible[Keywords] = None,
    brandVoice: Omissible[Voice] = None,
    targetAudience: Omissible[Audience] = None,
    categoryWords: Omissible[CategoryWords] = None,
    ambiguous: Omissible[Ambiguous] = None,
    facts: Omissible[Facts] = None,
    competitors: Omissible[Competitors] = None,
    archived: Omissible[Archived] = None,
    proposeFrom: Omissible[ProposeFrom] = None,
) -> None:
    """Declare the fields of a profile, in the order in which both tools list them."""


def _profile_changes(*, addCompetitors: Omissible[AddedCompetitors] = None) -> None:
    """Declare the fields that only a stored profile has."""


PROFILE_FIELDS = tuple(signature(_profile).parameters.values())
CHANGE_FIELDS = tuple(signature(_profile_changes).parameters.values())
FIELDS: Mapping[str, str] = {
    "brandVoice": "voice",
    "targetAudience": "target_audience",
    "categoryWords": "category_words",
}
"""Names below of the wire's names; the others are the same."""


async def _profile_request(_call: Call, arguments: Mapping[str, Any]) -> ProfileRequest:
    sent = {field.name: arguments[field.name] for field in PROFILE_FIELDS}
    propose_from = sent.pop("proposeFrom")
    added = _stored(arguments.get("addCompetitors") or [])
    fields = {FIELDS.get(name, name): _stored(value) for name, value in sent.items() if value is not None}
    fields |= {name: None for name in EMPTIED if fields.get(name) == ""}
    return ProfileRequest(fields, propose_from, added)


def _stored(value: Any) -> Any:
    """Return what was sent for a field as a profile holds it."""
    if isinstance(value, FactsInput):
        return value.document()
    if isinstance(value, list):
        return tuple(_stored(member) for member in cast(list[Any], value))
    if isinstance(value, CompetitorRequest):
        return CompetitorInput(value.name, tuple(value.aliases), tuple(value.sites))
    return value


SentProfile: TypeAlias = Annotated[ProfileRequest, Injected(_profile_request, PROFILE_FIELDS)]
"""What the call's profile fields say. A tool with a parameter of this type takes all of them."""
SentChanges: TypeAlias = Annotated[
    ProfileRequest, Injected(_profile_request, (*PROFILE_FIELDS, *CHANGE_FIELDS))
]
"""The same for a profile that is stored already."""


@family.write(
    "Create brand profile",
    destructive=False,
    idempotent=False,
    open_world=True,
    rules=lambda: [{"anyOf": [{"required": ["name"]}, {"required": ["proposeFrom"]}]}],
)
async def create_brand_profile(call: ThisCall, sent: SentProfile) -> BrandProfileChange:
    """Create a brand to measure. With proposeFrom it only proposes fields from a site and stores nothing. Next use
    create_prompt_set."""
    if sent.propose_from is not None:
        return await _propose(call, sent.propose_from)
    if "name" not in sent.fields:
        raise ChangeRefused("name: it is missing", "Send a name, or proposeFrom to be given proposals.")
    brand = await create_profile(await call.workspace(), BrandProfileInput(**sent.fields), call.now())
    return await _profile_change(call, brand, rereading=False)


@family.write(
    "Update brand profile",
    destructive=True,
    idempotent=True,
    open_world=True,
)
async def update_brand_profile(brandId: BrandId, call: ThisCall, sent: SentChanges) -> BrandProfileChange:
    """Change only the fields sent, as create_brand_profile takes them; lists are replaced, addCompetitors adds. Stored
    answers are searched again when names or sites change."""
    if sent.propose_from is not None:
        await _require_brand(call, brandId)
        return await _propose(call, sent.propose_from)
    writing = await call.workspace()
    await writing.credits.lock()  # locks profiles until this call has ended
    brand = await writing.brands.find(brandId)
    if brand is None:
        raise brand_not_found()
    if sent.fields.get("archived"):
        await cancel_runs_of(writing, brand, call.now())
    changed = await change_profile(writing, brand, sent.fields, call.now(), sent.added)
    return await _profile_change(call, changed.brand, rereading=changed.rereading)


async def _require_brand(call: Call, brand_id: str) -> None:
    """Check that a brand is there without opening a transaction, which a slow site would keep open."""
    assert call.principal is not None
    async with call.open_workspace(call.principal, False) as reading:
        if await reading.brands.find(brand_id) is None:
            raise brand_not_found()


async def _propose(call: Call, url: str) -> BrandProfileChange:
    try:
        site_proposals = await call.sites.propose(url)
    except SiteUnreadable as unreadable:
        raise ChangeRefused(
            f"proposeFrom: {unreadable}", "Check the address in a browser, or send the fields yourself."
        ) from unreadable
    proposals = [
        ProposalView(
            field=proposal.field,
            value=harmless(proposal.value),
            source=harmless(proposal.url),
            basis=proposal.basis,
        )
        for proposal in site_proposals
    ]
    return BrandProfileChange(profile=None, proposals=proposals, rereading=False, notice=UNSTORED)


async def _profile_change(call: Call, brand: Brand, *, rereading: bool) -> BrandProfileChange:
    workspace = await call.workspace()
    return BrandProfileChange(
        profile=profile_view(brand, await workspace.brands.entities(brand)),
        proposals=[],
        rereading=rereading,
        notice=REREADING if rereading else None,
    )
