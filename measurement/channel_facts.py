"""What the answers of one channel show beside their readings: searches, doubts, served models, cited domains."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

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
