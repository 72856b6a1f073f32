"""The facts that a company stands by, sentence by sentence, to look up which of them bears out what a draft says."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from analytics.grounding.concepts import meanings
from analytics.grounding.plain_words import ENDINGS, is_plain

STEM = 5
_WORD = re.compile(r"\b(?:back(?:s|ed|ing)? up|check(?:s|ed|ing)? (?:in|out))\b|[^\W\d_]+(?:-[^\W\d_]+)*")
_LETTERS = re.compile(r"[^\W\d_]+")
_FEWEST_LETTERS = 3
_LONGEST_ENDING, _LONGEST_STRANGE = 5, 3
"""Letters of an ending that no list needs to have; a longer one may be another word joined on: banden, bandenwissel."""
_NOUN_ENDINGS = frozenset(
    ("azione", "azioni", "izione", "izioni", "aciones", "iciones", "ations", "itions", "ierung", "ierungen")
)
"""Longer endings that make a noun of a verb."""
_BOUND_PREFIXES = frozenset(
    ["uber", "unter", "wider", "wieder", "hinter", "ver", "ent", "zer", "over", "onder", "her"]
)
"""What makes another verb of a verb, not a compound: who overhauls a bicycle does not fetch it."""
_LONGEST_WORD = 40
_SHORTEST_PART = 4
NEGATION = re.compile(
    r"\b(?:(?:is|are|still|is still|are still) (?:planned|in the works|in planning)|coming soon"
    r"|(?:wait|stay|remain) (?:outside|at home)|outside (?:our|of our|the) (?:field|range|scope|area|remit)"
    r"|(?:draußen|zu hause) (?:bleiben|warten|lassen)|attendre dehors|rester (?:dehors|a la maison)|(?:esperar"
    r"|quedarse) fuera"
    r"|(?:aspettare|restare|rimanere) fuori|buiten (?:wachten|blijven)|thuis (?:blijven|laten)"
    r"|(?:ist|sind) geplant|in planung"
    r"|(?:is|zijn) gepland|(?:est|sont) en projet|not|no|never|none|nobody|nothing|neither|nor|cannot|\w{2,8}n't"
    r"|excluded?|excludes|except|unable|impossible|unmoglich|außerstande|nicht (?:\w+ )?in der lage"
    r"|imposible|impossibile"
    r"|non \w+ in grado|refer (?:you|them|patients|customers) (?:on )?to|(?:uber|ver)weisen (?:wir|sie)"
    r"|verwijzen (?:we|wij|u)(?: u)? door|sturen (?:we|wij) u door|(?:vous |les )orientons vers|(?:le "
    r"|les )?derivamos a"
    r"|pas (?:\w+ )?en mesure|hors d'etat|dans l'impossibilite|niet (?:\w+ )?in staat|onmogelijk"
    r"|forbidden|prohibited|banned"
    r"|nicht|kein\w{0,2}|nie|niemals|niemand|nichts|weder|ausgenommen|ausgeschlossen|verboten|untersagt"
    r"|pas(?! (?:aan|als|na|op|in|om|vanaf|wanneer|sinds|weer|bij|met|u|je|dan)\b)|jamais|aucun\w{0,2}|rien"
    r"|personne ne|exclu\w{0,2}|sauf|interdit\w{0,2}"
    r"|nunca|jamas|ningun\w{0,2}|nada|nadie|tampoco|excluid\w{1,2}|prohibid\w{1,2}"
    r"|non|(?<!im )(?<!en )(?<!ab )(?<!bis )(?<!seit )(?<!von )(?<!de )(?<!\d )(?<!\. )mai(?! (?:\d|bis|au|a)\b)"
    r"|nessun\w{0,2}|niente|nulla|esclus\w|tranne|vietat\w"
    r"|niet|geen|nooit|niemand|niets|uitgesloten|uitgezonderd|verboden)\b"
)
WITHOUT = re.compile(
    r"\b(?:without|ohne|sans|sin|senza|zonder)\s((?:[a-z]{2,12}(?:ing|[aei]re?|oir) )?(?:an? |any |the |your |de |la "
    r"|le |les |l'|vos "
    r"|votre |el |los |las |su |sus |il |lo |i |gli |die |den |das |ihren? |het |uw |eine?\w? |un[ea]? "
    r"|een )?[^\W\d_]+)"
)
ABSOLUTE = re.compile(
    r"\b(?:(?:all over|throughout|across|in ganz|dans toute?|en tod[oa]|in tutt[oa]|in heel)"
    r"|(?:all of|tout(?:e)?|tutt[oa]|tod[oa]|gesamte[rsnm]?|al(?: het|le)?)(?= (?:our|the|notre|nos|le|la|l'|il|lo"
    r"|nuestr[oa]s?|el"
    r"|unser\w{0,2}|onze?|ons)\b(?! ?(?:tiempo|mundo|tempo|mondo|temps|monde|tijd)\b))"
    r"|most|die meisten|la plupart|la mayoria|la maggior parte|de meeste"
    r"|always|only|every|each|all|any|exclusively|entirely|immer|nur|ausschließlich|alle[rsnm]?"
    r"|jede[rsnm]?|samtliche\w?|chacune?|ciascun\w|ognun[oa]"
    r"|toujours|seulement|uniquement|exclusivement|tous|toutes|chaque|siempre|solo|solamente|unicamente"
    r"|exclusivamente|todos|todas|cada"
    r"|sempre|solo|soltanto|esclusivamente|tutti|tutte|ogni|altijd|uitsluitend|enkel|(?<!niet )alleen|iedere?|elke?"
    r"|qualsiasi(?! (?:momento|cosa|ora))|qualunque|cualquier(?! (?:cosa|momento|lugar|sitio|duda|pregunta))"
    r"|jegliche[rsnm]?|beliebige[rsnm]?|quelconque|anywhere|everywhere|anytime|uberall(?!,? wo)|jederzeit"
    r"|allesamt|partout(?! ou)|a tout moment"
    r"|n'importe (?:quand|ou|quel\w*)"
    r"|en cualquier (?:momento|lugar|sitio)|en todas partes|in qualsiasi momento|ovunque|dappertutto|allemaal|allen"
    r"|overal"
    r"|te allen tijde)\b"
)


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a flat text at `[start, end)`, with what it may stand for."""

    text: str
    start: int
    end: int
    stems: frozenset[str]
    meanings: frozenset[str]
    plain: bool
    compound: bool = False
    is_cut: bool = False
    """Whether the rest of a German or Dutch compound follows behind another one: oster- oder herbstferien."""
    tail_meanings: frozenset[str] = frozenset()
    """What the last part of a German or Dutch compound means; a fact about it is one about its last part too."""


