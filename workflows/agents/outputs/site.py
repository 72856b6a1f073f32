"""Outputs of the agents that read sites."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from readiness.checks.check import CheckStatus
from readiness.survey.site_kind import Kind
from storage.documents import StoredDocument
from workflows.agents.outputs.output import AgentOutput


class ProfiledPage(StoredDocument):
    """One page that was read; `status` is null when it did not answer."""

    url: str
    role: str
    status: int | None


class SiteProfile(AgentOutput):
    """What kind of business a site belongs to, its pages, and the facts it states by kind.

    `page_texts` are the URL and the text of each page.
    """

    agents: ClassVar = ("site_profiler",)
    schema_version: Literal[1] = 1
    url: str
    site_type: Kind
    evidence: tuple[str, ...]
    pages: tuple[ProfiledPage, ...]
    facts: Mapping[str, tuple[str, ...]]
    page_texts: tuple[tuple[str, str], ...]


class ReadinessScan(AgentOutput):
    """A stored readiness report of the brand's own site; scores are 0-100, null when there is none."""

    agents: ClassVar = ("readiness_scanner",)
    schema_version: Literal[1] = 1
    report_id: str
    url: str
    site_type: str
    overall: int | None
    technical: int | None


class CheckupOrder(AgentOutput):
    """The checks of a report that do not hold, by id, those worth most first; without a report all else is null."""

    agents: ClassVar = ("checkup_reporter",)
    schema_version: Literal[1] = 1
    report_id: str | None = None
    url: str | None = None
    order: tuple[str, ...] = ()


class CompetitorReport(StoredDocument):
    """The private report of a competitor's site; `overall` is 0-100, null when it was not scored."""

    name: str
    report_id: str
    url: str
    overall: int | None


class FailedScan(StoredDocument):
    """A competitor whose site gave no report, with the error code."""

    name: str
    code: str


class CompetitorScans(AgentOutput):
    """The reports of competitors' sites, and those that gave none."""

    agents: ClassVar = ("competitor_site_scanner",)
    schema_version: Literal[1] = 1
    reports: tuple[CompetitorReport, ...]
    failures: tuple[FailedScan, ...]


class ComparedCheck(StoredDocument):
    """One check before and after."""

    check_id: str
    before: CheckStatus
    after: CheckStatus


class SiteVerification(AgentOutput):
    """The checks that failed, as a second scan found them."""

    agents: ClassVar = ("verifier",)
    schema_version: Literal[1] = 1
    report_id: str
    compared: tuple[ComparedCheck, ...]


class TechnicalProposals(AgentOutput):
    """The names of proposed files, and the ids of the checks that no file can fix."""

    agents: ClassVar = ("technical_fix_generator",)
    schema_version: Literal[1] = 1
    proposed: tuple[str, ...]
    by_hand: tuple[str, ...]
