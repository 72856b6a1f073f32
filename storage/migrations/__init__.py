"""The schema's history, and how a database is brought up to it."""
