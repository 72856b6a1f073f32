"""Query engines and store every exchange."""
