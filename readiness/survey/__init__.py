"""One visit to a site: which pages are asked for, what they held, and what type of site it is."""
