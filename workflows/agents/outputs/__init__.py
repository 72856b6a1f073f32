"""What agents give to the agents after them, as typed documents."""
