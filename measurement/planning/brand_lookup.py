"""Finds a brand by what people call it, and tells whether it is still there."""

from collections.abc import Iterable
from datetime import datetime

from measurement.errors import UnknownName
from storage.errors import RowGone
from storage.repositories.brands import Brand
from storage.workspace import Workspace


async def find_brand(workspace: Workspace, name_or_id: str) -> Brand:
    """Find a brand. Raises UnknownName with the nearest ones."""
    brand = await workspace.brands.find(name_or_id)
    if brand is None:
        raise UnknownName("brand", name_or_id, [brand.name for brand in await workspace.brands.all()])
    return brand


async def refuse_deleted(workspace: Workspace, brands: Iterable[Brand], now: datetime) -> None:
    """Raise RowGone when one of these brands is gone, or its deletion may have begun."""
    left = {brand.key: brand for brand in await workspace.brands.all()}
    for brand in brands:
        delete_at = left[brand.key].delete_at if brand.key in left else now
        if delete_at is not None and delete_at <= now:
            raise RowGone
