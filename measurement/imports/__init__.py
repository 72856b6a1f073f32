"""Import and export of answers, brands and archives as files."""
