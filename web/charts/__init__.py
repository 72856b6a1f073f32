"""Charts: small drawings as inline SVG, made on the server."""
