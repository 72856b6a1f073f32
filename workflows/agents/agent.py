"""What every agent is given, and what it gives back."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from engines.registry import Registry
from measurement.alerts.issues import IssueObservation
from measurement.asking.probe import Prober
from readiness.scans.scanner import Scanner
from storage.repositories.brands import Brand
from storage.repositories.findings import FindingDraft
from storage.repositories.repository_items import ItemDraft
from storage.workspace import Workspace
from workflows.brand_sites import Sites

Report: TypeAlias = Callable[[int, int], Awaitable[None]]
"""Tells how far an agent is: done, of how many."""
Keep: TypeAlias = Callable[[Workspace], Awaitable[None]]
"""Writes what an agent gave, in the transaction that completes it, or before."""
Store: TypeAlias = Callable[[Keep], Awaitable[None]]
"""Writes at once, in a transaction of its own, what must not be paid for twice."""


@dataclass(frozen=True, slots=True)
class SiteAccess:
    """How agents look at sites: whole scans that are stored, and looks of the monitors' kind."""

    scanner: Scanner
    sites: Sites


@dataclass(frozen=True, slots=True)
class Work:
    """One agent's task within one run. `workspace` reads; `outputs` are those of completed agents.

    `agent` is its name, `began` when it was begun first, in whichever process.
    """

    run_id: str
    run_key: int
    brand: Brand
    context: str | None
    configuration: Mapping[str, Any]
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


@dataclass(frozen=True, slots=True)
class Result:
    """What a completed agent gave: JSON for the agents after it, a sentence, findings, repository drafts.

    `raised` are observations that move issues, each with the number of the finding that tells of it, or None. `keep`
    writes what else there is.
    """

    output: Any
    summary: str
    findings: tuple[FindingDraft, ...] = ()
    drafts: tuple[ItemDraft, ...] = ()
    raised: tuple[tuple[IssueObservation, int | None], ...] = ()
    keep: Keep | None = None


Agent: TypeAlias = Callable[[Work], Coroutine[Any, Any, Result]]
"""Does the work. Raises AgentFailed; whatever else it raises is a defect."""
