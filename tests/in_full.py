"""What only the full run repeats: sizes and variants that take minutes and rarely fail alone."""

import os

import pytest

IN_FULL = "SEENBY_TESTS_IN_FULL" in os.environ
in_full = pytest.mark.skipif(not IN_FULL, reason="takes a minute: SEENBY_TESTS_IN_FULL=1 runs it")
