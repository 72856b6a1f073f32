"""Pure arithmetic from answers to mentions, scores, ranks and trends; no I/O and no clock."""
