"""Fetching strangers' URLs: which are refused, how sockets are opened, what one request may cost."""
