"""Setup: from an empty workspace to a running measurement, one step at a time."""
