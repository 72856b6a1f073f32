"""Copies of the whole database that are consistent while it is written to, and how they come back."""
