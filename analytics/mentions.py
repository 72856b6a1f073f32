"""Finds where a text names each of many entities, and says for every hit whether it counts."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple

from ahocorasick_rs import AhoCorasick

from analytics.absence import LONGEST_PHRASE, denials, is_absence, is_doubtful
from analytics.aliases import Alias, Entity, alias_set_hash, folded_name, inflections, is_cyrillic, spellings
from analytics.blanking import blank
from analytics.errors import AliasConflict, EmptyAlias
from analytics.folding import FoldedText, fold, written
from analytics.language import FUNCTION_WORDS
from analytics.scripts import Script, left_edge_is_free, right_edge_is_free, script_of
from analytics.sentences import Sentences

VERSION = "matcher/1"

_CYRILLIC_SUFFIX = re.compile("(?:ой|ей|ом|ем|ов|[ауыиеюя])")
_WORD = re.compile(r"[^\W_]+")
_CONTEXT_WORDS = 8
_CONTEXT_CHARACTERS = 400
_SHORT_NAME = 3


class Status(StrEnum):
    """Only a `COUNTED` mention makes an answer name the entity."""

    COUNTED = "counted"
    ABSENCE = "absence"
    UNCERTAIN = "uncertain"


@dataclass(frozen=True, slots=True)
class Span:
    """One hit, `[start, end)` in code points of the text; `reason` says what an uncertain one failed."""

    start: int
    end: int
    kind: Literal["exact", "inflected"] = "exact"
    status: Status = Status.COUNTED
    reason: Literal["case", "context"] | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """All hits of one entity in one text, in order.

    `status` is the best of its spans. `occurrences` counts the counted spans. `first` is the start of the
    first counted span, else of the first span; `quote` is the sentence around it as written, at most 300
    characters.
    """

    entity_id: str
    status: Status
    spans: tuple[Span, ...]
    occurrences: int
    first: int
    quote: str

    @property
    def counted(self) -> tuple[Span, ...]:
        """The spans that count, in order."""
        return tuple(span for span in self.spans if span.status is Status.COUNTED)


class _Name(NamedTuple):
    """An alias as the matcher needs it."""

    ambiguous: bool
    exact: bool
    as_written: str | None  # None: any case will do
    capitals: bool  # all capitals will do as well
    takes_s: bool
    takes_cyrillic: bool
    inflected: bool  # the pattern itself is an inflected form


class _Pattern(NamedTuple):
    """A text to look for. Without names it is a negative term, which swallows its span."""

    entity: int
    names: tuple[_Name, ...]


class _Hit(NamedTuple):
    """A pattern found with free edges; `start` and `end` in the folded text, `span` in the original."""

    start: int
    end: int
    pattern: _Pattern
    names: tuple[_Name, ...]
    inflected: bool
    span: tuple[int, int]


class _Judged(NamedTuple):
    """A hit of an entity after the rules about case. `ambiguous`: it still needs its context."""

    hit: _Hit
    inflected: bool
    fails_case: bool
    ambiguous: bool


def _name(alias: Alias, folded: str, *, inflected: bool) -> _Name:
    letters = [char for char in alias.text if char.isalpha()]
    capital = any(char.isupper() for char in letters)
    exact = alias.case == "exact"
    short = capital and len(letters) <= _SHORT_NAME
    strict = exact or alias.ambiguous or short
    return _Name(
        ambiguous=alias.ambiguous,
        exact=exact,
        as_written=written(alias.text) if strict else None,
        capitals=short and not (exact or alias.ambiguous),
        takes_s=len(letters) >= _SHORT_NAME and not alias.ambiguous,
        takes_cyrillic=is_cyrillic(folded),
        inflected=inflected,
    )


class _Claims:
    """Collects which pattern belongs to whom while a matcher is built."""

    def __init__(self, entities: Sequence[Entity]):
        self.entities = entities
        self.owner: dict[str, int] = {}
        self.names: dict[str, list[_Name]] = defaultdict(list)

    def add_names(self, *, inflected: bool) -> None:
        for index, entity in enumerate(self.entities):
            for alias in entity.aliases:
                folded = folded_name(alias.text)
                if not any(script_of(char) is not Script.NONE for char in folded):
                    raise EmptyAlias(alias.text, entity.id)
                name = _name(alias, folded, inflected=inflected)
                forms = inflections(folded) if inflected else spellings(folded)
                for form in forms:
                    self._claim(form, index, alias, name)

    def _claim(self, form: str, index: int, alias: Alias, name: _Name) -> None:
        """A spelling is exclusive; an inflected form yields to whoever claimed it before."""
        owner = self.owner.setdefault(form, index)
        if owner == index:
            self.names[form].append(name)
        elif not name.inflected:
            raise AliasConflict(alias.text, self.entities[owner].id, self.entities[index].id)

    def patterns(self) -> dict[str, _Pattern]:
        found = {form: _Pattern(self.owner[form], tuple(names)) for form, names in self.names.items()}
        for index, entity in enumerate(self.entities):
            for term in entity.negative_terms:
                folded = folded_name(term)
                if not folded:
                    raise EmptyAlias(term, entity.id)
                for form in spellings(folded):
                    found.setdefault(form, _Pattern(index, ()))
        return found


class Matcher:
    """Searches texts for all names of a set of entities; compiled once, safe to share and to pickle.

    Raises AliasConflict when two entities claim one name, EmptyAlias when a name holds no letter or digit.
    """

    def __init__(self, entities: Iterable[Entity]):
        self.entities = tuple(entities)
        self.alias_set_hash = alias_set_hash(self.entities)
        claims = _Claims(self.entities)
        claims.add_names(inflected=False)
        claims.add_names(inflected=True)
        patterns = claims.patterns()
        self._patterns = list(patterns.values())
        self._automaton = AhoCorasick(list(patterns))
        self._domains = frozenset(form for form in patterns if "." in form)
        self._categories = [_category_words(entity.category_words) for entity in self.entities]

    def __reduce__(self) -> tuple[type["Matcher"], tuple[tuple[Entity, ...]]]:
        return Matcher, (self.entities,)

    def find(self, text: str, cited_owners: Collection[str] = frozenset()) -> tuple[Mention, ...]:
        """One mention per entity with a hit, in order of first appearance.

        `cited_owners` are the ids of entities whose own site the answer cites: an ambiguous name counts then.
        """
        blanked = blank(text, self._domains)
        folded = fold(blanked)
        judged = [j for hit in self._hits(folded, text) if (j := _judge(hit, text)) is not None]
        if not judged:
            return ()
        certain = {j.hit.pattern.entity for j in judged if not (j.ambiguous or j.fails_case)}
        if cited_owners:
            certain.update(index for index, entity in enumerate(self.entities) if entity.id in cited_owners)
        spans: dict[int, list[Span]] = defaultdict(list)
        clauses = _Clauses(text, blanked, folded)
        for found in judged:
            entity = found.hit.pattern.entity
            reason = self._objection(found, folded.text, entity in certain)
            spans[entity].append(clauses.span(found, reason, spans[entity]))
        return tuple(self._mention(entity, tuple(of), clauses.sentences) for entity, of in spans.items())

    def named(self, text: str) -> frozenset[str]:
        """The ids of the entities that a text (a prompt) names, even to say it knows nothing about them."""
        mentions = self.find(text)
        return frozenset(mention.entity_id for mention in mentions if mention.status is not Status.UNCERTAIN)

    def _hits(self, folded: FoldedText, text: str) -> list[_Hit]:
        """All hits with free edges after overlap resolution, from left to right."""
        found: list[_Hit] = []
        for index, start, end in self._automaton.find_matches_as_indexes(folded.text, overlapping=True):
            hit = _at_free_edges(self._patterns[index], folded, start, end, text)
            if hit is not None:
                found.append(hit)
        if len(found) > 1:
            found.sort(key=lambda hit: (hit.start, -hit.end))
        at = 0
        chosen: list[_Hit] = []
        for hit in found:
            if hit.start >= at:
                at = hit.end
                if hit.names:
                    chosen.append(hit)
        return chosen

    def _objection(self, found: _Judged, folded: str, certain: bool) -> Literal["case", "context"] | None:
        if found.fails_case:
            return "case"
        if not found.ambiguous or certain:
            return None
        words = self._categories[found.hit.pattern.entity]
        return None if _near(words, folded, found.hit.start, found.hit.end) else "context"

    def _mention(self, index: int, spans: tuple[Span, ...], sentences: Sentences) -> Mention:
        counted = [span for span in spans if span.status is Status.COUNTED]
        absent = any(span.status is Status.ABSENCE for span in spans)
        status = Status.COUNTED if counted else Status.ABSENCE if absent else Status.UNCERTAIN
        first = counted[0] if counted else spans[0]
        quote = sentences.quote(first.start, first.end)
        return Mention(self.entities[index].id, status, spans, len(counted), first.start, quote)


def _at_free_edges(pattern: _Pattern, folded: FoldedText, start: int, end: int, text: str) -> _Hit | None:
    """The hit if no letter binds it to its neighbours, or only an ending that its names may take."""
    letters = folded.text
    if start and not left_edge_is_free(letters[start - 1], letters[start]):
        return None
    free = end == len(letters) or right_edge_is_free(letters[end - 1], letters[end])
    span = folded.span(start, end)
    if span is None:
        return None
    names = pattern.names if free else _inflecting(pattern.names, letters, end, text[span[0]])
    if not free and not names:
        return None
    return _Hit(start, end, pattern, names, not free, span)


def _inflecting(names: tuple[_Name, ...], folded: str, end: int, first: str) -> tuple[_Name, ...]:
    """The names that allow the ending at `end`: Latin `s` after a capital, or a Cyrillic case ending."""
    if folded[end] == "s" and _ends_at(folded, end + 1):
        return tuple(name for name in names if name.takes_s) if first.isupper() else ()
    suffix = _CYRILLIC_SUFFIX.match(folded, end)
    while suffix is not None:
        if _ends_at(folded, suffix.end()):
            return tuple(name for name in names if name.takes_cyrillic and not name.inflected)
        suffix = _CYRILLIC_SUFFIX.match(folded, end, suffix.end() - 1)
    return ()


def _ends_at(folded: str, end: int) -> bool:
    return end == len(folded) or right_edge_is_free(folded[end - 1], folded[end])


def _judge(hit: _Hit, text: str) -> _Judged | None:
    """The best that the hit's names make of its case; None if only exact names are left, not as written."""
    best: _Judged | None = None
    shown: str | None = None
    for name in hit.names:
        passes = True
        if name.as_written is not None:
            shown = written(text[slice(*hit.span)]) if shown is None else shown
            passes = shown == name.as_written or (name.capitals and shown == shown.upper())
        if not passes and name.exact:
            continue
        judged = _Judged(hit, hit.inflected or name.inflected, not passes, name.ambiguous)
        if best is None or (judged.fails_case, judged.ambiguous) < (best.fails_case, best.ambiguous):
            best = judged
    return best


