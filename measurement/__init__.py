"""Turns prompts into numbers: plans, asks, extracts, calculates, publishes and verifies."""
