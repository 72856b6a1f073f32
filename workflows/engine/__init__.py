"""The durable engine that executes runs; nothing else knows which engine that is."""
