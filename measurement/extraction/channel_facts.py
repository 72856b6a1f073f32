"""Facts of one channel beside the extraction results: searches, served models, domains, request outcomes."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date

from analytics.observation import Channel
from storage.repositories.answers.observed_answers import ObservedAnswer, ObservedMention

Domain = tuple[str, str]
"""A registrable domain and who it belongs to."""


@dataclass(slots=True)
class ChannelFacts:
    """Counts over all answers of a channel, valid or not.

    `searched` answers retrieved something. `uncertain` and `absences` are uncertain and negated mentions,
    which do not name the brand. `domains` counts the answers that cite each domain. `shown`, `not_shown` and
    `named` (those shown that name the brand) are the AI surface observations that count for rates: prompts
    that name the brand and degraded channels are excluded.
    """

    answers: int = 0
    searched: int = 0
    uncertain: int = 0
    absences: int = 0
    served_models: set[str] = field(default_factory=set[str])
    domains: Counter[Domain] = field(default_factory=Counter[Domain])
    shown: int = 0
    not_shown: int = 0
    named: int = 0

    def count(self, answer: ObservedAnswer, mention: ObservedMention | None) -> None:
        """Count one answer with its mention of the brand."""
        self.answers += 1
        self.searched += answer.retrieval == "searched"
        if answer.served_model:
            self.served_models.add(answer.served_model)
        self.domains.update(answer.domains)
        if mention is not None:
            self.uncertain += mention.uncertain
            self.absences += mention.absences

    def add(self, other: "ChannelFacts") -> None:
        """Add the counts of another instance."""
        self.answers += other.answers
        self.searched += other.searched
        self.uncertain += other.uncertain
        self.absences += other.absences
        self.served_models |= other.served_models
        self.domains.update(other.domains)
        self.shown += other.shown
        self.not_shown += other.not_shown
        self.named += other.named


def join_facts(facts: Iterable[Mapping[Channel, ChannelFacts]]) -> dict[Channel, ChannelFacts]:
    """Return the facts of several batches combined."""
    joined: dict[Channel, ChannelFacts] = {}
    for by_channel in facts:
        for channel, of_channel in by_channel.items():
            joined.setdefault(channel, ChannelFacts()).add(of_channel)
    return joined


@dataclass(slots=True)
class ChannelSummary:
    """Aggregates of one channel of a batch, so that its observations need not be kept.

    `ends` counts request outcomes. `facts` leaves out AI surface observations, which count only outside
    degraded channels: `shown` and `not_shown` are those of prompts that count for rates, and `named` those
    shown that name the brand. `uncertain` and `absence` answers doubt or deny the brand without naming it.
    `branded` answers are valid.
    """

    facts: ChannelFacts = field(default_factory=ChannelFacts)
    ends: Counter[str] = field(default_factory=Counter[str])
    shown: int = 0
    not_shown: int = 0
    named: int = 0
    refused: int = 0
    not_grounded: int = 0
    truncated: int = 0
    branded: int = 0
    uncertain: int = 0
    absence: int = 0
    parsers: set[str] = field(default_factory=set[str])
    days: set[date] = field(default_factory=set[date])
    """UTC."""
    served: set[str] = field(default_factory=set[str])
    places: set[str] = field(default_factory=set[str])
    languages: set[str] = field(default_factory=set[str])
    prompts: dict[str, str] = field(default_factory=dict[str, str])
    """Prompt text hashes by ID; like the fields above from valid answers, but without branded prompts."""
    unprompted: int = 0
    """Valid answers to prompts that do not name the brand. `namings` of them name it, the first at `best_rank`."""
    namings: int = 0
    best_rank: int | None = None

    def count(self, answer: ObservedAnswer, own: ObservedMention | None) -> None:
        """Count one answer with what it says of the brand itself."""
        end = end_of_answer(answer)
        naming = own if own is not None and own.named else None
        self.facts.count(answer, own)
        self.ends[end] += 1
        if is_rated_answer(answer):
            self.shown += answer.valid
            self.not_shown += end == "not_shown"
            self.named += answer.valid and naming is not None
        self.refused += answer.status == "refused"
        self.not_grounded += answer.status == "not_grounded"
        self.truncated += is_cut_off(answer)
        if own is not None and naming is None:
            self.uncertain += own.uncertain > 0
            self.absence += own.absences > 0
        self.parsers.add(answer.parser)
        self.days.add(answer.captured_at.astimezone(UTC).date())
        if answer.valid:
            self._count_valid(answer, naming)

    def _count_valid(self, answer: ObservedAnswer, naming: ObservedMention | None) -> None:
        self.served.add(answer.served_model or "")
        self.places.add(place_of(answer))
        self.languages.add(language_of(answer))
        if answer.branded:
            self.branded += 1
            return
        self.prompts[answer.prompt_id] = answer.prompt_sha256
        self.unprompted += 1
        if naming is not None:
            self.namings += 1
            if naming.rank is not None and (self.best_rank is None or naming.rank < self.best_rank):
                self.best_rank = naming.rank


def is_rated_answer(answer: ObservedAnswer) -> bool:
    """Return whether rates count answers to this prompt: it is from a set or imported, and not branded."""
    return answer.from_set and not answer.branded


def is_cut_off(answer: ObservedAnswer) -> bool:
    """Return whether an answer would be valid if its engine had not stopped early."""
    return answer.truncated and answer.status == "answered" and not answer.valid


def place_of(answer: ObservedAnswer) -> str:
    """Return the place that an answer comes from, as far as its engine supports one."""
    city = "" if "city" in answer.not_supported else answer.city or ""
    return "/".join(part for part in (answer.country, city) if part)


def language_of(answer: ObservedAnswer) -> str:
    """Return the language that an engine was asked to answer in, or that an answer was captured in."""
    return "" if "language" in answer.not_supported else answer.language or ""


def end_of_answer(answer: ObservedAnswer) -> str:
    """Return the outcome of a request that brought an answer: `valid`, `truncated` or the answer's status.

    A page without any result shows nothing about an engine, so it counts as empty rather than as not shown.
    """
    if answer.valid:
        return "valid"
    if answer.absent_reason == "no_results":
        return "empty"
    return "truncated" if is_cut_off(answer) else answer.status


def is_not_shown(answer: ObservedAnswer) -> bool:
    """Return whether an observation found that an engine shows no answer."""
    return end_of_answer(answer) == "not_shown"
