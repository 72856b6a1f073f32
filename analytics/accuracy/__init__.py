"""Claims of answers about a brand, compared with what the brand publishes."""
