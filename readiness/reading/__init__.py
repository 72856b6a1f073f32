"""Reading what was fetched: HTML, structured data, robots.txt, sitemaps, and the facts that pages state."""
