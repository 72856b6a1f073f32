"""Running scans for companies and keeping how they ended."""
