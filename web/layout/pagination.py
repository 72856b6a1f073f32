"""Numbers of list pages: read from the address and counted."""


def parse_page_number(text: str | None) -> int:
    """Return the number of a page, from 1; anything that is no such number is the first."""
    return max(1, int(text)) if text and text.isdecimal() and len(text) < 6 else 1


def count_pages(total: int, page_size: int) -> int:
    """Return how many pages a list of `total` entries has; an empty one has one."""
    return max(1, -(-total // page_size))
