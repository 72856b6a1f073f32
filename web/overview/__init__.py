"""Overview: how a brand stands, whether that changed, and what to do next."""