@dataclass(frozen=True, slots=True)
class KnownPart:
    """One part of a sentence that somebody stands by, with the words of its sentence and its title around it."""

    flat: str
    words: tuple[Word, ...]
    around: tuple[Word, ...]
    source: int
    index: "WordIndex"
    whole: "WordIndex"
    is_beside_name: bool = False
    """Whether the part before it names somebody of whom the same is said: Anna and one mechanic are trained."""


class WordIndex:
    """Words to look others up in, by what they begin with and by what they mean."""

    def __init__(self, words: Iterable[Word]) -> None:
        self._stems: dict[str, set[str]] = {}
        self._meanings: set[str] = set()
        self._tails: dict[str, list[frozenset[str]]] = {}
        for word in words:
            self._meanings |= word.meanings | word.tail_meanings
            for meaning in word.meanings:
                self._tails.setdefault(meaning, []).append(word.tail_meanings)
            for stem in word.stems:
                self._stems.setdefault(stem, set()).add(word.text)
            for cut in (
                range(_SHORTEST_PART - 1, len(word.text) - _SHORTEST_PART + 1) if word.compound else ()
            ):
                if word.text[:cut] in _BOUND_PREFIXES:
                    continue
                for stem in _stems(word.text[cut:]):
                    self._stems.setdefault(stem, set()).add(word.text[cut:])

    def holds_itself(self, word: Word) -> bool:
        """Tell whether a word stands here, inflected at most."""
        return any(
            _is_inflected(word.text, other, strict=True)
            for stem in word.stems
            for other in self._stems.get(stem, ())
        )

    def holds(self, word: Word) -> bool:
        """Tell whether a word stands here, inflected or in other words."""
        if word.is_cut and any(
            other.startswith(word.text) for stem in word.stems for other in self._stems.get(stem, ())
        ):
            return True
        if word.meanings & self._meanings and self._means_as_much(word):
            return True
        return any(
            _is_inflected(word.text, other) for stem in word.stems for other in self._stems.get(stem, ())
        )

    def _means_as_much(self, word: Word) -> bool:
        """Tell whether what a compound ends in stands here too: a lent bicycle is no lent car."""
        own = word.meanings - word.tail_meanings
        if not word.tail_meanings or not own:
            return True
        tails = [tail for meaning in own for tail in self._tails.get(meaning, ())]
        return not tails or any(not tail or tail & word.tail_meanings for tail in tails)

    def holds_compound(self, word: str, language: str) -> bool:
        """Tell whether a German or Dutch word is made of words that stand here."""
        if language not in ("de", "nl") or len(word) > _LONGEST_WORD:
            return False
        if not self._means_as_much(read_word(word, language)):
            return False
        for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
            head, tail = word[:cut].rstrip("s-"), word[cut:]
            if len(head) < _SHORTEST_PART:
                continue
            if all(
                is_plain(part, language) or self.holds(read_word(part, language)) for part in (head, tail)
            ):
                return True
        return False


