"""Navigation: the brand that a page is about, the others to switch to, and how much is unread."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from web.errors import Throttled

if TYPE_CHECKING:
    from web.request import PageRequest

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


async def load_navigation(request: "PageRequest") -> Navigation:
    """Return the navigation: the brand of the address, else the first one there is."""
    workspace = request.services.database.workspace(request.signed_in.company_id)
    brands = [NamedBrand(brand.id, brand.name) for brand in await workspace.brands.all()]
    wanted = request.brand_id or request.http.path_params.get("brand_id")
    wanted = wanted or request.http.query_params.get("brand")
    current = next((brand for brand in brands if wanted in (brand.id, brand.name)), None)
    try:
        listed = await request.call_tool("list_notifications", limit=1, onlyUnread=True)
    except Throttled:
        listed = None
    return Navigation(
        brand=current or (brands[0] if brands else None),
        brands=tuple(brands[:MOST_BRANDS]),
        total=len(brands),
        unread=listed["total"] if listed else 0,
    )
