"""Tells ordinals that part an argument or the steps of a task ("First, open", "Secondly, Acme is") from places."""

import re
from collections.abc import Iterator

from analytics.answers.instructions import asks_for_task, is_task
from analytics.answers.place_signs import NAME

_MARK = re.compile(
    r"(?<!\w)(?:(?:first|second|third|fourth)ly|(?:ers|zwei|drit|vier)tens|(?:premi|deuxi|troisi)emement"
    r"|po (?:pierwsze|drugie|trzecie|czwarte)|во-(?:первых|вторых)|в-третьих|ten (?:eerste|tweede|derde|vierde)"
    r"|(?:en primer|en segundo|en tercer|em primeiro|em segundo|em terceiro) lugar(?=,)"
    r"|en (?:premier|second|deuxieme|troisieme) lieu|in (?:primo|secondo|terzo) luogo"
    r"|(?:(?<=\A)|(?<=\A )|(?<=[;:(] )|(?<=\band )|(?<=\Aand ))(?:first|second|third|fourth)(?=,))(?!\w)"
)
_RECOMMENDED = re.compile(
    r",? (?:i'd|i would|i|we|we'd|ich|je|yo|eu|ja)?(?: ?\b(?:recommend|suggest|pick|choose|consider|go with"
    r"|wurde|empfehle|nenne|recomiendo|recomendaria|elegiria|pondria|consideraria|recomendo|escolheria|colocaria|recommande|recommanderais|choisirais|mettrais"
    r"|consiglio|consiglierei|sceglierei|metterei"
    rf"|polecam|polecilbym|wybralbym|рекомендую|советую)\b)(?: \w{{1,3}}){{0,2}} {NAME}"
)
"""Goes on with whom somebody recommends: `in second place, I'd recommend Acme`."""
_NAMED_ALONE = re.compile(
    rf"[,:]?(?: (?:the|a|an|der|die|das|el|la|le|il|o|de|het)){{0,2}} ?[\"'“«„]?{NAME}[\"'”»“]?"
    r"(?:(?: [^ ,.;:()-]{0,12}\d[^ ,.;:()-]{0,12})?[,.;:()]| - "
    r"| (?:and|und|et|y|e|en|i|и|for|because|since|pour|por|per|weil|wegen|mit|with|fur)(?!\w)|\Z)"
)
"""Nothing but the name follows, or what it is called by, as in an enumeration of names."""


def discourse_marks(sentence: str) -> Iterator[tuple[int, int]]:
    """Yield where ordinals of a folded sentence give no place, `[start, end)`; `NAME` stands in it for names."""
    for mark in _MARK.finditer(sentence):
        end = mark.end()
        if not (_NAMED_ALONE.match(sentence, end) or _RECOMMENDED.match(sentence, end)):
            yield mark.span()


def is_discourse_mark(sentence: str, start: int, end: int) -> bool:
    """Whether the ordinal at `[start, end)` of a folded sentence parts an argument or steps."""
    if asks_for_task(sentence, end) or is_task(sentence):
        return True
    return any(low <= start and end <= high for low, high in discourse_marks(sentence))
