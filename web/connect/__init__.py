"""Connecting clients."""
