"""What agents that ask engines and read their answers give."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from analytics.change import Verdict
from analytics.metrics import MeasurementVerdict
from analytics.score import Confidence, Status
from measurement.publication.result_documents import IntervalPairDocument, RankedRowDocument, StoredPart
from storage.documents import StoredDocument
from workflows.agents.outputs.output import AgentOutput


class AskedBatch(AgentOutput):
    """A batch of requests: how many were planned, answered and failed, and on which platforms."""

    agents: ClassVar[tuple[str, ...]] = ("answer_prober", "reputation_prober")
    schema_version: Literal[1] = 1
    batch_id: str
    platforms: tuple[str, ...]
    planned: int
    answers: int
    failed: int
    status: str


class ResolvedCompetitor(StoredDocument):
    """A competitor with every way it is written and every site it owns."""

    id: str
    name: str
    aliases: tuple[str, ...]
    sites: tuple[str, ...]


class CompetitorNames(AgentOutput):
    """The competitors of the profile."""

    agents: ClassVar = ("competitor_resolver",)
    schema_version: Literal[1] = 1
    competitors: tuple[ResolvedCompetitor, ...]


class MentionCounts(AgentOutput):
    """What was read in the answers of a batch; `named` counts answers by the name of brand or competitor."""

    agents: ClassVar = ("mention_extractor",)
    schema_version: Literal[1] = 1
    batch_id: str
    answers: int
    valid: int
    named: Mapping[str, int]
    ranked: int
    citing_own: int


class ScoreSummary(AgentOutput):
    """The score of a batch (0-100, unrounded) under its receipt."""

    agents: ClassVar = ("score_calculator",)
    schema_version: Literal[1] = 1
    receipt_id: str
    status: Status
    score: float | None
    intervals: IntervalPairDocument | None
    confidence: Confidence | None
    change: Verdict
    measurement_verdict: MeasurementVerdict


class RankingSummary(AgentOutput):
    """The ranking in force over all platforms, best first."""

    agents: ClassVar = ("ranking_calculator",)
    schema_version: Literal[1] = 1
    status: Status
    basis: tuple[StoredPart, ...]
    answers: int
    rows: tuple[RankedRowDocument, ...]
