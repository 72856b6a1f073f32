"""Row locks that transactions of one company take on purpose: always in the order company, run, brand, batch.

They are the weaker kind (FOR NO KEY UPDATE): a row that refers to the company, the run or the brand can be inserted
meanwhile. With the stronger kind a start of a run, which holds the company and refers to the brand, and a publication,
which holds the brand and refers to the company, would wait for each other.
"""

from typing import Any

from sqlalchemy import Select, select

from storage.tables.brands import brands
from storage.tables.companies import companies


def company_lock(company_id: str) -> Select[Any]:
    """Return the statement that lets one transaction at a time spend for a company; it reads the plan."""
    return select(companies.c.plan).where(companies.c.id == company_id).with_for_update(key_share=True)


def brand_lock(company_id: str, brand_key: int) -> Select[Any]:
    """Return the statement that lets one transaction at a time plan, publish or notify for a brand."""
    row = (brands.c.key == brand_key) & (brands.c.company_id == company_id)
    return select(brands.c.key).where(row).with_for_update(key_share=True)
