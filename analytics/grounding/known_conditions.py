"""For whom, from when or from how much on facts say that something is free."""

import re
from collections.abc import Sequence
from typing import Final

from analytics.grounding import lexicon
from analytics.grounding.claims import DraftClaim
from analytics.grounding.draft_sentences import DraftSentence, clause_of
from analytics.grounding.fact_lines import FactLine, has_same_value, is_comparable
from analytics.grounding.facts import is_negative
from analytics.grounding.number_bounds import bound_of
from analytics.grounding.opposites import opposites

_ORDER: Final = "order"
_BELOW: Final = frozenset(("under", "most"))
_ABOVE: Final = frozenset(("over", "least", "from"))
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
    low, high = _part_of(line)
    limits = [
        other
        for other in numbers
        if other.flat == line.flat and low <= other.claim.start < high and _limits(other)
    ]
    whole = clause_of(line.flat, line.claim.start)
    if any(
        _is_said(other, claim) and _is_turned(other, claim, sentence.flat)
        for other in numbers
        if other.flat == line.flat and whole[0] <= other.claim.start < whole[1]
        for claim in sentence.claims
    ):
        return False
    if _GOES_ON.match(sentence.flat) or _IF.search(sentence.flat):
        return True
    ordinals = {hit.member for hit in opposites(line.flat[low:high], line.language) if hit.of == _ORDER}
    if not limits and not ordinals:
        return True
    if not limits and _ONCE.search(sentence.flat):
        return True
    said = {hit.member for hit in opposites(sentence.flat, sentence.language) if hit.of == _ORDER}
    return bool(ordinals & said) or any(
        _is_said(limit, claim) and not _is_turned(limit, claim, sentence.flat)
        for limit in limits
        for claim in sentence.claims
    )


_REFERS: Final = re.compile(
    r"(?:and |und |et |y |e |en )?(?:it|they|sie|er|es|il|elles?|ils|ella|esso|essa|ze|hij) (?:is|are|ist"
    r"|sind|est|sont|zijn)\b"
)


def refers_back(flat: str, place: int) -> bool:
    """Tell whether a part of a flat sentence speaks of what the one before it does: it is free from 75 euros on."""
    return _REFERS.match(flat, place) is not None


def _limits(line: FactLine) -> bool:
    before = line.flat[max(0, line.claim.start - 24) : line.claim.start]
    return (
        bound_of(line.flat, line.claim) is not None
        or lexicon.WITHIN.search(before) is not None
        or lexicon.OR_MORE.match(line.flat, line.claim.end) is not None
    )


def _is_turned(limit: FactLine, claim: DraftClaim, flat: str) -> bool:
    """Tell whether a sentence names the other side of a limit: free under 20 euros, where facts say from 20 on."""
    if is_negative(flat) or (isinstance(claim.value, tuple) and claim.value[1] in ("minutes", "months")):
        return False  # two weeks before at least is up to two weeks before
    said, told = bound_of(flat, claim), bound_of(limit.flat, limit.claim)
    return (said in _BELOW and told in _ABOVE) or (said in _ABOVE and told in _BELOW)


def _is_said(limit: FactLine, claim: DraftClaim) -> bool:
    return (
        claim.kind == limit.claim.kind
        and is_comparable(limit.claim, claim)
        and has_same_value(limit.claim, claim)
    )


def _part_of(line: FactLine) -> tuple[int, int]:
    """Return `[start, end)` of the part of a fact around what is free, between semicolons and commas."""
    low = max(line.flat.rfind(mark, 0, line.claim.start) for mark in ",;") + 1
    ends = [at for mark in ",;" if (at := line.flat.find(mark, line.claim.end)) >= 0]
    return low, min(ends, default=len(line.flat))
