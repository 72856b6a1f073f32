"""Verify receipts: results are recomputed from raw answers, on demand and every night."""
