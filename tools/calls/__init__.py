"""What all tools share: the table, dispatch, parameters, limits, errors and wire models."""
