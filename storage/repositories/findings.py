"""Findings: what agents found in a run, with the evidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, insert, select, type_coerce

from storage.documents import FindingDocument, FindingText, StoredEvidence
from storage.ids import new_id
from storage.queries import Query
from storage.repository import Repository
from storage.tables.runs import findings


@dataclass(frozen=True, slots=True)
class FindingDraft:
    """What an agent found."""

    severity: str
    kind: str
    title: str
    detail: str
    evidence: Sequence[StoredEvidence] = ()
    fix: str | None = None
    effort: str | None = None
    check_id: str | None = None
    issue_id: str | None = None
    reasons: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding as it is stored."""

    id: str
    agent: str
    severity: str
    kind: str
    title: str
    detail: str
    evidence: Sequence[StoredEvidence]
    fix: str | None
    effort: str | None
    check_id: str | None
    issue_id: str | None
    reasons: Sequence[str] = ()


def finding_row(document: FindingDocument, *columns: Any) -> FindingRow:
    """Build a finding from the document that it rests on and its other columns."""
    id, agent, severity, kind, title, detail, fix, effort, check_id, issue_id = columns
    return FindingRow(
        id,
        agent,
        severity,
        kind,
        title,
        detail,
        document.items,
        fix,
        effort,
        check_id,
        issue_id,
        document.reasons,
    )


DOCUMENT = type_coerce(findings.c.evidence, FindingText())
FINDINGS = Query(
    select(
        DOCUMENT,
        findings.c.id,
        findings.c.agent,
        findings.c.severity,
        findings.c.kind,
        findings.c.title,
        findings.c.detail,
        findings.c.fix,
        findings.c.effort,
        findings.c.check_id,
        findings.c.issue_id,
    )
    .where(findings.c.company_id == bindparam("company_id"), findings.c.run_key == bindparam("run_key"))
    .order_by(findings.c.key),
    finding_row,
)
FOUND = ("severity", "kind", "title", "detail", "fix", "effort", "check_id", "issue_id")


def document_of(finding: FindingDraft) -> FindingDocument:
    """Return what a finding rests on as it is stored."""
    return FindingDocument(items=tuple(finding.evidence), reasons=tuple(finding.reasons))


class FindingRepository(Repository):
    """The findings of one company's runs."""

    async def all(self, run_key: int) -> list[FindingRow]:
        """Return what was found, in the order of writing."""
        return await self._all(FINDINGS, run_key=run_key)

    async def add(self, run_key: int, agent: str, drafts: Sequence[FindingDraft]) -> None:
        """Store what an agent found, in its order."""
        own = {"company_id": self.company_id, "run_key": run_key, "agent": agent}
        rows = [
            {name: getattr(finding, name) for name in FOUND}
            | {"id": new_id(), "evidence": document_of(finding).to_json(), "ordinal": ordinal}
            | own
            for ordinal, finding in enumerate(drafts)
        ]
        if rows:
            await self._write(insert(findings), rows)
