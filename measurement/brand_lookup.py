"""Finds a brand by what people call it."""

from measurement.errors import UnknownName
from storage.repositories.brands import Brand
from storage.workspace import Workspace


async def find_brand(workspace: Workspace, name_or_id: str) -> Brand:
    """Find a brand. Raises UnknownName with the nearest ones."""
    brand = await workspace.brands.find(name_or_id)
    if brand is None:
        raise UnknownName("brand", name_or_id, [brand.name for brand in await workspace.brands.all()])
    return brand
