"""What agents that judge how engines speak of a brand give."""

from typing import ClassVar, Literal

from storage.documents import StoredDocument
from workflows.agents.outputs.output import AgentOutput


class ChannelTone(StoredDocument):
    """The tone of one answer towards the brand, on a channel "platform/mode", with the words that decided."""

    answer_id: str
    channel: str
    label: str
    recommendation: str | None = None
    quote: str | None


class ToneJudgements(AgentOutput):
    """The tones that an engine judged, with the name of the method."""

    agents: ClassVar = ("tone_judge",)
    schema_version: Literal[1] = 1
    method: str
    judged: tuple[ChannelTone, ...]


class WrongClaim(StoredDocument):
    """One contradicted fact: how often and where it is stated, and both texts. `kind` may be "what:of"."""

    kind: str
    times: int
    channels: tuple[str, ...]
    answer_id: str
    claim: str
    fact: str | None
    source: str | None


class ClaimChecks(AgentOutput):
    """The claims of a batch by verdict; `accuracy_score` is 0-100, null when no claim could be held against a fact."""

    agents: ClassVar = ("claim_checker",)
    schema_version: Literal[1] = 1
    method: str
    facts: int
    omitted: int
    supported: int
    contradicted: int
    unverifiable: int
    accuracy_score: float | None
    wrong: tuple[WrongClaim, ...]


class RiskQuote(StoredDocument):
    """The words of an answer that a risk rests on."""

    answer_id: str
    quote: str | None


class Risk(StoredDocument):
    """A reputation risk, how often and where it appears; `fact` is the correct statement."""

    kind: Literal["claim", "tone"]
    severity: Literal["critical", "warning", "info"]
    title: str
    times: int
    channels: tuple[str, ...]
    quotes: tuple[RiskQuote, ...]
    fact: str | None


class RiskRanking(AgentOutput):
    """The risks of a batch, worst first, and the tones they were derived from."""

    agents: ClassVar = ("risk_ranker",)
    schema_version: Literal[1] = 1
    risks: tuple[Risk, ...]
    tones: tuple[ChannelTone, ...]


class ReplyDrafts(AgentOutput):
    """The titles of the stored replies, and how many of their sentences need a decision."""

    agents: ClassVar = ("response_drafter",)
    schema_version: Literal[1] = 1
    drafts: tuple[str, ...]
    undecided: int


class ChannelAlerts(AgentOutput):
    """The channels whose tone was observed, and those that speak ill."""

    agents: ClassVar = ("alert_publisher",)
    schema_version: Literal[1] = 1
    observed: tuple[str, ...]
    ill: tuple[str, ...]
