"""Create and change brand profiles, within the plan's limit and without names that two entities claim."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from analytics.errors import AliasConflict, EmptyAlias
from measurement.errors import ChangeRefused
from measurement.planning.brand_identity import identify
from measurement.planning.owned_sites import site_of_website
from measurement.planning.schedules import next_tick
from storage.errors import DuplicateRow
from storage.plans import PLANS
from storage.repositories.brands import AliasRow, Brand, BrandDraft, EntityNames
from storage.workspace import Workspace

MOST_COMPETITORS = 100
"""Limit of competitors per brand."""


@dataclass(frozen=True, slots=True)
class CompetitorInput:
    """A competitor as a user describes it."""

    name: str
    aliases: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BrandProfileInput:
    """A profile as a user describes it.

    `ambiguous` states whether the name is also an ordinary word; None leaves that to the word lists.
    """

    name: str
    aliases: tuple[str, ...] = ()
    website: str | None = None
    sites: tuple[str, ...] = ()
    industry: str | None = None
    keywords: tuple[str, ...] = ()
    voice: str | None = None
    target_audience: str | None = None
    category_words: tuple[str, ...] = ()
    ambiguous: bool | None = None
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    competitors: tuple[CompetitorInput, ...] = ()
    archived: bool = False

    def columns(self, archived_at: datetime) -> dict[str, Any]:
        """Return the profile's columns other than names and sites; `archived_at` counts only if it is archived."""
        return {
            "industry": self.industry,
            "website": self.website,
            "voice": self.voice,
            "keywords": list(self.keywords),
            "target_audience": self.target_audience,
            "category_words": list(self.category_words),
            "facts": dict(self.facts),
            "archived_at": archived_at if self.archived else None,
        }


@dataclass(frozen=True, slots=True)
class ChangedProfile:
    """A saved profile; `rereading` means that stored answers are being extracted again for its names."""

    brand: Brand
    rereading: bool


async def create_profile(writing: Workspace, profile: BrandProfileInput, now: datetime) -> Brand:
    """Store a new brand. Raises ChangeRefused, in which case nothing is stored."""
    profile = _normalize(profile)
    if not profile.archived:
        await _refuse_one_more(writing)
    try:
        brand = await writing.brands.create(
            _draft(profile, ()),
            [_competitor_draft(rival, ()) for rival in profile.competitors],
            profile.columns(now),
            now,
        )
    except DuplicateRow as taken:
        raise _name_taken() from taken
    await _fingerprint(writing, brand)
    return brand


async def _refuse_one_more(writing: Workspace) -> None:
    """Enforce the plan's limit of brands, one change at a time; archived brands do not count."""
    plan = PLANS[await writing.credits.lock()]
    if await writing.brands.count() >= plan.brands:
        raise ChangeRefused(
            f"the {plan.name} plan has room for {plan.brands} brand{'s' if plan.brands > 1 else ''}",
            "Change or archive a brand with update_brand_profile, or ask the operator for a larger plan.",
        )


async def change_profile(
    writing: Workspace,
    brand: Brand,
    changes: Mapping[str, Any],
    now: datetime,
    added: Sequence[CompetitorInput] = (),
) -> ChangedProfile:
    """Change the given fields of a profile, by their names in BrandProfileInput, and keep the rest.

    `added` competitors join the existing ones. Raises ChangeRefused, in which case nothing is stored. Name
    rules that a user cannot set here (exact case, names that only look similar) stay with their names.
    """
    entities = await writing.brands.entities(brand)
    before = await _fingerprint(writing, brand)
    described = replace(describe_profile(brand, entities), **changes)
    profile = _normalize(replace(described, competitors=join_competitors(described.competitors, added)))
    if brand.delete_at is not None and not profile.archived:
        raise ChangeRefused(
            f"archived: {brand.name} is to be deleted on {brand.delete_at.date()}",
            "An owner can keep it until then: Settings, Data.",
        )
    if brand.archived_at is not None and not profile.archived:
        await _refuse_one_more(writing)
    own, rivals = entities[0], {entity.name.casefold(): entity for entity in entities[1:]}
    drafts = [
        _competitor_draft(rival, known.aliases if (known := rivals.get(rival.name.casefold())) else ())
        for rival in profile.competitors
    ]
    try:
        saved = await writing.brands.change(
            brand, _draft(profile, own.aliases), drafts, profile.columns(brand.archived_at or now), now
        )
    except DuplicateRow as taken:
        raise _name_taken() from taken
    if (brand.archived_at is None) == profile.archived:
        await _reschedule(writing, saved, now)
    changed = await _fingerprint(writing, saved) != before
    return ChangedProfile(saved, changed and saved.revision_key is not None)


async def _reschedule(writing: Workspace, brand: Brand, now: datetime) -> None:
    """Skip everything that came due while a brand was archived, so it does not run when the brand is restored."""
    await writing.monitors.unschedule(brand.key)
    if brand.archived_at is not None:
        return
    for prompt_set in await writing.prompt_sets.scheduled_for(brand.key):
        if prompt_set.schedule is not None:
            following = next_tick(prompt_set.schedule, now, prompt_set.timezone)
            await writing.prompt_sets.claim_tick(prompt_set, following)
    for assignment in await writing.agents.scheduled_for(brand.key):
        if assignment.schedule is not None:
            await writing.agents.claim_tick(assignment, next_tick(assignment.schedule, now))


