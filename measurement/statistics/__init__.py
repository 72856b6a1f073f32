"""Compute what is shown about answers: filtered scores, periods, prompts, sources, comparisons and gains."""
