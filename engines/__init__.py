"""Asks one AI engine one question and returns its answer, or fails closed."""
