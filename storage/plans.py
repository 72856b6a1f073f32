"""The plans of companies: what each allows, as data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class CompanyPlan:
    """What a company may use; `credits` are per calendar month in UTC, `running` counts pending runs too."""

    name: str
    credits: int
    running: int
    brands: int
    prompts: int
    agents: int
    scans: int


UNLIMITED = "unlimited"
"""The plan of an installation whose operator sets no limits."""
NO_LIMIT = 1_000_000_000
PLANS: Mapping[str, CompanyPlan] = MappingProxyType(
    {
        plan.name: plan
        for plan in (
            CompanyPlan("free", credits=30, running=1, brands=1, prompts=25, agents=2, scans=5),
            CompanyPlan("growth", credits=400, running=3, brands=10, prompts=300, agents=20, scans=50),
            CompanyPlan("scale", credits=3000, running=8, brands=100, prompts=5000, agents=200, scans=500),
            CompanyPlan(UNLIMITED, NO_LIMIT, NO_LIMIT, NO_LIMIT, NO_LIMIT, NO_LIMIT, NO_LIMIT),
        )
    }
)
"""The plans, smallest first."""


def covers(plan: str, plans: Sequence[str]) -> bool:
    """Return whether a plan has what these plans have."""
    return plan == UNLIMITED or plan in plans
