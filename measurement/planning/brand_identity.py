"""How a brand is recognized: lookup by name, its entities, their compiled reader, and their fingerprint."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from analytics.matching.aliases import Alias, Entity
from measurement.errors import UnknownName
from storage.errors import RowGone
from storage.repositories.brands import Brand, EntityNames
from storage.workspace import Workspace

BRAND_KEY = 0
MOST_READERS = 400
"""Number of readers in the cache, least recently used first out: 40 KB and 2.5 ms each with five competitors."""


if TYPE_CHECKING:
    from analytics.answers.answer_reading import Reader
    from analytics.answers.citations import Ownership


@dataclass(frozen=True, slots=True)
class BrandIdentity:
    """A brand with its competitors, ready to read answers.

    `keys` maps the public ID of an entity to its stored key, 0 for the brand itself. `fingerprint` names the
    analysis revision: equal fingerprints read every answer the same way, from the text of the same `parsing`.
    """

    company_id: str
    brand: Brand
    named: tuple[EntityNames, ...]
    reader: "Reader"
    keys: Mapping[str, int]
    parsing: int
    fingerprint: str

    @property
    def versions(self) -> dict[str, str]:
        """Versions of every extraction step."""
        return dict(self.reader.versions)


@dataclass(frozen=True, slots=True)
class BrandSites:
    """A brand with its competitors, ready to attribute pages to owners; much faster to build than an identity."""

    named: tuple[EntityNames, ...]
    ownership: "Ownership"


async def sites_of(workspace: Workspace, brand: Brand) -> BrandSites:
    """Load which sites belong to the brand and to its competitors."""
    from analytics.answers.citations import Ownership

    named = tuple(await workspace.brands.entities(brand))
    return BrandSites(named, Ownership((entity_of(entity, ()) for entity in named), brand.id))


async def identify(workspace: Workspace, brand: Brand, parsing: int | None = None) -> BrandIdentity:
    """Load a brand's identity for a parsing, by default the newest.

    Raises analytics.errors.InvalidAliases if names collide.
    """
    named = tuple(await workspace.brands.entities(brand))
    words = tuple(word for word in (brand.industry or "", *brand.keywords, *brand.category_words) if word)
    reader = shared_reader(named, words, brand.id)
    parsing = brand.parsing if parsing is None else parsing
    words_of = {"parsing": str(parsing)} if parsing else {}
    versions = json.dumps({**reader.versions, **words_of}, sort_keys=True)
    fingerprint = hashlib.sha256(versions.encode()).hexdigest()
    keys = {entity.id: entity.key for entity in named}
    return BrandIdentity(workspace.company_id, brand, named, reader, keys, parsing, fingerprint)


@lru_cache(maxsize=MOST_READERS)
def shared_reader(named: tuple[EntityNames, ...], words: tuple[str, ...], brand_id: str) -> "Reader":
    """Return the cached reader of these names, since nearly every call needs the reader of a brand."""
    from analytics.answers.answer_reading import Reader  # the matcher, loaded by who reads names

    return Reader((entity_of(entity, words) for entity in named), brand_id)


def entity_of(entity: EntityNames, category_words: tuple[str, ...]) -> Entity:
    """Return an entity in the form that the matcher takes; its name is always one of its aliases."""
    aliases = tuple(alias for alias in entity.aliases if not alias.negative)
    written = {alias.text for alias in aliases}
    own = () if entity.name in written else (Alias(entity.name),)
    return Entity(
        id=entity.id,
        aliases=(*own, *(Alias(alias.text, case_of(alias.exact_case), alias.ambiguous) for alias in aliases)),
        sites=entity.sites,
        category_words=category_words,
        negative_terms=tuple(alias.text for alias in entity.aliases if alias.negative),
    )


def case_of(exact: bool) -> Literal["default", "exact"]:
    """Return the matcher's term for a case rule."""
    return "exact" if exact else "default"


async def find_brand(workspace: Workspace, name_or_id: str) -> Brand:
    """Find a brand by name or ID. Raises UnknownName with the nearest names."""
    brand = await workspace.brands.find(name_or_id)
    if brand is None:
        raise UnknownName("brand", name_or_id, [brand.name for brand in await workspace.brands.all()])
    return brand


async def refuse_deleted(workspace: Workspace, brands: Iterable[Brand], now: datetime) -> None:
    """Raise RowGone if one of these brands is gone, or its deletion may have begun."""
    left = {brand.key: brand for brand in await workspace.brands.all()}
    for brand in brands:
        delete_at = left[brand.key].delete_at if brand.key in left else now
        if delete_at is not None and delete_at <= now:
            raise RowGone
