"""The texts that a company stands by, as drafts are held against them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownText:
    """A text that somebody stands by; `source` says which it is, `title` what it is about."""

    source: str
    text: str
    title: str = ""
