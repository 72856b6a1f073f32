"""For whom, from when or from how much on facts say that something is free."""

import re
from collections.abc import Sequence
from typing import Final

from analytics.grounding import lexicon
from analytics.grounding.claims import DraftClaim, bound_of
from analytics.grounding.draft_sentences import DraftSentence
from analytics.grounding.fact_lines import FactLine, has_same_value, is_comparable
from analytics.grounding.opposites import opposites

_ORDER: Final = "order"
_GOES_ON: Final = re.compile(r"\W{0,9}(?:then|dann|alors|entonces|allora|dan|in that case|in diesem fall)\b")
_IF: Final = re.compile(
    r"\b(?:if|when|once|who|those|anyone|wenn|falls|sobald|wer|si|quand|lorsque|qui|cuando|quien|se|quando|chi|als"
    r"|wanneer|wie|mits"
    r"|spend|order|buy)\b"
)


_ONCE: Final = re.compile(
    r"\b(?:once|trial|taster|einmal|schnupper\w*|probe\w*|une fois|essai|una vez|prueba|una volta|prova|een keer"
    r"|eenmaal|proef\w*)\b"
)
"""What is done once is the first."""


def meets_conditions(line: FactLine, numbers: Sequence[FactLine], sentence: DraftSentence) -> bool:
    """Tell whether a sentence gives one of the limits that a fact sets to what is free, if it sets any.

    `numbers` are the numbers and amounts of the facts. A sentence with a condition in words of its own is believed.
    """
    if _GOES_ON.match(sentence.flat) or _IF.search(sentence.flat):
        return True
    low, high = _part_of(line)
    limits = [
        other.claim
        for other in numbers
        if other.flat == line.flat and low <= other.claim.start < high and _limits(other)
    ]
    ordinals = {each.member for each in opposites(line.flat[low:high], line.language) if each.of == _ORDER}
    if not limits and not ordinals:
        return True
    if not limits and _ONCE.search(sentence.flat):
        return True
    said = {each.member for each in opposites(sentence.flat, sentence.language) if each.of == _ORDER}
    return bool(ordinals & said) or any(
        _is_said(limit, claim) for limit in limits for claim in sentence.claims
    )


def _limits(line: FactLine) -> bool:
    before = line.flat[max(0, line.claim.start - 24) : line.claim.start]
    return (
        bound_of(line.flat, line.claim) is not None
        or lexicon.WITHIN.search(before) is not None
        or lexicon.OR_MORE.match(line.flat, line.claim.end) is not None
    )


def _is_said(limit: DraftClaim, claim: DraftClaim) -> bool:
    return claim.kind == limit.kind and is_comparable(limit, claim) and has_same_value(limit, claim)


def _part_of(line: FactLine) -> tuple[int, int]:
    """Return `[start, end)` of the part of a fact around what is free, between semicolons and commas."""
    low = max(line.flat.rfind(mark, 0, line.claim.start) for mark in ",;") + 1
    ends = [at for mark in ",;" if (at := line.flat.find(mark, line.claim.end)) >= 0]
    return low, min(ends, default=len(line.flat))
