"""How commands are called, one module per group of them; what they do is in `server.commands`, loaded when called."""