def join_competitors(
    known: Sequence[CompetitorInput], added: Sequence[CompetitorInput]
) -> tuple[CompetitorInput, ...]:
    """Merge competitors, each name once; a known competitor gains the names and sites of its addition.

    Raises ChangeRefused if there are too many.
    """
    joined = {rival.name.casefold(): rival for rival in known}
    for rival in added:
        present = joined.get(rival.name.casefold())
        joined[rival.name.casefold()] = (
            replace(
                present,
                aliases=tuple(dict.fromkeys((*present.aliases, *rival.aliases))),
                sites=tuple(dict.fromkeys((*present.sites, *rival.sites))),
            )
            if present
            else rival
        )
    if added and len(joined) > MOST_COMPETITORS:
        raise ChangeRefused(
            f"addCompetitors: a brand has at most {MOST_COMPETITORS} competitors",
            "Send competitors, the whole list, without those that matter least.",
        )
    return tuple(joined.values())


def describe_profile(brand: Brand, entities: Sequence[EntityNames]) -> BrandProfileInput:
    """Return a stored profile as a user would describe it."""
    own, *rivals = entities
    return BrandProfileInput(
        name=brand.name,
        aliases=_other_names(own),
        website=brand.website,
        sites=own.sites,
        industry=brand.industry,
        keywords=tuple(brand.keywords),
        voice=brand.voice,
        target_audience=brand.target_audience,
        category_words=tuple(brand.category_words),
        ambiguous=next((alias.ambiguous for alias in own.aliases if alias.text == own.name), None),
        facts=brand.facts,
        competitors=tuple(CompetitorInput(rival.name, _other_names(rival), rival.sites) for rival in rivals),
        archived=brand.archived_at is not None,
    )


def is_ambiguous(entity: EntityNames) -> bool:
    """Return whether the name itself counts only beside other signs of the brand."""
    return any(bool(alias.ambiguous) for alias in entity.aliases if alias.text == entity.name)


def _other_names(entity: EntityNames) -> tuple[str, ...]:
    return tuple(alias.text for alias in entity.aliases if not alias.negative and alias.text != entity.name)


def _normalize(profile: BrandProfileInput) -> BrandProfileInput:
    """Normalize the profile's sites for comparison; without any, the site of its website is its own.

    Raises ChangeRefused for duplicate names or invalid sites.
    """
    names = [profile.name, *(rival.name for rival in profile.competitors)]
    for number, name in enumerate(names):
        if name.casefold() in {other.casefold() for other in names[:number]}:
            raise ChangeRefused(
                f"competitors: {name!r} is there twice, or is the brand itself", "Send each name once."
            )
    website = _website(profile.website)
    return replace(
        profile,
        website=website,
        sites=_sites(profile.sites) or site_of_website(website),
        competitors=tuple(replace(rival, sites=_sites(rival.sites)) for rival in profile.competitors),
    )


def _website(address: str | None) -> str | None:
    if not address:
        return None
    url = address if "://" in address else f"https://{address}"
    _host_and_path(url, "website")
    return url


def _sites(addresses: Sequence[str]) -> tuple[str, ...]:
    """Return hosts, with a path where one is given, without duplicates."""
    return tuple(dict.fromkeys(_host_and_path(address, "sites") for address in addresses))


def _host_and_path(address: str, parameter: str) -> str:
    try:
        parts = urlsplit(address if "://" in address else f"https://{address}")
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        host, parts = "", urlsplit("https:")
    if parts.scheme not in ("http", "https") or "." not in host.strip(".") or " " in address:
        raise ChangeRefused(
            f"{parameter}: {address[:100]!r} is no web address", "Send a host such as www.example.com."
        )
    return f"{host}{parts.path.rstrip('/')}"


def _draft(profile: BrandProfileInput, known: Sequence[AliasRow]) -> BrandDraft:
    aliases = _alias_rows((profile.name, *profile.aliases), known)
    own = next(place for place, alias in enumerate(aliases) if alias.text == profile.name)
    aliases[own] = replace(aliases[own], ambiguous=profile.ambiguous)
    return BrandDraft(profile.name, tuple(aliases), profile.sites)


def _competitor_draft(rival: CompetitorInput, known: Sequence[AliasRow]) -> BrandDraft:
    return BrandDraft(rival.name, tuple(_alias_rows((rival.name, *rival.aliases), known)), rival.sites)


def _alias_rows(names: Sequence[str], known: Sequence[AliasRow]) -> list[AliasRow]:
    """Return the names without duplicates, with their known rules, and the names that only look similar."""
    rules = {alias.text: alias for alias in known if not alias.negative}
    rows = [rules.get(name) or AliasRow(name) for name in dict.fromkeys(names)]
    return [*rows, *(alias for alias in known if alias.negative)]


async def _fingerprint(writing: Workspace, brand: Brand) -> str:
    """Return the fingerprint of the reader. Raises ChangeRefused if names collide or cannot be searched for."""
    try:
        return (await identify(writing, brand)).fingerprint
    except EmptyAlias as error:
        raise ChangeRefused(
            f'names: "{error.name}" holds no letter and no digit that could be searched for',
            "Send other names.",
        ) from error
    except AliasConflict as error:
        raise ChangeRefused(
            f'names: "{error.name}" is claimed by two of brand and competitors', "Send other names."
        ) from error


def _name_taken() -> ChangeRefused:
    return ChangeRefused(
        "name: another brand has this name",
        "Send another name. Call list_brand_profiles with includeArchived for those there are.",
    )
