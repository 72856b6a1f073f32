"""Reads places off sentences that rank: "first place goes to Acme, Bravo in second", "Acme leads, followed by Bravo"."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Final, NamedTuple

from analytics.answers.instructions import is_task
from analytics.answers.item_names import CountedSpan
from analytics.answers.ordered_names import ordered_names
from analytics.answers.ordinals import LINK
from analytics.answers.place_signs import LAST, NAME, NEXT, PlaceSign, names
from analytics.answers.prose_signs import goes_on, places, praises_most, steps
from analytics.answers.ties import tied_names
from analytics.text.folding import fold
from analytics.text.sentences import sentences_of

_SECOND: Final = 2
_NEAR: Final = 16
"""Characters between a place and its name where another name of the same part stands twice as far off."""
_PARTING = re.compile(
    r"[,;،؛、।]| (?:then|puis|ensuite|dann|danach|poi|luego|despues|depois|daarna|potem|затем|sonra|and|while|with|whereas|und|wahrend|y|mientras|et|tandis que|e(?! (?:prim|second|terz|quart)[oa](?:[.,;]|\Z))|mentre|terwijl|if|unless|wenn|falls|sofern|jesli|если|и|а|ve|و|ثم|और)(?= )"
    rf"| (?:en|i|oraz)(?= {NAME})| en(?= (?:als|op|pas|sluit|tot|daarna|vervolgens|dan|tweede|derde|de tweede|de derde) )"
    rf"| i(?= (?:na|jako|wreszcie|dopiero) )|(?<=[고며]) | -(?= [^{NAME}:,;.]{{2,24}}: ?[^{NAME}:]{{0,8}}{NAME})"
)
_BARE_NAME = re.compile(
    rf"[,;]?(?: (?:and|und|y|et|e|en|i|и|ve|the|der|die|das|el|la|le|de|d'|von|vom|da|do|di|por|pel[oa]s?|par|van|door|by)){{0,3}} ?{NAME}(?: [^ ]{{1,16}}){{0,2}}\W{{0,8}}\Z"
)
"""A part of an enumeration of names: nothing but the name and what it is called by."""
_PUT: Final = (
    "i'd (?:pick|choose|name)|je (?:placerais|mettrais|choisirais|verrais)|(?:yo )?(?:pondria|colocaria|situaria)"
    "|(?:metterei|collocherei|porrei|sceglierei)|(?:eu )?(?:poria|escolheria)|zou ik|ik zet|wurde ich|umiescilbym|я бы поставил"
)
"""How somebody who ranks says that they do, between a place and its name."""
_OPENS_WITH_NAME = re.compile(
    rf"[,;]?(?: (?:a|an|the|der|die|das|el|la|le|il|o|e|y|{LINK}|{_PUT})){{0,3}} ?{NAME}"
)


_SAYS_OF_THE_LAST = re.compile(
    r",? (?:(?:and )?(?:which|what|that) (?:puts|places|makes|leaves|lands|earns|keeps|is why)|(?:putting|leaving|landing|making|placing|earning) (?:it|them)"
    r"|(?:was|weshalb|wodurch|womit) (?:es|sie|ihn|er|ihm)|ce qui (?:l[ae' ]|en)|d'ou sa|lo que (?:l[aoe]|l[ao]s)|il che l[aoe]|cosa che l[aoe]|o que [oa]"
    r"|wat (?:het|hem|haar)|waardoor (?:het|hij|ze)|co (?:daje|stawia|plasuje)|что (?:ставит|выводит|дает|отправляет))(?!\w)"
)
"""Goes on about the name of the part before: `, which puts it fourth`."""
_ONLY_JOINS = re.compile(r",? ?(?:and|y|e|et|und|en|i|и)? ?")
_IS = re.compile(" [éè] ")
"""Portuguese and Italian for "is", which without its accent is "and"."""
_NUMBER_DOT = re.compile(r"(?:\A|\D)\d{1,2}\.\Z")
_PLACE_AHEAD = re.compile(r" (?:Platz|Rang|Stelle|Position|sıra|miejsc|pozycj)")


class PlacePair(NamedTuple):
    """A name of a sentence with its place; a place whose name nobody tracks has no entity."""

    entity: str
    place: int


class _Row(NamedTuple):
    """The pairs of a sentence, and whether they are stated as places: by a noun, a number, or one following another."""

    pairs: list[PlacePair]
    stated: bool
    only_leads: bool = False


class _Paired(NamedTuple):
    entity: str
    sign: PlaceSign


def place_pairs(
    text: str, counted: Sequence[CountedSpan], ranks: Mapping[str, int], *, listed: bool
) -> dict[str, int]:
    """Return the places of entities that sentences pair with one name each, beside those that are known.

    `counted` are all counted spans in order, `ranks` the known places; a sentence that contradicts them gives none. A
    sentence gives two places at least that count on, or one that goes on from the last. Who is said to lead is first
    before a second, unless a structure of the text `listed` places; so is whom alone the sentence before praises most.
    """
    places: dict[str, int] = {}
    known = dict(ranks)
    leader: str | None = None
    favored: str | None = None
    holder: str | None = None
    last = 0
    shared: set[int] = set()
    for whole, every in _sentences(text, counted):
        sentence, entities, partners = tied_names(whole, every)
        follows = favored is not None and goes_on(sentence)
        row = _row(sentence, entities, last or int(follows), known, listed=listed)
        if not row.pairs and {holder} == set(entities):
            continue  # goes on about the one before
        if follows and leader is None and row.pairs and row.pairs[0].place == _SECOND:
            leader = favored
        favored = _favored(sentence, entities, row)
        holder = favored or (row.pairs[-1].entity if row.pairs else None)
        last = max((pair.place for pair in row.pairs), default=last if row.only_leads else 0)
        for pair in _tied(row, partners, known):
            more = dict.fromkeys((pair.entity, *partners[pair.entity]), pair.place)
            places |= more
            known |= more
            shared.update(range(pair.place + 1, pair.place + len(more)))
        if row.only_leads:
            leader, last = leader or row.pairs[0].entity, 1
            continue
        given = {*known.values(), *shared, *((1,) if leader is not None else ())}
        if _counts_on(row, given) and all(
            known.get(pair.entity, pair.place) == pair.place for pair in row.pairs
        ):
            fresh = {pair.entity: pair.place for pair in row.pairs if pair.entity not in known}
            fresh.pop("", None)
            places.update(fresh)
            known.update(fresh)
    values = known.values()
    if leader is not None and leader not in known and 2 in values and 1 not in values:
        places[leader] = 1
    return places


def _tied(row: _Row, partners: Mapping[str, list[str]], known: Mapping[str, int]) -> list[PlacePair]:
    """The pairs of a sentence whose names share a place that it states, if nobody of them is ranked yet."""
    if not partners or not (row.stated or row.only_leads):
        return []
    return [
        pair
        for pair in row.pairs
        if pair.entity in partners and known.keys().isdisjoint((pair.entity, *partners[pair.entity]))
    ]


def implied_first(text: str, counted: Sequence[CountedSpan], ranks: Mapping[str, int]) -> str | None:
    """Return whom alone a text names before the second, in the sentence before or in its own, if it also has a third.

    Without a word for it, that is the first: "Take Acme. My second choice is Bravo, my third Charlie."
    """
    second = next((span for span in counted if ranks.get(span[2]) == _SECOND), None)
    if second is None or not {_SECOND, _SECOND + 1} <= set(ranks.values()) or 1 in ranks.values():
        return None
    before = [span for span in counted if span < second]
    sentences = sentences_of(text)
    low, _ = sentences.around(second[0], second[1])
    if not before or len({entity for _, _, entity in before}) > 1 or before[0][2] in ranks:
        return None
    return before[0][2] if before[-1][1] > sentences.around(low - 1, low)[0] else None


def _favored(sentence: str, entities: Sequence[str], row: _Row) -> str | None:
    """Whom alone a sentence names that gives no place but praises most."""
    alone = not row.pairs and len(set(entities)) == 1
    return entities[0] if alone and praises_most(sentence) else None


def _sentences(text: str, counted: Sequence[CountedSpan]) -> Iterator[tuple[str, list[str]]]:
    """Yield the sentences that hold names, folded and with a sign for each name, and whom these name."""
    for low, high, spans in _named_parts(text, counted):
        pieces: list[str] = []
        entities: list[str] = []
        at = low
        for start, end, entity in spans:
            pieces += (text[at:start], NAME)
            entities.append(entity)
            at = end
        yield fold(_IS.sub(" est ", "".join((*pieces, text[at:high])))).text, entities


def _named_parts(
    text: str, counted: Sequence[CountedSpan]
) -> Iterator[tuple[int, int, Sequence[CountedSpan]]]:
    """Yield `[low, high)` of the sentences that hold names, with these; the dot of `on 2. place` (German) ends none."""
    sentences = sentences_of(text)
    at = high = 0
    while at < len(counted):
        before = high
        low, high = sentences.around(*counted[at][:2])
        while low > before and _is_within_place(text, low):
            low = sentences.around(low - 1, low)[0]
        while high < len(text) and _is_within_place(text, high):
            high = sentences.around(high, high + 1)[1]
        low, high = _between_dandas(text, low, high, counted[at])
        end = bisect_left(counted, (high,), at)
        yield low, max(high, counted[end - 1][1]), counted[at:end]
        at = end


def _between_dandas(text: str, low: int, high: int, span: CountedSpan) -> tuple[int, int]:
    """The part of a sentence around a span that the full stop of Hindi ends."""
    end = text.find("।", span[1], high)
    return max(low, text.rfind("।", low, span[0]) + 1), end + 1 if end >= 0 else high


def _is_within_place(text: str, at: int) -> bool:
    """Whether a number with its dot ends at an offset, and the noun of a place follows."""
    return (
        text[at - 2 : at - 1].isdigit()
        and _PLACE_AHEAD.match(text, at) is not None
        and _NUMBER_DOT.search(text, max(0, at - 4), at) is not None
    )


def _row(
    sentence: str, entities: Sequence[str], last: int, known: Mapping[str, int], *, listed: bool
) -> _Row:
    """The places of a sentence that tells no step, with their names: in turns, in order, or one of each in a part of the sentence."""
    if is_task(sentence):
        return _Row([], stated=False)
    named, strong = list(names(sentence, entities)), list(places(sentence))
    if strong and len(named) == len(strong) and _take_turns(signs := sorted((*named, *strong))):
        pairs = [_pair(*signs[at : at + 2]) for at in range(0, len(signs), 2)]
        stated = any(sign.explicit for sign in strong) or len(pairs) > 1
        return _Row(pairs, stated, only_leads=_only_leads(pairs))
    if not (strong or listed):
        ordered = ordered_names(sentence, entities)
        if ordered:
            return _Row([PlacePair(entity, place) for entity, place in ordered.items()], stated=True)
    loose = [] if listed else list(steps(sentence, strong))
    return _resolved(_by_parts(sentence, sorted((*named, *strong, *loose))), last, known)


def _by_parts(sentence: str, signs: Sequence[PlaceSign]) -> list[_Paired]:
    """The name and the place of each part of a sentence that holds one of each; nothing where a part is not clear."""
    within = {at for sign in signs for at in range(sign.at + 1, sign.end)}
    partings = [at for at in _partings(sentence) if at not in within]
    bound, signs = _in_brackets(sentence, signs)
    paired: list[_Paired] = []
    waiting: PlaceSign | None = None
    passed: list[PlaceSign] = []  # the name of the part before, if that gave it no place
    first = 0
    for low, high in pairwise((0, *partings, len(sentence))):
        end = bisect_left(signs, (high,), first)
        part, first = signs[first:end], end
        paired += [pair for pair in bound if low <= pair.sign.at < high] if bound else []
        named = [sign for sign in part if sign.entity]
        place = _place_in(part)
        if place is not None and waiting is not None and _say_one_place(sentence, waiting, place):
            place, waiting = (place if place.place > 0 else waiting), None
        if place is not None and not named and passed and _SAYS_OF_THE_LAST.match(sentence, low):
            named = passed
        passed = named if place is None and len(named) == 1 else []
        if place is None and waiting is not None and named and _OPENS_WITH_NAME.match(sentence, low):
            place, named, waiting = waiting, named[:1], None
        elif place is None and _goes_on(paired) and _BARE_NAME.fullmatch(sentence, low, high):
            place = PlaceSign(low, low, place=NEXT)
        if place is None:
            continue
        if waiting is not None and not waiting.weak:
            paired.append(_Paired("", waiting))
        waiting = None
        if not named:
            waiting = place
            continue
        nearest = _nearest(place, named)
        if nearest is not None:
            paired.append(_Paired(nearest.entity, place))
        elif not place.weak:
            return []
    if waiting is not None and waiting.place > 0 and not waiting.weak:
        paired.append(_Paired("", waiting))
    return sorted(paired, key=_place_at) if bound else paired


def _partings(sentence: str) -> Iterator[int]:
    """Where the parts of a sentence end."""
    return (parting.start() for parting in _PARTING.finditer(sentence))


def _say_one_place(sentence: str, earlier: PlaceSign, other: PlaceSign) -> bool:
    """Whether a number and being last say the same, for lack of a name between: `finally, in third place`."""
    return (earlier.place == LAST and other.place > 0 and not other.weak) or (
        other.place == LAST
        and earlier.place > 0
        and not earlier.weak
        and _ONLY_JOINS.fullmatch(sentence, earlier.end, other.at) is not None
    )


def _place_at(pair: _Paired) -> int:
    return pair.sign.at


def _in_brackets(sentence: str, signs: Sequence[PlaceSign]) -> tuple[list[_Paired], Sequence[PlaceSign]]:
    """The pairs of names and places in brackets right behind them, and the signs that are left."""
    bound = [
        at
        for at, (earlier, other) in enumerate(pairwise(signs))
        if earlier.entity and other.place > 0 and sentence[earlier.end : other.at] in (" (", "(")
    ]
    if not bound:
        return [], signs
    taken = {at + more for at in bound for more in (0, 1)}
    pairs = [_Paired(signs[at].entity, signs[at + 1]) for at in bound]
    return pairs, [sign for at, sign in enumerate(signs) if at not in taken]


def _place_in(part: Sequence[PlaceSign]) -> PlaceSign | None:
    """The place that a part of a sentence tells: its number before who follows whom, and that before who leads."""
    told = [sign for sign in part if sign.place]
    numbered = [sign for sign in told if sign.place > 0 and not sign.weak]
    if numbered:
        return next((sign for sign in numbered if sign.explicit), numbered[0])
    return next((sign for sign in told if not sign.weak), told[0] if told else None)


def _goes_on(paired: Sequence[_Paired]) -> bool:
    """Whether an enumeration of those who follow is open."""
    return bool(paired) and paired[-1].sign.place == NEXT


def _nearest(place: PlaceSign, named: Sequence[PlaceSign]) -> PlaceSign | None:
    """The name of a place: the only one of its part, or one that stands far nearer than the others."""
    if len(named) == 1:
        return named[0]
    gaps = sorted((max(place.at - sign.end, sign.at - place.end), sign) for sign in named)
    return gaps[0][1] if gaps[0][0] <= _NEAR and gaps[1][0] >= 2 * gaps[0][0] else None


def _resolved(paired: Sequence[_Paired], last: int, known: Mapping[str, int]) -> _Row:
    """Number those that follow others, that lead and that are last."""
    pairs: list[PlacePair] = []
    stated = False
    strong = 0
    for entity, sign in paired:
        place = sign.place
        if sign.weak:
            if pairs:
                continue
            place = known.get(entity, 1)
        elif place == NEXT or (place == LAST and last > 1):
            if not last:
                continue
            place, stated = last + 1, True
        elif place == LAST:
            continue
        else:
            strong += 1
            stated = stated or sign.explicit
        pairs.append(PlacePair(entity, place))
        last = place
    return _Row(pairs, stated or strong > 1, only_leads=_only_leads(pairs))


def _only_leads(pairs: Sequence[PlacePair]) -> bool:
    """Whether a sentence tells nothing but who is first, which others may go on from."""
    return len(pairs) == 1 and pairs[0].entity != "" and pairs[0].place == 1


def _take_turns(signs: Sequence[PlaceSign]) -> bool:
    return all(bool(earlier.place) != bool(other.place) for earlier, other in pairwise(signs))


def _pair(first: PlaceSign, other: PlaceSign) -> PlacePair:
    return PlacePair(first.entity or other.entity, first.place or other.place)


def _counts_on(row: _Row, given: AbstractSet[int]) -> bool:
    """Whether places count on, each name having its own; a single one stands beside one that is `given`."""
    pairs = row.pairs
    tracked = [pair.entity for pair in pairs if pair.entity]
    if not tracked or len(set(tracked)) < len(tracked):
        return False
    if len(pairs) == 1:
        place = pairs[0].place
        return place not in given and (place - 1 in given or (place == 1 and place + 1 in given))
    rising = all(later.place > earlier.place for earlier, later in pairwise(pairs))
    without_gaps = rising and pairs[-1].place - pairs[0].place == len(pairs) - 1
    return rising and (row.stated or without_gaps)
