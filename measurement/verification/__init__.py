"""Proves what is stored: results are calculated anew from raw answers, on demand and each night."""
