"""Pages for people: sign-up, settings, connecting clients; the numbers come from the same dispatch."""
