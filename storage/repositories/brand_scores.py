"""The results in force of one brand, as lists of brands show them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class BrandScore:
    """The score in force of one brand."""

    brand_id: str
    brand_name: str
    score: float | None
    status: str
    calculated_at: datetime


@dataclass(frozen=True, slots=True)
class BrandRankings(BrandScore):
    """With its rankings by platform; the empty name is all platforms together."""

    rankings: Mapping[str, Any]
    receipt: Mapping[str, Any]
