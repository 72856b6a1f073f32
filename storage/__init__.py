"""Tables, repositories and migrations; the only door to the rows of a workspace."""
