"""Tables, repositories and migrations; the only way to the rows of a company."""
