"""An observation says nothing about a brand that an answer does not name."""

from collections.abc import Callable

import pytest

from analytics.observation import Observation

Observe = Callable[..., Observation]


def test_a_brand_that_is_not_named_has_no_rank(seen: Observe) -> None:
    with pytest.raises(ValueError, match="has no rank"):
        seen("p-1", named=False, rank=1)
