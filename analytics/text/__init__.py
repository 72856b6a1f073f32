"""Text as names are searched in it: folded, cut into sentences, its scripts, language and domains."""
