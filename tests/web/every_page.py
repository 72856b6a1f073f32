"""The pages of the application by their routes: which addresses are pages, and which page an address is of."""

import re

FILES = re.compile(r"\.(?:csv|json|jsonl|md|html|toml|txt|png|svg)$|/events$")
"""What is loaded or kept and not looked at."""
NAMED = re.compile(r"\{\w+\}")


def is_page(path: str) -> bool:
    """Whether a route shows a page."""
    return FILES.search(path) is None


def pattern_of(path: str) -> re.Pattern[str]:
    """The addresses of a route; what it names never stands for a word of another route."""
    parts = NAMED.split(path)
    return re.compile(r"(?!new(?:/|$))[^/?]+".join(map(re.escape, parts)))
