"""The annotations of brands' charts."""

from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import bindparam, delete, insert, select

from storage.ids import new_id
from storage.queries import Query
from storage.repository import Repository
from storage.tables.annotations import annotations
from storage.tables.companies import users


@dataclass(frozen=True, slots=True)
class Annotation:
    """A short text about a day, and who wrote it if they still have an account."""

    id: str
    day: date
    text: str
    author: str | None


OF_BRAND = Query(
    select(annotations.c.id, annotations.c.day, annotations.c.text, users.c.name)
    .outerjoin(users, users.c.id == annotations.c.created_by)
    .where(
        annotations.c.company_id == bindparam("company_id"),
        annotations.c.brand_key == bindparam("brand_key"),
    )
    .order_by(annotations.c.day, annotations.c.created_at, annotations.c.id),
    Annotation,
)


class AnnotationRepository(Repository):
    """The annotations of one company."""

    async def of_brand(self, brand_key: int) -> list[Annotation]:
        """Return a brand's annotations, oldest day first."""
        return await self._all(OF_BRAND, brand_key=brand_key)

    async def add(self, brand_key: int, day: date, text: str, *, created_by: str, now: datetime) -> None:
        """Store an annotation."""
        row = {
            "id": new_id(),
            "company_id": self.company_id,
            "brand_key": brand_key,
            "day": day,
            "text": text,
            "created_by": created_by,
            "created_at": now,
        }
        await self._write(insert(annotations), row)

    async def remove(self, brand_key: int, annotation_id: str) -> bool:
        """Remove an annotation of a brand; False if it has none with this ID."""
        chosen = (annotations.c.id == annotation_id) & (annotations.c.brand_key == brand_key)
        return (await self._write(delete(annotations).where(chosen))).rowcount == 1
