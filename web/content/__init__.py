"""Content: what a brand publishes, to list, search, read and write."""
