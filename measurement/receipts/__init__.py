"""Proves receipts: results are recomputed from raw answers, on demand and each night."""
