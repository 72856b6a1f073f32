"""Builds the service from settings and serves it; the only place that knows all the other packages."""
