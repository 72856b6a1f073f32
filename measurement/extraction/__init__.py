"""Extracts mentions, ranks, citations and tone from stored answers."""
