"""What facts say of a thing only to deny it: no lifeguard, not in the restaurant."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from analytics.grounding.facts import WITHOUT, KnownPart, Word, is_negative
from analytics.grounding.speech_acts import Span

_TURNS: Final = re.compile(
    r"\b(?:until|till|before|unless|only|if|when|only|bis|bevor|ehe|erst|nur|wenn|falls|avant|jusqu'a|seulement|si|sauf"
    r"|que|hasta|antes|solo|salvo|finche|prima|se|soltanto|tot|voordat|alleen|als|tenzij|under|unter|moins|menos|meno"
    r"|onder|more|mehr|plus|mas|piu|meer|necessary|needed|need|notig|brauch\w*|necessaire|besoin|falta|necesit\w*|necessari\w*"
    r"|serve|bisogno|nodig|hoef\w*|charge|interest|nothing|nichts|rien|nada|niente|nulla|niets|zinsen|interets?|intereses|interessi|rente)\b"
)
"""What makes of a denial something that is so at other times, for others, or need not be."""
_APART: Final = re.compile(
    r"\b(?:extra|separately|elsewhere|besides|on top|instead|gesondert|separat|zusatzlich|dazu|woanders|anderswo|stattdessen|en sus"
    r"|en plus|a part|ailleurs|aparte|ademas|fuera|a parte|altrove|apart|ergens anders|bovenop|\w+-free|\w{4,}(?:frei|los)\b"
    r"|free from|frei von|libre de|avoid|stay|leave|verzicht\w*|renonc\w*|renunci\w*|rinunci\w*|exclu\w*|esclu\w*|ausgenommen|uitgesloten"
    r"|hardly|kaum|a peine|apenas|appena|nauwelijks|instead of|statt|au lieu|en lugar|invece|in plaats)\b"
)
"""What denies or sets apart without a word of denial."""


class KnownDenials:
    """The facts that deny; `near` gives the parts of facts that hold any of some words."""

    def __init__(self, near: Callable[[Sequence[Word]], list[KnownPart]]) -> None:
        self._near = near

    def find_denied(self, flat: str, span: Span, words: Sequence[Word]) -> Span | None:
        """Return the first word of a part of a flat sentence that facts about its other words only deny, or None."""
        lacks = WITHOUT.search(flat) is not None
        if is_negative(flat) or _APART.search(flat[slice(*span)]):
            return None
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


def _denies(fact: KnownPart, *, lacks: bool) -> bool:
    """Tell whether a fact denies what a part says that `lacks` something, or does not."""
    return (
        is_negative(fact.flat)
        and (WITHOUT.search(fact.flat) is not None) == lacks
        and _TURNS.search(fact.flat) is None
    )
