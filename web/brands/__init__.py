"""Brands: all at a glance, and one opened up."""
