"""Actions: what to do about what was found, and what people decided."""
