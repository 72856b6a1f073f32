"""Servers that the service is measured beside, each in a process of its own."""
