"""How a number of a flat text is bounded, `more than`, `from`, and what an amount is counted for, `a month`."""

import re

from analytics.grounding import lexicon
from analytics.grounding.claims import DraftClaim
from analytics.grounding.measures import SPACE

_SIZED = re.compile(
    r"\b(?:measur(?:es?|ing)|covers?|covering|spans?|(?:ris(?:es?|ing)|com(?:es?|ing)) to|reach(?:es|ing)?|misst|messen"
    r"|umfass(?:t|en)|erreich(?:t|en)|mesur(?:e|ent|ant)|couvr\w+|atteint|miden?|ocupan?|alcanzan?|misura(?:no)?|occupa(?:no)?"
    r"|raggiung\w+|meet|meten|beslaa[nt])\s\Z"
)
"""What gives a thing its size."""
_SPREAD = re.compile(r"\b(?:over|uber|oltre)\s\Z")
_DIVIDED = re.compile(
    r"\b(?:spread|divid\w*|split|stretch\w*|verteil\w*|streck\w*)\b[^.!?;]{0,30}\b(?:over|uber)\s\Z"
)
_DIVIDED_BEFORE = 48
_RANGE_BEHIND = re.compile(r"(?:-|\s(?:to|bis|a|tot|and|und|e|en)\s)[€$£]?\w")
_PER_UNITS = {unit: re.compile(pattern) for unit, pattern in lexicon.PER_UNITS.items()}


def bound_of(flat: str, claim: DraftClaim) -> str | None:
    """Return which bound stands before a number: `over`, `under`, `least` or `from`; None for the number itself."""
    before = flat[max(0, claim.start - 24) : claim.start]
    bound = next((name for name, pattern in lexicon.BOUNDS.items() if pattern.search(before)), None)
    if bound == "over" and (
        (_SPREAD.search(before) and _RANGE_BEHIND.match(flat, claim.end))
        or _DIVIDED.search(flat, max(0, claim.start - _DIVIDED_BEFORE), claim.start)
    ):
        bound = None  # over two to five years is how long, not how much more
    if bound is None and lexicon.OR_MORE.match(flat, claim.end):
        return "from"
    return bound or ("from" if lexicon.FROM.search(before) else None)


def bounding_words(flat: str, claim: DraftClaim) -> str:
    """Return what stands before a number to bound it, `more than `; an empty text without such words."""
    before = flat[max(0, claim.start - 24) : claim.start]
    if claim.kind not in ("number", "amount", "share") or not isinstance(claim.value, tuple):
        return ""
    patterns = (*lexicon.BOUNDS.values(), *((_SIZED,) if claim.value[1] in SPACE else ()))
    return next((match[0] for pattern in patterns if (match := pattern.search(before))), "")


def per_unit(flat: str, claim: DraftClaim) -> str | None:
    """Return what an amount is counted for, as in `a month`; None when that is not said behind it."""
    match = lexicon.PER.match(flat, claim.end)
    if match is None:
        return None
    return unit_named(match[1])


def unit_named(word: str) -> str | None:
    """Return the unit that a flat word names, `month` for `mois`."""
    return next((unit for unit, pattern in _PER_UNITS.items() if pattern.fullmatch(word)), None)
