"""Extracts mentions, ranks and citations from stored answers."""
