"""What every HTTP request passes, whatever it asks for: origins, addresses, log lines, metrics, health."""
