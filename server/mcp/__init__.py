"""MCP over HTTP and stdio: the endpoint, the methods' handlers and the public documents."""
