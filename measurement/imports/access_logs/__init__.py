"""Access logs of a brand's sites: lines read, AI crawlers told apart and verified, visits counted by day."""
