"""Statements of a draft, held against the facts that somebody stands by (`fact_guard/6`)."""
