"""Computes what is shown of published answers: filtered scores, periods, prompts, sources, comparisons and gains."""
