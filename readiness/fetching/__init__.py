"""SSRF-safe fetching of untrusted URLs: which are blocked, how sockets are opened, what one request may cost."""
