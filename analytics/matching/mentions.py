"""Mention detection: finds the mentions of many entities in a text, and decides whether each one counts."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Literal

from ahocorasick_rs import AhoCorasick

from analytics.matching.aliases import Entity, alias_set_hash, joined_by_hyphens
from analytics.matching.context import AnswerContext
from analytics.matching.masking import blank
from analytics.matching.matches import MatchDecision, PatternMatch, at_free_edges, judge
from analytics.matching.name_filter import NameFilter
from analytics.matching.negation import NameSpan, NegatedMentions
from analytics.matching.patterns import Claims
from analytics.text.folding import FoldedText, fold
from analytics.text.language import FUNCTION_WORDS, detect, primary
from analytics.text.markup import neutralize
from analytics.text.scripts import Script, script_of
from analytics.text.sentences import Sentences, sentences_of

VERSION = "matcher/12"

_WORD = re.compile(r"[^\W_]+")
_CONTEXT_WORDS = 8
_CONTEXT_CHARACTERS = 400


class MentionStatus(StrEnum):
    """Only a `COUNTED` mention makes an answer name the entity. `ABSENCE` is a negated mention."""

    COUNTED = "counted"
    ABSENCE = "absence"
    UNCERTAIN = "uncertain"


@dataclass(frozen=True, slots=True)
class TextSpan:
    """One match, `[start, end)` in code points of the text. `reason` is the check that an uncertain one failed."""

    start: int
    end: int
    kind: Literal["exact", "inflected"] = "exact"
    status: MentionStatus = MentionStatus.COUNTED
    reason: Literal["case", "context"] | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """All matches of one entity in one text, in order.

    `status` is the best status of its spans. `occurrences` counts the counted spans. `first` is the start of
    the first counted span, or of the first span if none counts. `quote` is the sentence around it as written,
    at most 300 characters.
    """

    entity_id: str
    status: MentionStatus
    spans: tuple[TextSpan, ...]
    occurrences: int
    first: int
    quote: str

    @property
    def counted(self) -> tuple[TextSpan, ...]:
        """The spans that count, in order."""
        return tuple(span for span in self.spans if span.status is MentionStatus.COUNTED)


class Matcher:
    """Searches texts for all names of a set of entities. Compiled once, safe to share and to pickle.

    Raises AliasConflict if two entities claim the same name, EmptyAlias if a name has no letter or digit.
    """

    def __init__(self, entities: Iterable[Entity]):
        self.entities = tuple(entities)
        claims = Claims(self.entities)
        claims.add_names()
        patterns = claims.patterns()
        self._patterns = list(patterns.values())
        self._automaton = AhoCorasick(list(patterns))
        self._filter = NameFilter([form for form, pattern in patterns.items() if pattern.names])
        self._domains = frozenset(form for form in patterns if "." in form)
        self._categories = [_category_words(entity.category_words) for entity in self.entities]

    def __reduce__(self) -> tuple[type["Matcher"], tuple[tuple[Entity, ...]]]:
        return Matcher, (self.entities,)

    @cached_property
    def alias_set_hash(self) -> str:
        """The digest of the names that are searched for."""
        return alias_set_hash(self.entities)

    def find(
        self, text: str, cited_owners: Collection[str] = frozenset(), prompt_language: str | None = None
    ) -> tuple[Mention, ...]:
        """Return one mention for each entity with a match, in order of first appearance.

        `cited_owners` are the ids of entities whose own site the answer cites; their ambiguous names count.
        `prompt_language` (a BCP 47 tag) is used if the language of the text cannot be detected.
        """
        plain = neutralize(text)
        if not self._filter.may_name(plain):
            return ()
        shown = blank(plain, self._domains)
        folded = fold(joined_by_hyphens(shown))
        language = _Language(text, prompt_language)
        decisions = [
            decision
            for hit in self._hits(folded, plain, language)
            if (decision := judge(hit, plain)) is not None
        ]
        if not decisions:
            return ()
        certain = {d.hit.pattern.entity for d in decisions if not (d.ambiguous or d.fails_case)}
        if cited_owners:
            certain.update(index for index, entity in enumerate(self.entities) if entity.id in cited_owners)
        sentences = sentences_of(text)
        names = [NameSpan(*decision.hit.span, decision.hit.start, decision.hit.end) for decision in decisions]
        context = None
        if any(decision.ambiguous for decision in decisions):
            context = AnswerContext(
                shown,
                text,
                sentences,
                language,
                [decision.hit.span for decision in decisions],
                [] if certain else [decision.hit.span for decision in decisions if decision.homonym],
            )
        negated = NegatedMentions(shown, folded, sentences, names, language.candidates)
        spans: dict[int, list[TextSpan]] = defaultdict(list)
        for decision, name in zip(decisions, names, strict=True):
            entity = decision.hit.pattern.entity
            reason = self._objection(decision, folded.text, entity in certain, context)
            spans[entity].append(_span(decision, name, reason, spans[entity], negated))
        return tuple(self._mention(entity, tuple(of), sentences) for entity, of in spans.items())

    def named(self, text: str) -> frozenset[str]:
        """Return the ids of the entities that a text (a prompt) names, including negated mentions."""
        mentions = self.find(text)
        return frozenset(
            mention.entity_id for mention in mentions if mention.status is not MentionStatus.UNCERTAIN
        )

    def _hits(self, folded: FoldedText, text: str, language: "_Language") -> list[PatternMatch]:
        """Return all matches at word boundaries after resolving overlaps, from left to right."""
        hits: list[PatternMatch] = []
        for index, start, end in self._automaton.find_matches_as_indexes(folded.text, overlapping=True):
            hit = at_free_edges(self._patterns[index], folded, start, end, text)
            if hit is not None and (not hit.languages or language.writes(hit)):
                hits.append(hit)
        if len(hits) > 1:
            hits.sort(key=lambda hit: (hit.start, -hit.end))
        at = 0
        chosen: list[PatternMatch] = []
        for hit in hits:
            if hit.start >= at:
                at = hit.end
                if hit.names:
                    chosen.append(hit)
        return chosen

    def _objection(
        self, decision: MatchDecision, folded: str, certain: bool, context: AnswerContext | None
    ) -> Literal["case", "context"] | None:
        if decision.fails_case:
            return "case"
        if not decision.ambiguous or certain or context is None:
            return None
        hit = decision.hit
        if _near(self._categories[hit.pattern.entity], folded, hit.start, hit.end):
            return None
        name = folded[hit.start : hit.end]
        return None if context.means_company(*hit.span, decision.homonym, name) else "context"

    def _mention(self, index: int, spans: tuple[TextSpan, ...], sentences: Sentences) -> Mention:
        counted = [span for span in spans if span.status is MentionStatus.COUNTED]
        status = MentionStatus.COUNTED
        if not counted:
            absent = any(span.status is MentionStatus.ABSENCE for span in spans)
            status = MentionStatus.ABSENCE if absent else MentionStatus.UNCERTAIN
        first = counted[0] if counted else spans[0]
        quote = sentences.quote(first.start, first.end)
        return Mention(self.entities[index].id, status, spans, len(counted), first.start, quote)


class _Language:
    """The language of one text, detected on first use."""

    def __init__(self, text: str, prompt_language: str | None):
        self._text = text
        self._prompt_language = prompt_language

    def __call__(self) -> str | None:
        return self._detected

    @cached_property
    def _detected(self) -> str | None:
        return detect(self._text, self._prompt_language)

    def candidates(self) -> frozenset[str]:
        """The known languages of the text and its prompt; a short text may be in either."""
        return frozenset(filter(None, (self._detected, primary(self._prompt_language))))

    def writes(self, hit: PatternMatch) -> bool:
        """Return whether the ending of a match exists in this language."""
        return self._detected in hit.languages or (self._detected is None and hit.sure)


def _span(
    decision: MatchDecision,
    name: NameSpan,
    reason: Literal["case", "context"] | None,
    earlier: Sequence[TextSpan],
    negated: NegatedMentions,
) -> TextSpan:
    start, end = name.start, name.end
    kind = "inflected" if decision.inflected else "exact"
    if reason is not None:
        return TextSpan(start, end, kind, MentionStatus.UNCERTAIN, reason)
    first = next((span for span in earlier if span.status is not MentionStatus.UNCERTAIN), None)
    is_negated = negated.is_negated(name) or (
        first is not None and first.status is MentionStatus.ABSENCE and negated.is_hedged(name)
    )
    return TextSpan(start, end, kind, MentionStatus.ABSENCE if is_negated else MentionStatus.COUNTED)


def _category_words(texts: Iterable[str]) -> frozenset[str]:
    """Return the folded words of a profile's industry and keywords, without function words."""
    words = frozenset(word for text in texts for word in _WORD.findall(fold(text).text))
    return words.difference(*FUNCTION_WORDS.values())


def _near(words: frozenset[str], folded: str, start: int, end: int) -> bool:
    """Return whether one of the words occurs within eight words of a match.

    In languages written without spaces, a run of letters that contains the word is sufficient.
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
