"""What one page is made of, as a brief keeps it."""

from storage.documents.document import StoredDocument


class PageOutline(StoredDocument):
    """What one page is made of; headings, prices and `answer` are its own words, `updated` is a day (ISO 8601)."""

    words: int
    headings: tuple[str, ...]
    lists: int
    tables: int
    prices: tuple[str, ...]
    types: tuple[str, ...]
    updated: str | None
    answer: str | None
