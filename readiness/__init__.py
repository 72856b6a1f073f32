"""Fetches a public site safely and grades, with evidence, how well an AI agent can find, read and use it."""
