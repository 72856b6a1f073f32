"""Sends the requests of engines: connections, retries, concurrency limits, bodies, and what is kept of an exchange."""
