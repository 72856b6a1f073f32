"""Issues and notifications that result from measurements."""
