"""Says who is calling: API keys and scopes."""
