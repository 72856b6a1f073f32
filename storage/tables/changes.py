"""How often each company's rows changed, for caches of what was read of them."""

from sqlalchemy import BigInteger, Column, Integer, Table, Text

from storage.tables.columns import metadata

change_counts = Table(
    "change_counts",
    metadata,
    Column("company_id", Text, primary_key=True),
    Column("slot", Integer, primary_key=True, autoincrement=False),
    Column("changes", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""Transactions that changed rows of a company: their sum over slots, of which each transaction raises one."""
