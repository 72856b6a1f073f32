"""The guide on every server."""
