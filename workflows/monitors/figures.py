"""What monitors store of a look: the figures that are shown, and what the next look compares with."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

from pydantic import Field

from measurement.monitor_scripts import BOT_ACCESS_MONITOR, CONTENT_GAP_MONITOR, CRAWLER_CHECK
from readiness.survey.site_state import SiteState
from storage.documents.document import StoredDocument
from storage.repositories.monitors import MonitorResult


class TierAccess(StoredDocument):
    """How many bots of a tier may read a site and how many may not; null when that could not be seen."""

    allowed: int | None = None
    denied: int | None = None


class BotAccessFigures(StoredDocument):
    """Who may read a site, how often its server reacted to an AI bot's name, and what is new since the last look."""

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
    """The bots that are denied, by tier: as a rule, and in the last look."""

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
