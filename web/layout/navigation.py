"""Navigation: the brand that a page is about, the others to switch to, and how much is unread."""

from dataclasses import dataclass

from storage.workspace import Workspace

MOST_BRANDS = 30
"""Brands in the switcher; the page of all brands has the others."""


@dataclass(frozen=True, slots=True)
class NamedBrand:
    """A brand as the switcher lists it."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Navigation:
    """What stands beside every page of a person who is signed in; `brand` is None in an empty workspace."""

    brand: NamedBrand | None
    brands: tuple[NamedBrand, ...]
    total: int
    unread: int


async def load_navigation(workspace: Workspace, wanted: str | None, unread: int) -> Navigation:
    """Return the navigation: the wanted brand, by id or name, else the first one that is not archived."""
    known = await workspace.brands.names()
    brands = [NamedBrand(brand.id, brand.name) for brand in known if not brand.archived]
    current = next(
        (NamedBrand(brand.id, brand.name) for brand in known if wanted in (brand.id, brand.name)), None
    )
    return Navigation(
        brand=current or (brands[0] if brands else None),
        brands=tuple(brands[:MOST_BRANDS]),
        total=len(brands),
        unread=unread,
    )
