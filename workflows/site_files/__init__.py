"""Files that mend what the checks of a site found, each held against the checks on a patched copy of the site."""
