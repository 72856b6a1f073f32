"""Versions of prompt sets that measurements of a brand asked, each with its first measurement."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, func, select

from storage.queries import Query
from storage.repository import Repository
from storage.tables.prompts import prompt_sets, run_batches


@dataclass(frozen=True, slots=True)
class AskedVersion:
    """One version of a set, and when the first measurement began that asked it and succeeded."""

    set_id: str
    set_name: str
    version: int
    first: datetime


OF_BRAND = Query(
    select(
        prompt_sets.c.id,
        prompt_sets.c.name,
        run_batches.c.prompt_set_version,
        func.min(run_batches.c.created_at),
    )
    .select_from(run_batches.join(prompt_sets, prompt_sets.c.key == run_batches.c.prompt_set_key))
    .where(
        run_batches.c.company_id == bindparam("company_id"),
        run_batches.c.brand_key == bindparam("brand_key"),
        run_batches.c.status == "success",
        run_batches.c.prompt_set_version.is_not(None),
    )
    .group_by(prompt_sets.c.id, prompt_sets.c.name, run_batches.c.prompt_set_version)
    .order_by(func.min(run_batches.c.created_at), prompt_sets.c.id, run_batches.c.prompt_set_version),
    AskedVersion,
)


class QuestionVersionRepository(Repository):
    """The versions of prompt sets that one company's brands were asked."""

    async def of_brand(self, brand_key: int) -> list[AskedVersion]:
        """Return every version that was asked about a brand, the first asked first."""
        return await self._all(OF_BRAND, brand_key=brand_key)
