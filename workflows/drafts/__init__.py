"""Drafts that cite numbered facts: how they are written, checked by values and quotes, and decided by a person."""
