"""What facts say of a thing only to deny it: no lifeguard, not in the restaurant."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from analytics.grounding.facts import WITHOUT, KnownPart, Word, is_negative
from analytics.grounding.speech_acts import Span

_TURNS: Final = re.compile(
    r"\b(?:until|till|before|unless|only|if|when|only|bis|bevor|ehe|erst|nur|wenn|falls|avant|jusqu'a|seulement|si|sauf"
    r"|que|hasta|antes|solo|salvo|finche|prima|se|soltanto|tot|voordat|alleen|als|tenzij|under|unter|moins|menos|meno"
    r"|onder|more|mehr|plus|mas|piu|meer|necessary|needed|need|notig|brauch\w*|necessaire|besoin|falta|necesit\w*"
    r"|necessari\w*"
    r"|serve|bisogno|nodig|hoef\w*|charge|interest|nothing|nichts|rien|nada|niente|nulla|niets|zinsen|interets?"
    r"|intereses|interessi|rente)\b"
)
"""What makes of a denial something that is so at other times, for others, or need not be."""
_APART: Final = re.compile(
    r"\b(?:extra|separately|elsewhere|besides|on top|instead|gesondert|separat|zusatzlich|dazu|woanders|anderswo"
    r"|stattdessen|en sus"
    r"|en plus|a part|ailleurs|aparte|ademas|fuera|a parte|altrove|apart|ergens anders|bovenop|\w+-free|\w{4,}(?:frei"
    r"|los)\b"
    r"|free from|frei von|libre de|avoid|stay|leave|verzicht\w*|renonc\w*|renunci\w*|rinunci\w*|exclu\w*|esclu\w*"
    r"|ausgenommen|uitgesloten"
    r"|hardly|kaum|a peine|apenas|appena|nauwelijks|instead of|statt(?= \w)|au lieu|en lugar|invece|in plaats)\b"
)
"""What denies or sets apart without a word of denial."""


_SHORT, _FEWEST = 3, 2
"""Words of so few letters are left out, and so many must be left, where all words of a part are compared."""


class KnownDenials:
    """The facts that deny; `near` gives the parts of facts that hold any of some words."""

    def __init__(self, near: Callable[[Sequence[Word]], list[KnownPart]]) -> None:
        self._near = near

    def find_denied(self, flat: str, span: Span, words: Sequence[Word]) -> Span | None:
        """Return the first word of a part of a flat sentence that facts about its other words only deny, or None."""
        lacks = WITHOUT.search(flat) is not None
        if is_negative(flat) or _APART.search(flat[slice(*span)]):
            return None
        reversed_fact = self._find_reversed(flat, span, words)
        if reversed_fact is not None:
            return reversed_fact
        told = [word for word in words if not word.plain]
        for word in told:
            parts = [fact for fact in self._near([word]) if fact.index.holds_itself(word)]
            others = [other for other in told if other is not word]
            shared = [sum(map(fact.whole.holds, others)) for fact in parts]
            most = max(shared, default=0)
            if not parts:
                continue
            likest = [fact for fact, count in zip(parts, shared, strict=True) if count == most]
            if all(_denies(fact, lacks=lacks) for fact in likest):
                return word.start, word.end
        return None

    def _find_reversed(self, flat: str, span: Span, words: Sequence[Word]) -> Span | None:
        """Return a part whose words, plain ones too, all stand in a fact that denies them and in no other, or None."""
        said = [word for word in words if len(word.text) > _SHORT]
        if len(said) < _FEWEST:
            return None
        same = [fact for fact in self._near(said) if all(map(fact.index.holds_itself, said))]
        lacks = WITHOUT.search(flat, *span) is not None
        return span if same and all(_denies(fact, lacks=lacks) for fact in same) else None


def _denies(fact: KnownPart, *, lacks: bool) -> bool:
    """Tell whether a fact denies what a part says that `lacks` something, or does not."""
    return (
        is_negative(fact.flat)
        and (WITHOUT.search(fact.flat) is not None) == lacks
        and _TURNS.search(fact.flat) is None
    )
