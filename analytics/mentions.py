"""Finds where a text names each of many entities, and says for every hit whether it counts."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from ahocorasick_rs import AhoCorasick

from analytics.absence import LONGEST_PHRASE, denials, is_absence, is_doubtful
from analytics.aliases import Entity, alias_set_hash
from analytics.blanking import blank
from analytics.folding import FoldedText, fold
from analytics.hits import Hit, Judged, at_free_edges, judge
from analytics.language import FUNCTION_WORDS
from analytics.patterns import Claims
from analytics.scripts import Script, script_of
from analytics.sentences import Sentences

VERSION = "matcher/1"

_WORD = re.compile(r"[^\W_]+")
_CONTEXT_WORDS = 8
_CONTEXT_CHARACTERS = 400


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


class Matcher:
    """Searches texts for all names of a set of entities; compiled once, safe to share and to pickle.

    Raises AliasConflict when two entities claim one name, EmptyAlias when a name holds no letter or digit.
    """

    def __init__(self, entities: Iterable[Entity]):
        self.entities = tuple(entities)
        self.alias_set_hash = alias_set_hash(self.entities)
        claims = Claims(self.entities)
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
        judged = [j for hit in self._hits(folded, text) if (j := judge(hit, text)) is not None]
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

    def _hits(self, folded: FoldedText, text: str) -> list[Hit]:
        """All hits with free edges after overlap resolution, from left to right."""
        found: list[Hit] = []
        for index, start, end in self._automaton.find_matches_as_indexes(folded.text, overlapping=True):
            hit = at_free_edges(self._patterns[index], folded, start, end, text)
            if hit is not None:
                found.append(hit)
        if len(found) > 1:
            found.sort(key=lambda hit: (hit.start, -hit.end))
        at = 0
        chosen: list[Hit] = []
        for hit in found:
            if hit.start >= at:
                at = hit.end
                if hit.names:
                    chosen.append(hit)
        return chosen

    def _objection(self, found: Judged, folded: str, certain: bool) -> Literal["case", "context"] | None:
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


class _Clauses:
    """Turns judged hits of one text into spans; folds and cuts only the sentences that may deny something."""

    def __init__(self, text: str, blanked: str, folded: FoldedText):
        self.sentences = Sentences(text)
        self._blanked = blanked
        self._doubts: dict[tuple[int, int], bool] = {}
        self._denials = [folded.origin(at) for at in denials(folded.text)]

    def span(self, found: Judged, reason: Literal["case", "context"] | None, earlier: Sequence[Span]) -> Span:
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
