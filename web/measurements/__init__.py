"""Measurements while they run."""
