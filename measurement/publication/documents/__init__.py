"""Typed documents of everything that is stored of a calculation: score, change, platforms, rankings, receipt."""
