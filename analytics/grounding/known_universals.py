"""Which facts say of all things of a kind, always or only, what a draft says of them so."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Final

from analytics.grounding.facts import ABSOLUTE, KnownPart, Word, WordIndex, is_negative
from analytics.grounding.numerals import LANGUAGES, numbers
from analytics.grounding.opening_words import DAYS, EVERY_DAY
from analytics.grounding.speech_acts import Span

ONLY: Final = re.compile(
    r"\b(?:only|exclusively|entirely|nur|ausschließlich|seulement|uniquement|exclusivement|solo|solamente"
    r"|unicamente"
    r"|exclusivamente|soltanto|esclusivamente|uitsluitend|enkel|(?<!niet )alleen)\b"
)
_OBLIGES: Final = re.compile(
    r"\b(?:must|have to|has to|required|muss|mussen|pflicht|doit|doivent|obligatoire|debe|deben|obligatori\w|deve"
    r"|devono|moet|moeten|verplicht)\b"
)
_BOTH: Final = re.compile(r"\b(?:both|beide\w?|tous les deux|les deux|ambos|ambas|entramb[ie]|allebei)\b")
_SPAN: Final = re.compile(
    r"\s(?:single )?(?:day|night|morning|evening|weekend|week|month|quarter|year|season|spring|summer|autumn|winter"
    r"|tag|nacht"
    r"|morgen|abend|woche|monat|jahr|fruhling|sommer|herbst|winter|jour|nuit|matin|soir|semaine|mois|an|annee|dia"
    r"|noche"
    r"|manana|semana|mes|ano|giorno|notte|mattina|sera|settimana|mese|anno|dag|avond|ochtend|maand|jaar)\b"
)
"""What recurs: every night is no boast of all nights, but a date."""
_MOST: Final = re.compile(r"(?:most|die meisten|la plupart|la mayoria|la maggior parte|de meeste)\Z")
_USUALLY: Final = re.compile(
    r"\b(?:usually|normally|generally|as a rule|typically|meist\w*|in der regel|normalerweise|en general"
    r"|generalement|d'habitude"
    r"|normalmente|por lo general|di solito|in genere|meestal|doorgaans|over het algemeen)\b"
)
"""What is so usually is so of most."""
_NARROWED: Final = re.compile(
    r"\s(?:(?:for|of|in|with|from|at|under|over|von|fur|mit|im|aus|unter|uber|de|du|des|pour|avec|en|di|del|della|per"
    r"|con|para|van"
    r"|voor|met|uit)\s|d')"
    r"(?:(?:the|an?|der|die|das|den|dem|eine?[mnrs]?|la|le|les|une?|el|los|las|una?|il|lo|un[oa]?|het|een)\s"
    r"|l')?[^\W\d_]+"
)
"""What tells some things of a kind from the others: the beans for one blend."""
_SCOPE: Final = re.compile(
    r"\b(?:worldwide|nationwide|internationally|(?:whole|entire) (?:world|country)|all over the (?:world|country)"
    r"|weltweit|bundesweit"
    r"|europaweit|(?:ganzen?|aller) welt|ganzen land|(?:dans|a travers) (?:le monde|toute la france|tout le pays)"
    r"|monde entier"
    r"|(?:en|a|por) todo el (?:mundo|pais)|in tutto il (?:mondo|paese)|in tutta italia|wereldwijd|hele (?:wereld"
    r"|land)|landelijk)\b"
)
"""How far somebody works or sends at most."""
_ANY_TIME: Final = re.compile(
    r"\b(?:(?:at )?any ?time|whenever you (?:like|want|need)|jederzeit|wann immer sie|a tout moment"
    r"|quand vous (?:voulez|le souhaitez)"
    r"|en cualquier momento|in (?:qualsiasi|ogni) momento|op (?:elk|ieder) moment|te allen tijde"
    r"|wanneer u (?:maar )?wilt)\b"
)
"""What puts no time to a thing."""
_SOME: Final = re.compile(
    r"\b(?:of which|of whom|of them|some of|half of|davon|darunter|einige|die halfte|dont|parmi lesquel\w*|certain\w*"
    r"|la moitie"
    r"|de l[oa]s (?:cuales|que)|entre ell[oa]s|algun\w+|la mitad|di cui|de[il] quali|delle quali|alcun\w+|la meta"
    r"|waarvan|van wie"
    r"|waaronder|sommige|enkele|de helft)\b"
)
"""What says that only a part of the things is so: 24 rooms, of which ten have a balcony."""
_FLOATING: Final = re.compile(
    r"(?:all|alle|allesamt|tous|toutes|todos|todas|tutti|tutte|allemaal|allen)"
    r"(?=\s(?:an?|trained|of|in|with|for|from|mit|von|fur|in|aus|des?|du|d'|aux?|en|pour|avec|di|del\w*|con|per|para"
    r"|voor|met|van|uit"
    r"|op|\w{3,20}(?:ed|et|te?n|es?|[aei]d[oa]s?|[aeiu]t[oaie]))\b|\s?[.!]|\s?\Z)"
)
_IS: Final = re.compile(
    r"\b(?:are|have|sind|haben|werden|konnen|sont|ont|\w{4,}ent|son|estan|han|tienen|sono|hanno|zijn|hebben|worden"
    r"|kunnen)\s\Z"
)
"""`All` behind what it is said of: our mechanics are all trained."""
_ONE_OF: Final = re.compile(
    r"\W{0,9}(?:eine? \w{1,24}?(?:erin|er|in|ist|istin)|one (?:of|\w{1,24})|an? \w{1,24}?(?:er|or|ist)"
    r"|une? \w{1,24}?(?:eur|euse"
    r"|rice|iste|ier|iere)"
    r"|un[oa]? \w{1,24}?(?:or|ora|ista|ero|era|tore|trice|iere)|een \w{1,24}?(?:er|ster|ist|e)) (?:speaks?|spricht"
    r"|parle|habla|parla"
    r"|spreekt|is|ist|est|es|e|has|hat|a|tiene|ha|heeft|works?|arbeitet|travaille|trabaja|lavora|werkt)\b"
)
"""What tells of one person: an instructor speaks Russian."""
_BLANK: Final = 3
_LEAST_TOLD: Final = 0.5


class KnownUniversals:
    """The facts that speak of all things of a kind; `near` gives the facts that hold any of some words."""

    def __init__(
        self, near: Callable[[Sequence[Word]], list[KnownPart]], is_general: Callable[[Word], bool]
    ) -> None:
        self._near = near
        self._is_general = is_general

    def bear_out(
        self,
        flat: str,
        span: Span,
        words: Sequence[Word],
        counted: Sequence[Word] = (),
        said: frozenset[Decimal] = frozenset(),
    ) -> bool:
        """Tell whether facts too say `all`, `always` or `only` of what a part says it of.

        `counted` are all words of the sentence, those too that a number counts: all four mechanics.
        `said` are its numbers.
        """
        content = [word for word in words if not word.plain]
        if not content:
            return True
        if _SCOPE.search(flat, *span) and not any(_SCOPE.search(fact.flat) for fact in self._near(content)):
            return False
        if _ANY_TIME.search(flat, *span) and not any(
            _ANY_TIME.search(fact.flat) for fact in self._near(content)
        ):
            return False
        for match in ABSOLUTE.finditer(flat, *span):
            if EVERY_DAY.match(flat, match.start()) or DAYS.match(flat, match.end() + 1):
                continue  # judged with the days that facts name
            only = ONLY.fullmatch(match[0]) is not None
            if only and flat[match.end() : match.end() + _BLANK].isspace():
                continue  # only 62 euros: a number is judged by itself
            if not only and _SPAN.match(flat, match.end()):
                if not self._recurs(content):
                    return False
                continue
            following = next((word for word in content if word.start >= match.end()), content[-1])
            if _FLOATING.match(flat, match.start()) and _IS.search(flat, span[0], match.start()):
                things = [
                    word for word in counted if not word.plain and span[0] <= word.start < match.start()
                ]
                following = things[0] if things else following
            # Only with somebody grown up is what must be with somebody grown up.
            if only and any(_OBLIGES.search(fact.flat) for fact in self._near(content)):
                continue
            near = self._near(content)
            if _MOST.match(match[0]) and any(_USUALLY.search(fact.flat) for fact in near):
                continue
            if not only and self._is_said_of_some(near, following, content):
                return False
            if not any(
                self._says_alike(fact, match[0], following, words, near)
                or (not only and self._counts_alike(fact, following, content, said))
                for fact in near
            ):
                return False
        return True

    def _is_said_of_some(self, near: Sequence[KnownPart], thing: Word, content: Sequence[Word]) -> bool:
        """Tell whether a fact says what a part says of all things of a kind of some of them."""
        said = [word for word in content if word is not thing and not self._is_general(word)]
        return any(_SOME.search(fact.flat) and any(map(fact.index.holds, said)) for fact in near)

    def _counts_alike(
        self, fact: KnownPart, thing: Word, content: Sequence[Word], said: frozenset[Decimal]
    ) -> bool:
        """Tell whether a part says nothing of all things but numbers that a fact gives of a thing of the kind."""
        if not said or any(word is not thing and not self._is_general(word) for word in content):
            return False
        told = numbers(fact.flat, LANGUAGES)
        count = told[0].end if told and not fact.flat[: told[0].start].strip() else 0
        return said <= {number.value for number in told} and _is_kind(fact, thing, content, count)

    def _recurs(self, content: Sequence[Word]) -> bool:
        """Tell whether a fact about these words names something that recurs."""
        return any(
            _SPAN.match(fact.flat, match.end())
            for fact in self._near(content)
            for match in ABSOLUTE.finditer(fact.flat)
        )

    def _says_alike(
        self, fact: KnownPart, bound: str, thing: Word, words: Sequence[Word], near: Sequence[KnownPart]
    ) -> bool:
        """Tell whether a fact says `all` of a thing, without a word that narrows it down and that is left out.

        What is said of all of them must be what the fact says, by half its words at least.
        """
        only, across = ONLY.fullmatch(bound) is not None, bound == "across"
        bounds = [
            match for match in ABSOLUTE.finditer(fact.flat) if (ONLY.fullmatch(match[0]) is not None) == only
        ]
        if only:
            return bool(bounds)
        ends = [match.end() for match in (*bounds, *_BOTH.finditer(fact.flat))]
        said = [word for word in words if not word.plain and word is not thing and not self._is_general(word)]
        # Across a region is in it; everywhere in it would be more.
        if across and fact.whole.holds(thing):
            return True
        told = sum(fact.whole.holds(word) and not _is_of_sibling(fact, word, near) for word in said)
        if told < _LEAST_TOLD * len(said):
            return False
        if said and not _ONE_OF.match(fact.flat) and _is_kind(fact, thing, words):
            return True
        return any(_is_bounded_alike(fact, end, thing, words) for end in ends)


def _is_of_sibling(fact: KnownPart, word: Word, near: Sequence[KnownPart]) -> bool:
    """Tell whether a word stands in another part of a fact's sentence that says `only`: vegan dishes to order only."""
    return not fact.index.holds(word) and any(
        other.around is fact.around and other.index.holds(word) and ONLY.search(other.flat) for other in near
    )


def _is_kind(fact: KnownPart, thing: Word, words: Sequence[Word], start: int = 0) -> bool:
    """Tell whether a fact begins with a thing in general: frames are guaranteed; a count stands before `start`."""
    first = next((word for word in fact.words if not word.plain and word.start >= start), None)
    if first is None or fact.is_beside_name or not WordIndex([thing]).holds(first) or is_negative(fact.flat):
        return False
    narrowed = _NARROWED.match(fact.flat, first.end)
    told = WordIndex(words)
    return narrowed is None or all(
        told.holds(word)
        for word in fact.words
        if narrowed.start() <= word.start < narrowed.end() and not word.plain
    )


def _is_bounded_alike(fact: KnownPart, end: int, following: Word, words: Sequence[Word]) -> bool:
    after = [word for word in fact.words if word.start >= end and not word.plain]
    thing = WordIndex([following])
    place = next((at for at, word in enumerate(after) if thing.holds(word)), None)
    if place is None:
        return True
    told = WordIndex(words)
    return all(told.holds(word) for word in after[:place])
