"""Documents that are stored as JSON: what every one of them is, and those that rows of storage hold."""
