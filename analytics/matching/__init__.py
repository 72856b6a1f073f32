"""Finds where a text names which entity, and what each hit counts for."""
