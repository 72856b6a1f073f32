"""Which key a row of an archive has here while the archive is taken in, kept by the database and not in memory."""

from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import BigInteger, Column, MetaData, Table, Text, delete, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.schema import CreateTable

from storage.errors import InvalidArchive
from storage.repository import Repository
from storage.tables.columns import OF_NOBODY

PAIRS = Table(
    "archive_keys",
    MetaData(),
    Column("name", Text, primary_key=True),
    Column("old", BigInteger, primary_key=True, autoincrement=False),
    Column("new", BigInteger, nullable=False),
    prefixes=["TEMPORARY"],
    info=OF_NOBODY,
    postgresql_on_commit="DROP",
)
"""Seen by one connection only. SQLite keeps it beyond the transaction, so it is emptied before and after its use."""

MOST = 2**63 - 1


class ArchiveKeyRepository(Repository):
    """Old and new keys of the rows that one transaction takes in."""

    async def begin(self) -> None:
        """Make room. Nothing else may be asked before."""
        await self._write(CreateTable(PAIRS, if_not_exists=True))
        await self._write(delete(PAIRS))

    async def remember(self, table: str, pairs: Iterable[tuple[Any, int | None]]) -> None:
        """Keep which new key follows which old one; a row without either is referred to by nobody.

        Raises NotAnArchive when an old key comes twice.
        """
        rows = [
            {"name": table, "old": old, "new": new}
            for old, new in pairs
            if isinstance(old, int) and abs(old) <= MOST and new is not None
        ]
        if not rows:
            return
        try:
            await self._write(insert(PAIRS), rows)
        except IntegrityError as error:
            raise InvalidArchive(f"two rows of {table} have the same key") from error

    async def find(self, table: str, old: Collection[int]) -> dict[int, int]:
        """Return the new keys of a chunk of old ones; what was not taken in is missing."""
        known = [old_key for old_key in old if abs(old_key) <= MOST]
        key_rows = await self._write(
            select(PAIRS.c.old, PAIRS.c.new).where(PAIRS.c.name == table, PAIRS.c.old.in_(sorted(known)))
        )
        return {key_row.old: key_row.new for key_row in key_rows}

    async def end(self) -> None:
        """Forget all."""
        await self._write(delete(PAIRS))