@lru_cache(maxsize=20_000)
def read_word(text: str, language: str, start: int = 0) -> Word:
    """Return a flat word with its stems and meanings in a language."""
    meant = meanings(text, language)
    plain = (
        is_plain(text, language) or "company" in meant or NEGATION.fullmatch(text) or ABSOLUTE.fullmatch(text)
    )
    compound = language in ("de", "nl") and _LONGEST_WORD > len(text) >= 2 * _SHORTEST_PART - 1
    tails = (
        (meanings(text[cut:], language) for cut in range(_SHORTEST_PART - 1, len(text) - _SHORTEST_PART + 1))
        if compound
        else ()
    )
    return Word(
        text,
        start,
        start + len(text),
        _stems(text),
        meant,
        bool(plain),
        compound,
        tail_meanings=frozenset[str]().union(*tails),
    )


def words_of(flat: str, language: str) -> list[Word]:
    """Return the words of a flat text that are long enough to mean something."""
    read: list[Word] = []
    denials = [match.span() for match in NEGATION.finditer(flat) if " " in match[0]]
    for match in _WORD.finditer(flat):
        whole = match[0].replace(" ", "-")
        if "-" in whole and not meanings(whole, language):
            read += [
                _at(read_word(part[0], language), match.start() + part.start())
                for part in _LETTERS.finditer(whole)
                if len(part[0]) >= _FEWEST_LETTERS
            ]
        elif len(whole) >= _FEWEST_LETTERS:
            word = _at(read_word(whole, language), match.start())
            is_cut = language in ("de", "nl") and _CUT.match(flat, match.end()) is not None
            if any(low <= word.start < high for low, high in denials):
                word = replace(word, plain=True)
            read.append(replace(word, is_cut=True) if is_cut else word)
    return read


_CUT = re.compile(r"-(?:,| (?:und|oder|en|of)\b)")


def _at(word: Word, start: int) -> Word:
    return replace(word, start=start, end=start + len(word.text))


@lru_cache(maxsize=20_000)
def _stems(word: str) -> frozenset[str]:
    """Return what a word may be known by: its first letters, and those behind a prefix that German and Dutch part."""
    stems = {_KEY.sub(r"\1", form)[:_KEY_LENGTH] for form in (word, *_PREFIX.findall(word))}
    return frozenset(stem for stem in stems if len(stem) >= _FEWEST_LETTERS) or frozenset((word,))


