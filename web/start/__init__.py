"""Set-up: from an empty workspace to a running measurement, one question at a time."""
