"""Calculates scores, changes, rankings and trend points from observations."""