@lru_cache(maxsize=100_000)
def _is_inflected(word: str, other: str, *, strict: bool = False) -> bool:
    """Tell whether two words that begin alike differ by no more than an ending; short ones only by a known one.

    Unless `strict`, an ending may be a short word that is joined on: spülmaschine, spülmaschinenfest.
    """
    word, other = _KEY.sub(r"\1", word), _KEY.sub(r"\1", other)
    return any(
        _end_apart(form, another, strict=strict)
        for form in (word, *_PREFIX.findall(word))
        for another in (other, *_PREFIX.findall(other))
    )


def _end_apart(word: str, other: str, *, strict: bool) -> bool:
    shared = 0
    for one, another in zip(word, other, strict=False):
        if one != another:
            break
        shared += 1
    endings = word[shared:], other[shared:]
    if shared >= STEM:
        return all(
            len(ending) <= (_LONGEST_STRANGE if strict else _LONGEST_ENDING)
            or ending in ENDINGS
            or ending in _NOUN_ENDINGS
            for ending in endings
        )
    return shared >= _FEWEST_LETTERS and all(ending in ENDINGS for ending in endings)


_KEY = re.compile(r"([a-z])\1")
_PREFIX = re.compile(
    r"\A(?:ein|an|ab|auf|aus|mit|um|nach|vor|bei|durch|zuruck|zusammen|aan|af|in|uit|op|mee|over|bij|door|terug"
    r"|samen)?(?:ge|zu|te)?([^\W\d_]{4,40})\Z"
)
_KEY_LENGTH = 3


def split_parts(flat: str) -> Iterator[tuple[int, int]]:
    """Yield `[start, end)` of the parts of a flat sentence between commas, semicolons and conjunctions."""
    start = 0
    is_romance = _ROMANCE.search(flat) is not None
    for match in _PARTING.finditer(flat):
        # Dutch `en` is `and`; French and Spanish have it for `in`.
        if match[0].strip() == "en" and is_romance:
            continue
        if match.start() > start:
            yield start, match.start()
        start = match.end()
    if start < len(flat):
        yield start, len(flat)


_PARTING = re.compile(
    r"[,;:]\s|\s[-–—]\s|\s(?:and|und|et|y|en|but|aber|mais|pero|ma|maar|sowie)\s"
    r"|\se\s(?!(?:gratuit|inclus|compres|apert|chius|disponibil|riservat|ammess|necessari|possibil|obbligatori|vietat"
    r"|stat[oa]|servit"
    r"|previst|richiest|valid|sufficient|garantit|fornit|estes|esclus|facil|semplic|situat|entro|a carico|pront"
    r"|il nostro|la nostra))"
)
"""Italian `e` is `and`, but `is` as well, whose accent is gone here."""
_ROMANCE = re.compile(
    r"\b(?:les|des|du|au|et|est|sont|pour|par|nous|vous|votre|vos|notre|nos|sur|dans|el|los|las|una|por|para|con|del|y|su"
    r"|sus|se|que|qui|une)\b"
)
"""Words that French or Spanish has and Dutch has not."""


def is_negative(flat: str) -> bool:
    """Tell whether a flat text denies something; not only denies nothing."""
    return NEGATION.search(_NOT_ONLY.sub(" ", flat)) is not None


_NOT_ONLY = re.compile(
    r"\b(?:not only|nicht nur|non seulement|no solo|non solo|niet alleen|whether or not"
    r"|(?:no|not|never) (?:more|less|fewer|later|earlier) than|(?:nicht|nie) (?:mehr|weniger|spater|fruher) als"
    r"|(?:pas|jamais) (?:plus|moins) (?:de|tard|tot)|(?:no|nunca) (?:mas|menos) (?:de|tarde)|(?:non|mai) (?:piu"
    r"|meno) (?:di|tardi)"
    r"|(?:niet|nooit) (?:meer|minder|later|eerder) dan"
    r"|for nothing|pour rien|per niente|voor niets"
    r"|(?:not|n't) (?:been )?sold|nicht verkauft\w*|n'\w{1,6} pas (?:ete )?vendue?s?|no (?:se ha\w* |hemos )?vendid\w+"
    r"|non (?:\w+ )?(?:stat\w )?vendut\w|niet (?:zijn |is )?verkocht\w*)\b"
)
