"""Two million answers: a database of that size, every read tool on it, and what one more answer costs."""
