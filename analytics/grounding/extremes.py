"""What is said to be the smallest or the largest of a company's own things, and whether facts make it so."""

import re
from collections.abc import Sequence
from typing import Final

from analytics.grounding.claims import DraftClaim
from analytics.grounding.draft_sentences import DraftSentence
from analytics.grounding.fact_lines import FactLine
from analytics.grounding.measures import SPACE

_LEAST: Final = re.compile(
    r"\b(?:smallest|shortest|lowest|narrowest|kleinste[nrsm]?|kurzeste[nrsm]?|niedrigste[nrsm]?|schmalste[nrsm]?"
    r"|plus (?:petit|court|bas|etroit)\w*|mas (?:pequen|cort|baj|estrech)\w+|piu (?:piccol|cort|bass|strett)\w+"
    r"|kortste|laagste|smalste)\b"
)
_MOST: Final = re.compile(
    r"\b(?:largest|biggest|longest|highest|tallest|widest|deepest|großte[nrsm]?|langste[nrsm]?|hochste[nrsm]?|breiteste[nrsm]?"
    r"|tiefste[nrsm]?|plus (?:grand|long|haut|large|profond)\w*|mas (?:grand|larg|alt|anch|profund)\w+"
    r"|piu (?:grand|lung|alt|largh?|profond)\w+|grootste|hoogste|breedste|diepste)\b"
)
_OUR: Final = re.compile(r"\b(?:our|unser\w{0,2}|notre|nos|nuestr[oa]s?|nostr[oaie]|onze?|ons) \Z")
_BEFORE: Final = 12


def is_of_own_range(claim: DraftClaim, sentence: DraftSentence) -> bool:
    """Tell whether a superlative only names an end of the company's own range and its part gives the size."""
    flat = sentence.flat
    if _OUR.search(flat, max(0, claim.start - _BEFORE), claim.start) is None:
        return False
    low, high = next(part for part in sentence.parts if part[0] <= claim.start < part[1])
    return (_LEAST.search(flat, low, high) or _MOST.search(flat, low, high)) is not None and any(
        _is_size(other) and low <= other.start < high for other in sentence.claims
    )


def is_as_extreme(
    line: FactLine, lines: Sequence[FactLine], claim: DraftClaim, sentence: DraftSentence
) -> bool:
    """Tell whether a fact's size is an end of what facts say of the same things, if a sentence calls it one.

    A fact that calls it so itself needs no other size beside it.
    """
    low, high = next(part for part in sentence.parts if part[0] <= claim.start < part[1])
    if not _is_size(claim):
        return True
    things = [word for word in sentence.words if not word.plain and low <= word.start < high]
    things = things or [word for word in sentence.words if not word.plain]
    for extreme, end in ((_LEAST, min), (_MOST, max)):
        if extreme.search(sentence.flat, low, high) is None or extreme.search(line.flat):
            continue
        sizes = {
            other.claim.value[0]
            for other in lines
            if isinstance(other.claim.value, tuple)
            and other.claim.value[0] is not None
            and any(map(other.around.holds, things))
        }
        if len(sizes) < 2 or not isinstance(line.claim.value, tuple) or line.claim.value[0] != end(sizes):
            return False
    return True


def _is_size(claim: DraftClaim) -> bool:
    return claim.kind == "number" and isinstance(claim.value, tuple) and claim.value[1] in SPACE
