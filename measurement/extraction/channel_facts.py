"""What the answers of one channel show beside their readings: searches, served models, domains, how asks ended."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date

from analytics.observation import Channel
from storage.repositories.answers.observed_answers import ObservedAnswer, ObservedMention

Domain = tuple[str, str]
"""A registrable domain with whose it is."""


@dataclass(slots=True)
class ChannelFacts:
    """Counts over all answers of a channel, valid or not.

    `searched` answers retrieved something; `uncertain` and `absences` are what they say of the brand without naming
    it; `domains` counts the answers that cite each. `shown`, `not_shown` and of those shown `named` are looks that
    rates count: none at a question that names the brand or through a degraded channel.
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
        """Count one answer with what it says of the brand itself."""
        self.answers += 1
        self.searched += answer.retrieval == "searched"
        if answer.served_model:
            self.served_models.add(answer.served_model)
        self.domains.update(answer.domains)
        if mention is not None:
            self.uncertain += mention.uncertain
            self.absences += mention.absences

    def add(self, other: "ChannelFacts") -> None:
        """Count what another counted."""
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
    """Return the facts of several batches together."""
    joined: dict[Channel, ChannelFacts] = {}
    for by_channel in facts:
        for channel, of_channel in by_channel.items():
            joined.setdefault(channel, ChannelFacts()).add(of_channel)
    return joined


@dataclass(slots=True)
class ChannelSummary:
    """What the answers of one channel of a batch show beside their observations, so that nobody has to keep them.

    `ends` counts how asks ended. `facts` are without looks, which count only outside of degraded channels: `shown` and
    `not_shown` are those to questions that rates count, `named` those shown that name the brand. `uncertain` and
    `absence` answers doubt or deny the brand without naming it, and `branded` ones are valid.
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
    """Hashes of the words by id; like those before it of valid answers, and without the brand's own questions."""
    unprompted: int = 0
    """Valid answers to questions that do not name the brand; `namings` of them name it, the first at `best_rank`."""
    namings: int = 0
    best_rank: int | None = None
    is_criticized: bool = False
    """Whether a valid answer speaks of the brand negatively."""

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
        if naming is not None and naming.tone == "negative":
            self.is_criticized = True
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
    """Tell whether rates count an answer to this question: one of a set, or imported, that does not name the brand."""
    return answer.from_set and not answer.branded


def is_cut_off(answer: ObservedAnswer) -> bool:
    """Tell whether an answer would count if its engine had not stopped before its end."""
    return answer.truncated and answer.status == "answered" and not answer.valid


def place_of(answer: ObservedAnswer) -> str:
    """Name the place that an answer comes from, as far as its engine could be told one."""
    city = "" if "city" in answer.not_supported else answer.city or ""
    return "/".join(part for part in (answer.country, city) if part)


def language_of(answer: ObservedAnswer) -> str:
    """Name the language that an engine was told to answer in, or that an answer was captured in."""
    return "" if "language" in answer.not_supported else answer.language or ""


def end_of_answer(answer: ObservedAnswer) -> str:
    """Return how an ask ended that brought an answer: `valid`, `truncated` or the answer's status.

    A page without any result shows nothing of an engine: it counts as empty, and not as one that was not shown.
    """
    if answer.valid:
        return "valid"
    if answer.absent_reason == "no_results":
        return "empty"
    return "truncated" if is_cut_off(answer) else answer.status


def is_not_shown(answer: ObservedAnswer) -> bool:
    """Tell whether a look found that an engine shows no answer."""
    return end_of_answer(answer) == "not_shown"
