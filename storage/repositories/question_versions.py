"""Versions of prompt sets that measurements of a brand asked, each with its first measurement."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, func, select

from storage.queries import Query
from storage.repository import Repository
from storage.tables.prompts import prompt_sets, run_batches

B, S = run_batches.c, prompt_sets.c


@dataclass(frozen=True, slots=True)
class AskedVersion:
    """One version of a set, and when the first measurement began that asked it and succeeded."""

    set_id: str
    set_name: str
    version: int
    first: datetime


OF_BRAND = Query(
    select(S.id, S.name, B.prompt_set_version, func.min(B.created_at))
    .select_from(run_batches.join(prompt_sets, S.key == B.prompt_set_key))
    .where(
        B.company_id == bindparam("company_id"),
        B.brand_key == bindparam("brand_key"),
        B.status == "success",
        B.prompt_set_version.is_not(None),
    )
    .group_by(S.id, S.name, B.prompt_set_version)
    .order_by(func.min(B.created_at), S.id, B.prompt_set_version),
    AskedVersion,
)


class QuestionVersionRepository(Repository):
    """The versions of prompt sets that one company's brands were asked."""

    async def of_brand(self, brand_key: int) -> list[AskedVersion]:
        """Return every version that was asked about a brand, the first asked first."""
        return await self._all(OF_BRAND, brand_key=brand_key)
