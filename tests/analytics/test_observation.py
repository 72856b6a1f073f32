"""An observation says nothing about a brand that an answer does not name."""

from collections.abc import Callable
from typing import Any

import pytest

from analytics.observation import Observation

Observe = Callable[..., Observation]


@pytest.mark.parametrize("told", [{"rank": 1}, {"tone": "positive"}, {"rank": 1, "tone": "positive"}])
def test_a_brand_that_is_not_named_has_neither_rank_nor_tone(seen: Observe, told: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no rank and no tone"):
        seen("p-1", named=False, **told)
