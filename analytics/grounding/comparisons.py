"""Finds where a flat sentence sets one thing against another, or promises and boasts without exception."""

import re
from typing import Final

from analytics.grounding.speech_acts import Span

_COMPARISON: Final = re.compile(
    r"\b(?:more|less|fewer|better|worse|rather|[a-z]{2,}(?:[^aeiou]er|ier))\b[^.!?;:]{0,60}?\b(?:than"
    r"|compared (?:to|with)) (?=[a-z])"
    r"|\bcompared (?:to|with)\b|\bunlike\b"
    r"|\b(?:mehr|weniger|besser|schlechter|[a-zß]{3,}er(?:e[nrsm]?)?)\b[^.!?;:]{0,40}?\bals (?=[a-z])(?!sie\b|man\b"
    r"|foto\b)"
    r"|\banders als\b|\bim vergleich (?:zu|mit)\b"
    r"|\b(?:plus|moins|mieux|meilleure?s?|pire)\b[^.!?;:]{0,40}?\bqu(?:e |')(?=[a-z])(?!vous\b|les? autres? jours)"
    r"|\bcontrairement a\b|\bpar rapport a\b"
    r"|\b(?:mas|menos|mejor(?:es)?|peor(?:es)?)\b[^.!?;:]{0,40}?\bque (?=[a-z])(?!usted\b|nada\b)"
    r"|\ba diferencia de\b|\ben comparacion con\b"
    r"|\b(?:piu|meno|meglio|miglior[ei]|peggior[ei])\b[^.!?;:]{0,40}?\b(?:che|di quell[oaie]|dell[ae]|dei"
    r"|degli) (?=[a-z])(?!mai\b)"
    r"|\ba differenza di\b|\brispetto a(?:i|gli|lle?)?\b"
    r"|\b(?:meer|minder|beter|slechter|[a-z]{3,}er)\b[^.!?;:]{0,40}?\bdan (?=[a-z])(?!ook\b|u\b|kunt\b|kost\b)"
    r"|\bin tegenstelling tot\b|\bvergeleken met\b"
)
_WITHOUT_EXCEPTION: Final = re.compile(
    r"\b(?:never|always|nobody|no one|none of|not once|not one|no [a-z]+ (?:of ours|has ever|will ever)|ever"
    r"|forever|guarantee\w*"
    r"|nie|niemals|immer|niemand|keine?r? unserer|noch kein\w*|grundsatzlich|garantiert"
    r"|jamais|toujours|personne n\w*|aucun\w*|nunca|jamas|siempre|nadie|ningun\w*|mai|sempre|nessun\w*|nooit|altijd"
    r"|niemand|geen enkele?)\b"
)


_NEVER: Final = re.compile(
    r"\b(?:never|nobody|no one|nothing ever|none of (?:our|the)|not once|nie|niemals|niemand|noch kein\w*|jamais"
    r"|personne n\w*|nunca|jamas"
    r"|nadie|mai|nessuno|nooit|niemand)\b(?! (?:hesitate|mind|fear|lass|zogern|hesitez|dude|esiti|aarzel))"
)


def never(flat: str, span: Span) -> Span | None:
    """Return where a part of a flat sentence says `never` or `nobody`, None where it does not."""
    match = _NEVER.search(flat, *span)
    return match.span() if match else None


def compares(flat: str, span: Span) -> Span | None:
    """Return where a part of a flat sentence sets a thing against another, None where it does not.

    What is heavier than twenty kilos is judged as a number: numbers are blanks here.
    """
    match = _COMPARISON.search(flat, *span)
    return match.span() if match else None


def is_without_exception(flat: str) -> bool:
    """Tell whether a flat part says `never`, `always` or `nobody`: of a company that is a record or a promise."""
    return _WITHOUT_EXCEPTION.search(flat) is not None
