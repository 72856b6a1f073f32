"""Agentic readiness: scans and reports."""
