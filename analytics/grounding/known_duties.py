"""Which facts oblige the reader to what a draft says that the reader must do."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from analytics.grounding import lexicon
from analytics.grounding.facts import WITHOUT, KnownPart, Word, is_negative
from analytics.grounding.speech_acts import WE, Span, asks

_DUTY: Final = re.compile(
    r"\b(?:you(?:'ll)? (?:must|(?:will )?have to|(?:will )?need to|are required to)|mussen sie|sie mussen"
    r"|musst du|du musst|vous (?:devez|devrez|avez a)|il vous faut|(?:usted(?:es)? )?(?:debe|deben|debera|deberan)"
    r"|(?:tiene|tienen|tendra|tendran) que|dovete|dovrete|(?:lei )?deve|(?:u|je) (?:moet|dient|zult moeten)|(?:moet"
    r"|dient) (?:u|je))\b"
)
"""What says that the reader must do something."""
_ALONE: Final = re.compile(
    r"\b(?:yourself|yourselves|on your own|your own|selbst|selber|eigene[mnrs]?|vous-memes?|vos propres|votre propre"
    r"|usted(?:es)? mism[oa]s?|por su cuenta|voi stess[ie]|lei stess[oa]|da soli|per conto vostro|zelf|eigen)\b"
)
_OBLIGES: Final = re.compile(
    r"\b(?:must|have to|has to|required?|requires?|needed|need|necessary|should|please|ask(?:ed)?|expected"
    r"|only (?:with|by|on)"
    r"|muss|mussen|pflicht\w*|notig|erforderlich|sollte\w*|bitte\w*|verlang\w*|brauch\w*|benotig\w*|nur (?:mit|nach)"
    r"|doit|doivent|devez|obligatoire\w*|faut|necessaire\w*|demand\w*|exig\w*|merci de|uniquement (?:sur|avec)"
    r"|seulement (?:sur|avec)"
    r"|debe\w*|hay que|hace[n]? falta|obligatori\w*|necesari\w*|requier\w*|pedimos|pide\w*|solo (?:con|se)"
    r"|tiene[n]? que"
    r"|deve|devono|dovete|bisogna|occorr\w*|serv(?:e|ono)|necessari\w*|chied\w*|richies\w*|solo (?:su|con)"
    r"|obbligatori\w*"
    r"|moet|moeten|verplicht\w*|nodig|vereist|dient|graag|vragen|verzoeken|alleen (?:met|op)|zelf|selbst|yourself)\b"
)
"""What makes a fact one of a duty, or a request."""
_WAITS: Final = re.compile(r"\b(?:wait|warten|attendre|patienter|esperar|aspettare|attendere|wachten)\b")
_IF: Final = re.compile(
    r"\b(?:if|when|whether|that|wenn|falls|ob|si|quand|que|cuando|se|quando|che|als|wanneer|of|dat) \Z"
)


class KnownDuties:
    """The facts that oblige somebody; `alike` gives the parts of facts that share most with some words, `near` any."""

    def __init__(
        self,
        alike: Callable[[Sequence[Word]], list[KnownPart]],
        near: Callable[[Sequence[Word]], list[KnownPart]],
        language: str,
    ) -> None:
        self._alike = alike
        self._near = near
        self._language = language

    def find_unfounded(self, flat: str, span: Span, words: Sequence[Word]) -> Span | None:
        """Return where a part says that the reader must do what facts say that somebody else does, or need not be."""
        duty = _DUTY.search(flat, *span)
        if duty is None or is_negative(flat[slice(*span)]) or _WAITS.search(flat, *span):
            return None
        if _IF.search(flat, 0, duty.start()):
            return None
        alike = self._alike(words)
        beside = [fact for fact in self._near(words) if any(fact.around is other.around for other in alike)]
        facts = [*alike, *beside]
        if not facts or any(_OBLIGES.search(fact.flat) or asks(fact.flat, self._language) for fact in facts):
            return None
        is_alone = _ALONE.search(flat, *span) is not None
        is_of_others = any(
            WE.search(fact.flat)
            or WITHOUT.search(fact.flat)
            or is_negative(fact.flat)
            or lexicon.INCLUDES.search(fact.flat)
            for fact in facts
        )
        return duty.span() if is_alone or is_of_others else None
