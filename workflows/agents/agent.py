"""What every agent is given, and what it gives back."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from engines.registry import Registry
from measurement.alerts.issues import IssueObservation
from measurement.asking.probe import Prober
from readiness.scans.scanner import Scanner
from storage.documents import StoredDocument
from storage.repositories.brands import Brand
from storage.repositories.findings import FindingDraft
from storage.repositories.repository_items import ItemDraft
from storage.workspace import Workspace
from workflows.agents.outputs.output import AgentOutput
from workflows.brand_sites import Sites
from workflows.configurations import AgentConfiguration, Settings, settings_of
from workflows.errors import AgentFailed

if TYPE_CHECKING:
    from workflows.cited_pages.reader import CitedPages


Report: TypeAlias = Callable[[int, int], Awaitable[None]]
"""Reports an agent's progress: done and total."""
Keep: TypeAlias = Callable[[Workspace], Awaitable[None]]
"""Writes what an agent gave, in the transaction that completes it, or before."""
Store: TypeAlias = Callable[[Keep], Awaitable[None]]
"""Writes at once, in a transaction of its own, what must not be paid for twice."""
Output = TypeVar("Output", bound=AgentOutput)


@dataclass(frozen=True, slots=True)
class SiteAccess:
    """How agents read sites: stored scans, monitor checks and cited pages."""

    scanner: Scanner
    sites: Sites
    cited_pages: "CitedPages"


@dataclass(frozen=True, slots=True)
class Work:
    """One agent's task within one run. `workspace` reads; `outputs` is what completed agents gave, as it is stored.

    `agent` is its name, `began` when it was begun first, in whichever process.
    """

    run_id: str
    run_key: int
    brand: Brand
    context: str | None
    configuration: AgentConfiguration
    outputs: Mapping[str, Any]
    workspace: Workspace
    engines: Registry
    prober: Prober
    now: datetime
    report: Report
    site_access: SiteAccess | None = None
    began: datetime | None = None
    agent: str = ""
    store: Store | None = None

    def settings(self, kind: type[Settings]) -> Settings:
        """Return what the agent is set to, as settings of a kind; an agent of another kind is set to nothing of it."""
        return settings_of(kind, self.configuration)

    def outputs_of(self, kind: type[Output]) -> list[Output]:
        """Return the documents of a kind that completed agents gave. Raises DamagedData for one that cannot be read."""
        given = (self.outputs.get(agent) for agent in kind.agents)
        return [kind.load(stored) for stored in given if stored is not None]

    def find_output(self, kind: type[Output]) -> Output | None:
        """Return what the one agent that gives this kind gave; None when it did not complete."""
        return next(iter(self.outputs_of(kind)), None)

    def output(self, kind: type[Output]) -> Output:
        """Return what the one agent that gives this kind gave. Fails with `no_input` when it did not complete."""
        document = self.find_output(kind)
        if document is None:
            raise AgentFailed("no_input")
        return document


@dataclass(frozen=True, slots=True)
class Result:
    """What a completed agent gave: a document for the agents after it, a sentence, findings, repository drafts.

    `raised` are observations that move issues, each with the number of the finding that reports it, or None. `keep`
    writes what else there is.
    """

    output: StoredDocument | None
    summary: str
    findings: tuple[FindingDraft, ...] = ()
    drafts: tuple[ItemDraft, ...] = ()
    raised: tuple[tuple[IssueObservation, int | None], ...] = ()
    keep: Keep | None = None


Agent: TypeAlias = Callable[[Work], Coroutine[Any, Any, Result]]
"""Does the work. Raises AgentFailed; any other exception is a defect."""


def numbered(number: int, noun: str) -> str:
    """Return a number with its noun, which takes an s for any number but one."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
