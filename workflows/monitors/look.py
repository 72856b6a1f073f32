"""What a look of a monitor gives, or why there was none."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from measurement.alerts.issues import IssueObservation
from readiness.survey.evidence import Evidence
from storage.documents.evidence import StoredEvidence
from workflows.monitors.figures import BotAccessMemory, Figures

Seen = TypeVar("Seen", bound=Figures, covariant=True)


@dataclass(frozen=True, slots=True)
class MonitorCheck(Generic[Seen]):
    """What was seen: figures to show, what the next look compares with, what it means for issues."""

    figures: Seen
    observations: tuple[IssueObservation, ...]
    memory: BotAccessMemory | None = None


class Skipped(Exception):
    """There is nothing to look at; `code` is no_website, no_answers or no_repository."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def page_evidence(evidence: Evidence) -> StoredEvidence:
    """Return a piece of the scanner's evidence as issues keep it: an address and a quotation made harmless."""
    excerpt = evidence.excerpt or evidence.header or ""
    if not excerpt and evidence.status_code is not None:
        excerpt = f"status {evidence.status_code}"
    return StoredEvidence(type="page", url=evidence.url, excerpt=excerpt)
