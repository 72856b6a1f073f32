"""What only the full run repeats: sizes and variants that take minutes and rarely fail alone."""

import os

import pytest

IN_FULL = "SEENBY_TESTS_IN_FULL" in os.environ
in_full = pytest.mark.skipif(not IN_FULL, reason="takes a minute: SEENBY_TESTS_IN_FULL=1 runs it")

both_in_full = pytest.mark.parametrize(
    "url", ["sqlite", pytest.param("postgresql", marks=in_full)], indirect=True
)
"""For tests through the command line, whose statements the tests of `storage` and `tools` run on both databases."""