class _Clauses:
    """Turns judged hits of one text into spans; folds and cuts only the sentences that may deny something."""

    def __init__(self, text: str, blanked: str, folded: FoldedText):
        self.sentences = Sentences(text)
        self._blanked = blanked
        self._doubts: dict[tuple[int, int], bool] = {}
        self._denials = [folded.origin(at) for at in denials(folded.text)]

    def span(
        self, found: _Judged, reason: Literal["case", "context"] | None, earlier: Sequence[Span]
    ) -> Span:
        start, end = found.hit.span
        kind = "inflected" if found.inflected else "exact"
        if reason is not None:
            return Span(start, end, kind, Status.UNCERTAIN, reason)
        first = next((span for span in earlier if span.status is not Status.UNCERTAIN), None)
        absent = self._is_absence(start, end) or (
            first is not None and first.status is Status.ABSENCE and self._is_doubtful(start, end)
        )
        return Span(start, end, kind, Status.ABSENCE if absent else Status.COUNTED)

    def _is_absence(self, start: int, end: int) -> bool:
        if not self._denials:
            return False
        first, last = self.sentences.around(start, end)
        if bisect_left(self._denials, first) == bisect_left(self._denials, last):
            return False
        low, high = self.sentences.clause(start, end)
        before = max(low, start - LONGEST_PHRASE)
        return is_absence(self._folded(before, start), self._folded(end, min(high, end + LONGEST_PHRASE)))

    def _is_doubtful(self, start: int, end: int) -> bool:
        sentence = self.sentences.around(start, end)
        if sentence not in self._doubts:
            self._doubts[sentence] = is_doubtful(self._folded(*sentence))
        return self._doubts[sentence]

    def _folded(self, start: int, end: int) -> str:
        return fold(self._blanked[start:end]).text


def _category_words(texts: Iterable[str]) -> frozenset[str]:
    """The folded words of a profile's industry and keywords, without function words."""
    words = frozenset(word for text in texts for word in _WORD.findall(fold(text).text))
    return words.difference(*FUNCTION_WORDS.values())


def _near(words: frozenset[str], folded: str, start: int, end: int) -> bool:
    """Whether one of the words stands within eight words of a hit.

    Where words are written without blanks, a run of letters that holds the word is enough.
    """
    if not words:
        return False
    before = _WORD.findall(folded[max(0, start - _CONTEXT_CHARACTERS) : start])[-_CONTEXT_WORDS:]
    after = _WORD.findall(folded[end : end + _CONTEXT_CHARACTERS])[:_CONTEXT_WORDS]
    around = before + after
    if not words.isdisjoint(around):
        return True
    glued = [word for word in words if script_of(word[0]) not in (Script.SPACED, Script.NONE)]
    return any(word in run for word in glued for run in around)
