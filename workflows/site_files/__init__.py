"""Files that fix failed site checks, each verified on a patched copy of the site."""
