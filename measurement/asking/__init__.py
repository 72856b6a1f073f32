"""Asks engines and stores every exchange."""
