"""Security of pages: cookies, sessions, known browsers, forms."""
