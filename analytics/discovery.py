"""Discovers untracked names that ranked lists repeatedly place next to a brand, method discovery/1."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from analytics.answers.ranks import ranked_heads
from analytics.matching.aliases import folded_name, spellings
from analytics.matching.masking import BLANK, blank
from analytics.matching.mentions import Matcher
from analytics.text.folding import is_dropped
from analytics.text.markup import without_references
from analytics.text.sentences import Sentences

VERSION = "discovery/1"
LEAST_PROMPTS = 3
"""Minimum number of prompts whose answers must rank a name before it is proposed."""
LOWER_CASE = 0.2
"""Share of lower-case occurrences at which a phrase no longer counts as a name."""
MOST_EVIDENCE = 5
LONGEST_WORDS, LONGEST_NAME = 6, 100
SHORTEST_NAME = 2

_SHELL = re.compile(r"[\[\]\"“”„«»|\\]|(?<!\w)_+|_+(?!\w)")
_EDGE = " .,;:!?-–—'’/&"
_WORD = re.compile(r"\w+")
_SPACES = re.compile(r"[\s-]+")
_WITHIN_SENTENCE = re.compile(r"(?<!\w)[^\W\d_A-Z]\w*[,;]? \Z")
_LOOK_BEHIND = 40
_ARTICLES = ("das", "der", "die", "el", "la", "las", "le", "les", "los", "the")
_PARTICLES = ("al", "da", "de", "del", "den", "des", "di", "do", "du", "van", "von")
_LINKS = ("a", "and", "at", "by", "e", "et", "for", "für", "in", "of", "on", "to", "und", "y")
_CONNECTORS = frozenset((*_ARTICLES, *_PARTICLES, *_LINKS))
"""Lower-case words that may occur in names, but do not form a name on their own."""


@dataclass(frozen=True, slots=True)
class DiscoveryAnswer:
    """One valid answer. `names_brand` says whether it also names the brand."""

    id: str
    prompt: str
    platform: str
    text: str
    names_brand: bool


@dataclass(frozen=True, slots=True)
class CandidateEvidence:
    """An answer that ranks a name. The quote is the sentence as written, at most 300 characters."""

    answer_id: str
    platform: str
    prompt: str
    quote: str


@dataclass(frozen=True, slots=True)
class NameUse:
    """One answer that ranks a name, with the sentence as written, at most 300 characters."""

    answer: DiscoveryAnswer
    quote: str


@dataclass(frozen=True, slots=True)
class CompetitorCandidate:
    """An untracked name, with counts of the answers that rank it, their prompts, and those that also name the brand.

    `folded` is the normalized form for comparing names. `evidence` has one answer for each prompt, newest
    first.
    """

    name: str
    folded: str
    answers: int
    prompts: int
    beside: int
    platforms: tuple[str, ...]
    evidence: tuple[CandidateEvidence, ...]


@dataclass(slots=True)
class _NameUses:
    """The collected occurrences of one name."""

    written: Counter[str] = field(default_factory=lambda: Counter())
    seen: list[tuple[DiscoveryAnswer, int, int]] = field(default_factory=lambda: [])

    @property
    def prompts(self) -> int:
        return len({answer.prompt for answer, _, _ in self.seen})

    @property
    def name(self) -> str:
        """The most frequent spelling; ties are resolved by code point order."""
        return min(self.written, key=lambda name: (-self.written[name], name))


def discover(newest_first: Sequence[DiscoveryAnswer], tracked: Matcher) -> tuple[CompetitorCandidate, ...]:
    """Return names that head items of ranked lists in answers to at least three prompts, most prompts first.

    Excluded are names that contain a tracked name, names in the prompt itself, and names that the answers use
    as ordinary words: phrases with at least a fifth of their occurrences in lower case, and phrases all of
    whose words occur in lower case somewhere, unless the phrase is capitalized within a sentence. Known
    limitations: names written in lower case and names outside ranked lists are missed. The result depends
    only on the arguments.
    """
    collected = _collect(newest_first, tracked)
    often = {
        folded: candidate for folded, candidate in collected.items() if candidate.prompts >= LEAST_PROMPTS
    }
    if not often:
        return ()
    usage = _Usage(newest_first)
    candidates = [
        _candidate(folded, candidate)
        for folded, candidate in often.items()
        if not usage.is_ordinary(candidate.name)
    ]
    return tuple(
        sorted(candidates, key=lambda candidate: (-candidate.prompts, -candidate.answers, candidate.folded))
    )


def find_uses(newest_first: Sequence[DiscoveryAnswer], tracked: Matcher, folded: str) -> tuple[NameUse, ...]:
    """Return every answer that a candidate counts, newest first. `folded` is its normalized name."""
    uses = _collect(newest_first, tracked).get(folded, _NameUses())
    return tuple(
        NameUse(answer, Sentences(answer.text).quote(start, end)) for answer, start, end in uses.seen
    )


def comparable(name: str) -> str:
    """Return the normalized form for comparing names: folded, with one space for spaces and hyphens."""
    return _SPACES.sub(" ", folded_name(name)).strip()


def _collect(answers: Iterable[DiscoveryAnswer], tracked: Matcher) -> dict[str, _NameUses]:
    collected: dict[str, _NameUses] = {}
    known = _TrackedNames(tracked)
    prompts: dict[str, str] = {}
    for answer in answers:
        asked = prompts.setdefault(answer.prompt, f" {' '.join(_WORD.findall(comparable(answer.prompt)))} ")
        names_in_answer: set[str] = set()
        shown = without_references(answer.text)
        for start, end in ranked_heads(shown):
            name = _name(shown[start:end])
            folded = comparable(name) if name else ""
            if name is None or not folded or folded in names_in_answer or known.holds(name):
                continue
            if f" {' '.join(_WORD.findall(folded))} " in asked:
                continue
            names_in_answer.add(folded)
            candidate = collected.setdefault(folded, _NameUses())
            candidate.written[name] += 1
            candidate.seen.append((answer, start, end))
    return collected


class _TrackedNames:
    """Checks whether a name is already tracked or excluded by a negative term."""

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher
        self._names = {
            spelling
            for entity in matcher.entities
            for name in (*(alias.text for alias in entity.aliases), *entity.negative_terms)
            for spelling in spellings(folded_name(name))
        }
        self._held: dict[str, bool] = {}

    def holds(self, name: str) -> bool:
        if name not in self._held:
            taken = not self._names.isdisjoint(spellings(folded_name(name)))
            self._held[name] = taken or bool(self._matcher.find(name))
        return self._held[name]


def _name(head: str) -> str | None:
    """Return the name in an item head, or None: every word but connectors has a capital, a digit or no case at all."""
    kept = frozenset((folded_name(head),))  # if the whole head resembles a domain, the domain is the name
    shown = _SHELL.sub(" ", blank(head, kept).replace(BLANK, " "))
    name = " ".join("".join(char for char in shown if not is_dropped(char)).split()).strip(_EDGE)
    words = name.split()
    if not 1 <= len(words) <= LONGEST_WORDS or len(name) > LONGEST_NAME:
        return None
    if sum(char.isalnum() for char in name) < SHORTEST_NAME or not any(char.isalpha() for char in name):
        return None
    plain = [word.strip(_EDGE).casefold() in _CONNECTORS for word in words]
    if plain[-1] or all(plain):
        return None
    lower = (word.islower() and not joins for word, joins in zip(words, plain, strict=True))
    return None if any(lower) or words[0].islower() else name


class _Usage:
    """How the answers use words: as names or as ordinary language."""

    def __init__(self, answers: Iterable[DiscoveryAnswer]) -> None:
        self._texts = [blank(without_references(answer.text)) for answer in answers]
        self._words = {word for text in self._texts for word in _WORD.findall(text)}

    def is_ordinary(self, name: str) -> bool:
        words = [word for word in _WORD.findall(name) if word.lower() != word]
        if not words:
            return False
        lower, total, within = self._occurrences(name)
        if lower >= LOWER_CASE * total and lower:
            return True
        return not within and all(word.lower() in self._words for word in words)

    def _occurrences(self, name: str) -> tuple[int, int, int]:
        """Return how often a phrase occurs in lower case, in total, and capitalized within a sentence."""
        words = r"[\s-]+".join(re.escape(part) for part in _SPACES.split(name))
        phrase = re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)
        lower = total = within = 0
        for text in self._texts:
            for match in phrase.finditer(text):
                total += 1
                if match[0].islower():
                    lower += 1
                elif _WITHIN_SENTENCE.search(text, max(0, match.start() - _LOOK_BEHIND), match.start()):
                    within += 1
        return lower, total, within


def _candidate(folded: str, uses: _NameUses) -> CompetitorCandidate:
    evidence: dict[str, CandidateEvidence] = {}
    for answer, start, end in uses.seen:
        if len(evidence) < MOST_EVIDENCE and answer.prompt not in evidence:
            quote = Sentences(answer.text).quote(start, end)
            evidence[answer.prompt] = CandidateEvidence(answer.id, answer.platform, answer.prompt, quote)
    return CompetitorCandidate(
        name=uses.name,
        folded=folded,
        answers=len(uses.seen),
        prompts=uses.prompts,
        beside=sum(answer.names_brand for answer, _, _ in uses.seen),
        platforms=tuple(sorted({answer.platform for answer, _, _ in uses.seen})),
        evidence=tuple(evidence.values()),
    )
