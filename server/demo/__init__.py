"""The demo's data: real brands to measure on this machine, and a synthetic market with a history."""
