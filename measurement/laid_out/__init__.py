"""What publishing laid out of the answers of each batch and day, and what is read of it."""
