"""What a monitor check stores: the metrics that are shown, and the state that the next check compares with."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, Literal, TypeVar

from pydantic import Field

from measurement.alerts.issues import BOT_ACCESS_MONITOR, CONTENT_GAP_MONITOR, CRAWLER_CHECK, IssueObservation
from readiness.fetching.errors import SENTENCES
from readiness.survey.evidence import Evidence
from readiness.survey.site_kind import SiteState
from storage.documents import StoredDocument, StoredEvidence
from storage.repositories.monitors import MonitorResult


class TierAccess(StoredDocument):
    """How many bots of a tier may read a site and how many may not; null when that could not be seen."""

    allowed: int | None = None
    denied: int | None = None


class BotAccessFigures(StoredDocument):
    """Who may read a site, how often its server reacted to an AI bot's user agent, and changes since the last check."""

    schema_version: Literal[1] = 1
    state: SiteState
    search: TierAccess = TierAccess()
    user: TierAccess = TierAccess()
    training: TierAccess = TierAccess()
    reactions: int | None = None
    headers_probed: int = 0
    newly_denied: tuple[str, ...] = ()
    newly_allowed: tuple[str, ...] = ()


class BotAccessMemory(StoredDocument):
    """The bots that are denied, by tier: as a rule, and in the last check."""

    schema_version: Literal[1] = 1
    robots_sha256: str
    denied: Mapping[str, tuple[str, ...]]
    pending: Mapping[str, tuple[str, ...]]


class CrawlFigures(StoredDocument):
    """How many pages were read and failed, the median time to the first byte in ms, and each check's status."""

    schema_version: Literal[1] = 1
    state: SiteState
    urls: int = 0
    errors: int = 1
    redirects: int = 0
    ttfb_ms: int | None = None
    checks: Mapping[str, str] = Field(default_factory=dict[str, str])


class GapFigures(StoredDocument):
    """How many prompts there are, were answered, and are covered by items (null without items); gaps by kind."""

    schema_version: Literal[1] = 1
    prompts: int
    answered: int
    covered: int | None
    gaps: Mapping[str, int]
    method: str


Figures = BotAccessFigures | CrawlFigures | GapFigures
FIGURES: Mapping[str, type[Figures]] = MappingProxyType(
    {
        CRAWLER_CHECK: CrawlFigures,
        CONTENT_GAP_MONITOR: GapFigures,
        BOT_ACCESS_MONITOR: BotAccessFigures,
    }
)


def stored_figures(result: MonitorResult) -> Figures | None:
    """Return the figures of a stored result; None when nothing could be seen."""
    return FIGURES[result.script].load(result.metrics) if result.metrics else None


def shown_figures(result: MonitorResult) -> dict[str, Any]:
    """Return the figures of a stored result as JSON values to show; empty when nothing could be seen."""
    figures = stored_figures(result)
    return figures.model_dump(mode="json", by_alias=True, exclude={"schema_version"}) if figures else {}


Seen = TypeVar("Seen", bound=Figures, covariant=True)


@dataclass(frozen=True, slots=True)
class MonitorCheck(Generic[Seen]):
    """The result of a check: metrics, the state for the next check, and observations for issues."""

    figures: Seen
    observations: tuple[IssueObservation, ...]
    memory: BotAccessMemory | None = None


class Skipped(Exception):
    """There is nothing to check; `code` is no_website, no_answers or no_repository."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def page_evidence(evidence: Evidence) -> StoredEvidence:
    """Return a piece of the scanner's evidence as issues keep it: an address and a quotation made harmless."""
    excerpt = ": ".join(filter(None, (evidence.detail, evidence.excerpt or evidence.header)))
    if not excerpt and evidence.status_code is not None:
        excerpt = f"status {evidence.status_code}"
    return StoredEvidence(type="page", url=evidence.url, excerpt=excerpt)


WORDS: Mapping[str, str] = {
    "no_website": "The brand's profile has neither a website nor a domain. Add one.",
    "no_answers": "No prompt of a prompt set has an answer of the last 28 days. Measure the brand first.",
    "no_repository": "The repository has no item to compare with. Import what the brand publishes.",
    "internal_error": "The monitor failed because of a defect in seenby. Contact the operator.",
    "refused_url": "The address of the site is not one that is visited. Check the profile.",
}
REASONS = {reason.value: sentence for reason, sentence in SENTENCES.items()}


def trouble(code: str) -> str:
    """Return the sentence for the code of an error or a skip."""
    if code in WORDS:
        return WORDS[code]
    sentence = REASONS.get(code, "the site could not be seen")
    return f"{sentence[:1].upper()}{sentence[1:]}. What is open stays as it is."
