"""Competitors: names to track."""
