"""Opening a few pages of a site in a real browser, behind a gate that every request passes."""
