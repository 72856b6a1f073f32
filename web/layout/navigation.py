"""Navigation: the current brand, the other brands to switch to, and the unread count."""

from dataclasses import dataclass

from storage.workspace import Workspace

MOST_BRANDS = 30
"""Brands in the switcher. The page of all brands lists the others."""


@dataclass(frozen=True, slots=True)
class NamedBrand:
    """A brand in the switcher."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Navigation:
    """Navigation on every page of a signed-in user. `brand` is None in an empty workspace."""

    brand: NamedBrand | None
    brands: tuple[NamedBrand, ...]
    total: int
    unread: int


async def load_navigation(workspace: Workspace, wanted: str | None, unread: int) -> Navigation:
    """Return the navigation for the wanted brand, by id or name, or else the first brand that is not archived."""
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
