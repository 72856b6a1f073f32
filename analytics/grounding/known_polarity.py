"""Which facts deny what a part of a sentence denies, and which say that a thing must be or is lacking."""

import re
from collections.abc import Callable, Sequence

from analytics.grounding import lexicon
from analytics.grounding.facts import WITHOUT, KnownPart, Word, WordIndex, is_negative, words_of
from analytics.grounding.speech_acts import WE, Span, without_courtesies

_FEWEST_SHARED = 2
BOUNDED = re.compile(
    r"\b(?:more|less|fewer|longer|later|mehr|weniger|langer|spater|plus|moins|mas|menos|piu|meno|meer|minder|langer"
    r"|later)"
    r" (?:than|als|de|di|dan)\b"
)
"""What makes of `never` the bound of a number, which is judged as such."""
_UNTIL = re.compile(
    r"\b(?:until|till|before|unless|bis|bevor|ehe|erst wenn|avant (?:que|de)|tant que|hasta|antes de|mientras|finche"
    r"|prima (?:di|che)"
    r"|tot(?:dat)?|voordat)\b"
)
"""What makes of a denial that a thing comes first."""
_OBLIGES = re.compile(
    r"\b(?:must|have to|has to|required|needed|necessary|muss|mussen|pflicht|notig|doit|doivent|obligatoire|debe|deben"
    r"|obligatori\w|deve|devono|moet|moeten|verplicht|nodig)\b"
)
_LACKS = re.compile(r"(?:[^\W_]los|frei|less|-free|vrij)(?:e[mnrs]?)?\Z")
"""What a word ends in that says that there is none of what it begins with: stufenlos, step-free."""
_LACKING = re.compile(r"-(?:free|less|frei|los|vrij)\b")
_UNABLE = re.compile(
    r"\b(?:(?:not|n't|not been) (?:able|in a position)|unable|nicht (?:\w+ )?in der lage|außerstande"
    r"|(?:nicht|un)moglich"
    r"|pas (?:\w+ )?en mesure|impossible|imposible|impossibile|non \w+ in grado|no (?:nos "
    r"|me )?es posible|non (?:ci |mi )?e possibile"
    r"|niet (?:\w+ )?in staat|onmogelijk)\b"
)
_PAYS = re.compile(
    r"\b(?:free|charge[sd]?|pay(?:s|ing)?|penny|cent|costs?|gratis|kostenlos\w*|kostenfrei\w*|zahl\w+|kostet?"
    r"|gratuit\w*"
    r"|paie\w*|payer|coute\w*|pagan?|cuesta\w*|coste"
    r"|paga\w*|costa\w*|spese|frais|gastos|kosten|kosteloos|betaal\w*|kost)\b"
)
_BARE = 3
"""Words of a part that only names something."""
SPARED = re.compile(
    r"\b(?:you (?:don't|do not|won't|will not) (?:have to|need)|you need(?:n't| not)|(?:there is |there's )?no need to"
    r"|(?:mussen|brauchen) sie [^.!?;]{0,60}?\b(?:nicht|kein\w*)|sie (?:mussen|brauchen) [^.!?;]{0,60}?\b(?:nicht"
    r"|kein\w*)"
    r"|vous n'avez pas (?:a|besoin)|vous ne devez pas|inutile d[e']|pas besoin d[e']|no (?:tiene|tendra|necesita"
    r"|hace falta|debe)"
    r"|non (?:dovete|deve|dovrete|serve|occorre|bisogna|avete bisogno)|(?:hoeft|hoeven) (?:u "
    r"|je )?[^.!?;]{0,60}?\b(?:niets?|geen))\b"
)
"""What says that the reader is spared something."""


class KnownPolarity:
    """The parts of the facts; `alike` gives those that share most with some words, `near` those that share any."""

    def __init__(
        self,
        facts: Sequence[KnownPart],
        alike: Callable[[Sequence[Word]], list[KnownPart]],
        near: Callable[[Sequence[Word]], list[KnownPart]],
    ) -> None:
        self._facts = facts
        self._alike = alike
        self._near = near

    def agrees(self, flat: str, rest: str, part: Span, words: Sequence[Word], language: str) -> bool:
        """Tell whether the facts that a part resembles most deny what it denies, and nothing else."""
        said = without_courtesies(flat)[slice(*part)]
        lacking = WITHOUT.search(said)
        if lacking is not None and _PAYS.search(lacking[0]):
            lacking = None  # what costs nothing is judged as an offer
        if (
            lacking is not None
            and is_negative(WITHOUT.sub(" ", flat))
            and self._is_obliged(lacking[1], language)
        ):
            return True  # without it we cannot is said of what must be
        if lacking is not None and not self._is_lacking(lacking[1], language):
            return False
        if _PAYS.search(said) or not rest[slice(*part)].strip():
            return True
        if not lacking and not is_negative(said) and is_negative(rest) and len(said.split()) <= _BARE:
            return True  # what is named first and denied behind a comma: leather, we do not repair it
        lacked = lacking.span(1) if lacking else (0, 0)
        if _UNABLE.search(said) and all(word.plain for word in words):
            return True  # what somebody is not able to do stands in another part
        telling = [word for word in words if not lacked[0] <= word.start - part[0] < lacked[1]]
        alike = self._alike(telling)
        if not alike:
            return True
        alike += self._as_near(telling, alike)
        denies = is_negative(said)
        if denies and (
            _UNTIL.search(rest, *part)
            or _UNTIL.search(said)
            or BOUNDED.search(said)
            or (SPARED.search(flat) and any(map(_gives, self._beside(alike))))
        ):
            return True  # nothing happens until it does; what we do need not be done by the reader
        agreeing = any(is_negative(fact.flat) == denies or WITHOUT.search(fact.flat) for fact in alike)
        return agreeing or (lacking is not None and not denies)

    def _as_near(self, words: Sequence[Word], alike: Sequence[KnownPart]) -> list[KnownPart]:
        """Return the facts that hold as many of some words as the likest, those of their sentences and titles too."""
        told = [word for word in words if not word.plain]
        most = max(sum(map(fact.index.holds, told)) for fact in alike)
        return [
            fact for fact in self._near(told) if sum(map(fact.whole.holds, told)) >= max(most, _FEWEST_SHARED)
        ]

    def _beside(self, facts: Sequence[KnownPart]) -> list[KnownPart]:
        """Return all parts of the sentences that some parts of facts are of."""
        return [other for other in self._facts if any(other.around is fact.around for fact in facts)]

    def _is_lacking(self, words: str, language: str) -> bool:
        """Tell whether some fact too says that there is none of a thing."""
        things = [word for word in words_of(words, language) if word.meanings or not word.plain]
        index = WordIndex(things)
        near = (
            [fact for fact in self._facts if any(index.holds(word) for word in fact.words)] if things else []
        )
        return not things or any(
            is_negative(fact.flat)
            or WITHOUT.search(fact.flat)
            or any(
                index.holds(word) and (_LACKS.search(word.text) or _LACKING.match(fact.flat, word.end))
                for word in fact.words
            )
            for fact in near
        )

    def _is_obliged(self, words: str, language: str) -> bool:
        """Tell whether some fact says that a thing must be."""
        things = [word for word in words_of(words, language) if not word.plain]
        return any(_OBLIGES.search(fact.flat) for fact in self._near(things))


def _gives(fact: KnownPart) -> bool:
    """Tell whether a fact says that the company does or includes something."""
    return not is_negative(fact.flat) and (
        WE.search(fact.flat) is not None
        or lexicon.INCLUDES.search(fact.flat) is not None
        or lexicon.INCLUDED.search(fact.flat) is not None
    )
