"""Every table of the service; importing this package fills the one metadata that migrations compare with."""

from storage.tables import (
    accounts,
    agents,
    answers,
    brands,
    companies,
    health,
    issues,
    judgements,
    monitors,
    oauth,
    prompts,
    readiness,
    results,
    runs,
    spending,
    suggestions,
)
from storage.tables.columns import metadata

__all__ = [
    "accounts",
    "agents",
    "answers",
    "brands",
    "companies",
    "health",
    "issues",
    "judgements",
    "metadata",
    "monitors",
    "oauth",
    "prompts",
    "readiness",
    "results",
    "runs",
    "spending",
    "suggestions",
]
