"""Shorter names that answers use for a company, proposed for a person to accept."""

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Final

from analytics.matching.aliases import folded_name
from analytics.text.suffixes import registrable_domain

_ARTICLE = re.compile(r"^(?:the|die|der|das|les?|la|el|los|il)\s+(?=\S)", re.IGNORECASE)
_GROUP = re.compile(
    r"(?<![\s-])[\s-]{1,3}(?:group|holdings?|gruppe|groupe|grupo|gruppo|groep|grupa)$", re.IGNORECASE
)
_FEWEST_LETTERS: Final = 2
_without_legal_form: Callable[[str], str] = import_module("cleanco").basename
"""From a package without types."""


def proposed_aliases(name: str, website: str = "") -> list[str]:
    """Return the names that a company may be called by, in the order in which answers shorten it, without its own.

    `The Acme Group LLC` is also `The Acme Group` (legal forms as listed by cleanco), `Acme Group` and `Acme`; one whose
    site has its name is also called by its address (`acme.com`). Spellings that the matcher already reads, such as
    `Mueller` for `Müller`, are not proposed.
    """
    seen = {folded_name(name), ""}
    proposed: list[str] = []
    for shorter in (*_shorter(name), *_site_name(name, website)):
        folded = folded_name(shorter)
        if folded not in seen and sum(map(str.isalnum, folded)) >= _FEWEST_LETTERS:
            seen.add(folded)
            proposed.append(shorter)
    return proposed


def _shorter(name: str) -> Iterator[str]:
    for part in (None, _ARTICLE, _GROUP):
        name = (part.sub("", name) if part else _without_legal_form(name)).strip(" ,;-&")
        yield name


def _site_name(name: str, website: str) -> Iterator[str]:
    host = re.sub(r"^[a-z]+://", "", website.strip().casefold()).split("/", 1)[0].split(":", 1)[0]
    domain = registrable_domain(host) if host else None
    letters = "".join(char for char in folded_name(name) if char.isalnum())
    if domain is not None and letters.startswith(re.sub(r"\W", "", domain.split(".", 1)[0])):
        yield domain
