"""Webhooks: registered by owners, signed, queued with what causes them, and delivered to public addresses only."""
