"""Access logs of a brand's sites: parse lines, identify and verify AI crawlers, count visits by day."""
