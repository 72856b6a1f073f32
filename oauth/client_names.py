"""Names that clients give themselves, made safe to show to a person."""

import unicodedata

LONGEST = 120


def cleaned(name: str) -> str:
    """Drop control, formatting, private and unassigned characters, among them those that turn text around."""
    kept = "".join(character for character in name if not unicodedata.category(character).startswith("C"))
    return " ".join(kept.split())
