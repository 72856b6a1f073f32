"""The names of an entity and the ways in which a text may spell them."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Literal

from analytics.text.folding import fold

_JOINERS = re.compile("[ -]+")
_WORD_JOINERS = re.compile("(?<=[^\\W_])\u200b?[/_](?=[^\\W_])")
_INNER_CAPITAL = re.compile(r"(?<=[a-zß-ÿ]{2})(?=[A-Z][A-Za-z])")
_SPELLED_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
UMLAUTS = frozenset("äöüÄÖÜ\u0308")
_SHORTEST_JOINED = 6
_WORDS_WITH_FREE_JOINERS = 3
_CONJUNCTIONS = ("and", "und", "et", "y", "e", "en", "i", "ve", "og", "och", "ja", "и")
_SHORTEST_BARE = 3


@dataclass(frozen=True, slots=True)
class Alias:
    """One name of an entity.

    With `case="exact"` the name must occur as written. An `ambiguous` name needs a sign that the entity is
    meant. Unless a user decides, the lists of homonyms and common words determine whether a name is
    ambiguous.
    """

    text: str
    case: Literal["default", "exact"] = "default"
    ambiguous: bool | None = None


@dataclass(frozen=True, slots=True)
class Entity:
    """The brand or a competitor.

    `sites` are hosts (`acme.com`, `foo.dealeron.com`) or URL prefixes (`facebook.com/acmeauto`).
    `category_words` are the profile's industry and keywords. `negative_terms` are names of others that
    contain one of these names.
    """

    id: str
    aliases: tuple[Alias, ...]
    sites: tuple[str, ...] = ()
    category_words: tuple[str, ...] = ()
    negative_terms: tuple[str, ...] = ()


def alias_set_hash(entities: Iterable[Entity]) -> str:
    """Return `sha256:` and the digest of everything that determines mentions and owners, independent of order."""
    plain = [
        {
            "id": entity.id,
            "aliases": sorted(
                ({"text": a.text, "case": a.case, "ambiguous": a.ambiguous} for a in set(entity.aliases)),
                key=lambda alias: tuple(map(str, alias.values())),
            ),
            "sites": sorted(set(entity.sites)),
            "categoryWords": sorted(set(entity.category_words)),
            "negativeTerms": sorted(set(entity.negative_terms)),
        }
        for entity in sorted(entities, key=lambda entity: entity.id)
    ]
    canonical = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(canonical.encode("ascii")).hexdigest()


def joined_by_hyphens(text: str) -> str:
    """Return the text at the same length, with a hyphen for each slash or underscore inside a word: `acme_cars`."""
    if "/" in text or "_" in text:
        return _WORD_JOINERS.sub(lambda match: match[0][:-1] + "-", text)
    return text


def folded_name(name: str) -> str:
    """Return the folded form of a name without outer white space; empty if nothing in it is searchable."""
    return fold(joined_by_hyphens(name)).text.strip(" ")


def spellings(folded: str) -> frozenset[str]:
    """Return a folded name as written, and with a space, a hyphen or nothing between its words.

    Words are joined without a separator only if the result has at least six letters or digits. Names of more
    than three words use the same joiner throughout. A name that starts or ends with a joiner is only matched
    as written.
    """
    words = _JOINERS.split(folded)
    if len(words) == 1 or not (words[0] and words[-1]):
        return frozenset((folded,))
    joiners = [" ", "-"]
    if sum(char.isalnum() for word in words for char in word) >= _SHORTEST_JOINED:
        joiners.append("")
    if len(words) > _WORDS_WITH_FREE_JOINERS:
        return frozenset((folded, *(joiner.join(words) for joiner in joiners)))
    return frozenset((folded, *_joined(words, joiners)))


def _joined(words: list[str], joiners: list[str]) -> Iterator[str]:
    if len(words) == 2:  # the most common case
        yield from (words[0] + joiner + words[1] for joiner in joiners)
        return
    for chosen in product(joiners, repeat=len(words) - 1):
        yield words[0] + "".join(joiner + word for joiner, word in zip(chosen, words[1:], strict=True))


def written_apart(name: str) -> str:
    """Return a name with a space before each capital inside its words, as in `Demand IQ` for `DemandIQ`."""
    return _INNER_CAPITAL.sub(" ", name)


def with_spelled_umlauts(name: str) -> str:
    """Return a name with `ae`, `oe` and `ue` for its umlauts, as in `Mueller` for `Müller`."""
    return unicodedata.normalize("NFC", name).translate(_SPELLED_UMLAUTS)


def with_umlauts(folded: str) -> str:
    """Return a folded name with the folded form of an umlaut for each `ae`, `oe` and `ue`."""
    return folded.replace("ae", "a").replace("oe", "o").replace("ue", "u")


def loose_forms(folded: str) -> frozenset[str]:
    """Return other spellings of a folded name that still identify it; an entity with that exact name takes precedence.

    `Marks & Spencer` with a word for the sign, and a sign for the word; `Yahoo!` without its mark, `J. Crew`
    without its period, `McDonald's` without its apostrophe, `Toys "R" Us` without its quotes.
    """
    forms: set[str] = set()
    if "&" in folded.strip("&"):
        forms.update(folded.replace("&", f" {word} ") for word in _CONJUNCTIONS)
    for word in _CONJUNCTIONS:
        if f" {word} " in folded:
            forms.add(folded.replace(f" {word} ", "&"))
    bare = folded.rstrip("!?.")
    if bare != folded and sum(map(str.isalnum, bare)) >= _SHORTEST_BARE:
        forms.add(bare.rstrip())
    if "." in bare:
        forms |= {bare.replace(". ", " "), bare.replace(". ", "."), re.sub(r"\.(?=\w)", ". ", bare)}
        if all(len(part) == 1 for part in bare.split(".")):
            forms.add(bare.replace(".", ""))
    if "'" in folded.strip("'"):
        forms.add(folded.replace("'", ""))
    if '"' in folded:
        forms.add(folded.replace('"', ""))
    return frozenset(spelling for form in forms for spelling in spellings(form)) - {folded}
