"""Marks around the names in a quote: the brand's own and its competitors', as the profile writes them."""

import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup, escape


def mark_names(quote: str, profile: Mapping[str, Any]) -> Markup:
    """Return a quote with its names marked and without the stars of Markdown's emphasis; all of it stays text."""
    quote = remove_stars(quote)
    kinds = {name.casefold(): "rival" for rival in profile["competitors"] for name in _names(rival)}
    kinds |= {name.casefold(): "own" for name in _names(profile)}
    longest_first = sorted(kinds, key=len, reverse=True)
    names = re.compile(
        rf"(?<!\w)(?:{'|'.join(re.escape(name) for name in longest_first)})(?!\w)", re.IGNORECASE
    )
    parts: list[Markup] = []
    at = 0
    for match in names.finditer(quote):
        kind = kinds.get(match[0].casefold())
        if kind is None or not match[0]:
            continue
        parts.append(escape(quote[at : match.start()]))
        parts.append(Markup('<mark class="{}">{}</mark>').format(kind, match[0]))
        at = match.end()
    parts.append(escape(quote[at:]))
    return Markup("").join(parts)


def remove_stars(quote: str) -> str:
    """Return a quote without the stars of Markdown's emphasis; one that is cut within an emphasis stays as it is."""
    return quote.replace("**", "") if quote.count("**") % 2 == 0 else quote


def _names(entity: Mapping[str, Any]) -> list[str]:
    """Return a name and its other spellings."""
    aliases: list[Any] = entity.get("aliases") or []
    texts = (alias if isinstance(alias, str) else alias["text"] for alias in aliases)
    return [name for name in (entity["name"], *texts) if name]
