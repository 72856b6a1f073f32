"""Reads places off sentences in which places and names take turns: "first place goes to Acme, Bravo in second"."""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby, pairwise
from typing import Final, NamedTuple, TypeAlias

from analytics.answers.ordinals import LINK, NUMBERED, PLACE_NOUN, WORDS, number_of
from analytics.text.folding import fold
from analytics.text.sentences import Sentences

CountedSpan: TypeAlias = tuple[int, int, str]
"""`[start, end)` of a counted span and the entity that it names."""

_NAME: Final = "\u25c6"
"""Stands in a sentence for a name."""
_A_PAIR: Final = 2
_PLACE = re.compile(
    rf"(?<!\w)(?:(?P<lead>(?:المرتبه|المركز|المكان|miejsce|место) )?(?:{WORDS})(?P<noun>(?: (?:{PLACE_NOUN}))+)?|{NUMBERED})(?!\w)"
)
_STANDS_ALONE = re.compile(
    rf"[ \"'*]{{0,4}}(?:[-,:.;)]|\Z|{_NAME}|(?:{LINK}|in|on|at|with|and|und|y|et|en|i|и)\b)"
)
"""May follow an ordinal that has no noun; before another noun (`in its first year`) it gives no place."""
_PARTING = re.compile(
    r"[,;،؛]| (?:and|while|with|whereas|und|wahrend|y|mientras|et|tandis que|e|mentre|terwijl|и|а|ve|ise|و)(?= )"
)
_LEADER = re.compile(
    r"(?<!\w)(?:(?:my|our|the|a) (?:clear |overall |personal |absolute )?(?:favou?rite|winner|leader|standout|best)|top (?:pick|choice|spot)"
    r"|testsieger|spitzenreiter|favorit|sieger|en tete(?: du classement)?|meilleure?|gagnante?|vainqueur|mejor|ganadora?|favorit[aeo]"
    r"|migliore|vincitore|vincitrice|preferit[ao]|melhor|vencedora?|beste|winnaar|favoriet|najleps[a-z]{1,3}|zwyciezca|lider"
    r"|лучш[а-я]{2}|победител[а-я]{1,2}|лидер)"
    rf"(?: (?:overall|choice|pick|option))?(?: ?:| -|,?(?: (?:{LINK})){{1,2}}:?)(?: (?:the|die|der|das|el|la|le|il|o|a|de))? ?[\"'“]?{_NAME}"
)
"""Says without a number who comes first; it counts where the text goes on with the second."""


class PlacePair(NamedTuple):
    """A name of a sentence with its place."""

    entity: str
    place: int


class _Sign(NamedTuple):
    """A name of a sentence or, if `place` is set, a place; `explicit` when a noun or a number says that it is one."""

    at: int
    entity: str = ""
    place: int = 0
    explicit: bool = False


def place_pairs(
    text: str, counted: Sequence[CountedSpan], ranks: Mapping[str, int], *, listed: bool
) -> dict[str, int]:
    """Return the places of entities that sentences pair with one name each, beside those that are known.

    `counted` are all counted spans in order, `ranks` the known places; a sentence that contradicts them gives none. A
    sentence gives two places at least that count on, or one that goes on from the last. Who is called the best is first
    before a second, unless a structure of the text `listed` places.
    """
    found: dict[str, int] = {}
    known = dict(ranks)
    leader: str | None = None
    for sentence, entities in _sentences(text, counted):
        leads = _LEADER.search(sentence) if leader is None and not listed else None
        if leads is not None:
            leader = entities[sentence.count(_NAME, 0, leads.end()) - 1]
        pairs = _pairs(sentence, entities)
        given = {*known.values(), *((1,) if leader is not None else ())}
        if _counts_on(pairs, given) and all(
            known.get(pair.entity, pair.place) == pair.place for pair in pairs
        ):
            fresh = {pair.entity: pair.place for pair in pairs if pair.entity not in known}
            found.update(fresh)
            known.update(fresh)
    places = known.values()
    if leader is not None and leader not in known and 2 in places and 1 not in places:
        found[leader] = 1
    return found


def _sentences(text: str, counted: Sequence[CountedSpan]) -> Iterator[tuple[str, list[str]]]:
    """Yield the sentences that hold names, folded and with a sign for each name, and whom these name."""
    sentences = Sentences(text)
    for (low, high), spans in groupby(counted, key=lambda span: sentences.around(span[0], span[1])):
        pieces: list[str] = []
        entities: list[str] = []
        at = low
        for start, end, entity in spans:
            pieces += (text[at:start], _NAME)
            entities.append(entity)
            at = end
        yield fold("".join((*pieces, text[at:high]))).text, entities


def _pairs(sentence: str, entities: Sequence[str]) -> list[PlacePair]:
    """The places of a sentence with their names if they take turns, or if each part of it holds one of each."""
    signs = [*_places(sentence), *_names(sentence, entities)]
    if not any(sign.explicit for sign in signs):
        return []
    signs.sort()
    if len(signs) % 2 == 0 and _take_turns(signs):
        return [_pair(signs[at : at + 2]) for at in range(0, len(signs), 2)]
    partings = [parting.start() for parting in _PARTING.finditer(sentence)]
    pairs: list[PlacePair] = []
    for low, high in pairwise((0, *partings, len(sentence))):
        part = [sign for sign in signs if low <= sign.at < high]
        if not any(sign.place for sign in part):
            continue
        if len(part) != _A_PAIR or not _take_turns(part):
            return []
        pairs.append(_pair(part))
    return pairs


def _places(sentence: str) -> Iterator[_Sign]:
    for match in _PLACE.finditer(sentence):
        explicit = any(match[name] is not None for name in ("lead", "noun", "n1", "n2"))
        place = number_of(match)
        if place and (explicit or _STANDS_ALONE.match(sentence, match.end())):
            yield _Sign(match.start(), place=place, explicit=explicit)


def _names(sentence: str, entities: Sequence[str]) -> Iterator[_Sign]:
    at = -1
    for entity in entities:
        at = sentence.find(_NAME, at + 1)
        yield _Sign(at, entity)


def _take_turns(signs: Sequence[_Sign]) -> bool:
    return all(bool(one.place) != bool(other.place) for one, other in pairwise(signs))


def _pair(signs: Sequence[_Sign]) -> PlacePair:
    one, other = signs
    return PlacePair(one.entity or other.entity, one.place or other.place)


def _counts_on(pairs: Sequence[PlacePair], given: AbstractSet[int]) -> bool:
    """Whether places count on, each name having its own; a single one stands beside one that is `given`."""
    if len({pair.entity for pair in pairs}) < len(pairs):
        return False
    if len(pairs) == 1:
        place = pairs[0].place
        return place - 1 in given or (place == 1 and place + 1 in given)
    return bool(pairs) and all(later.place == one.place + 1 for one, later in pairwise(pairs))
