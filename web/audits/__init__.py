"""Matching audits: a person checks how a sample of answers was read."""
