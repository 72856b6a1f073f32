"""Calculates a settled batch and publishes it in one transaction."""
