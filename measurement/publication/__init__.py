"""Publishes a settled batch in one transaction."""
