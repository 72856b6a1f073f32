"""Settings: API keys, engine keys, connected apps."""
